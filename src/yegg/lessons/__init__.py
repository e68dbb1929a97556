"""Lessons and puzzles: game records with comments that teach a newcomer, or ask a question."""

from .answer import Answer, answer, filled
from .lesson import Lesson, Step, lessons, minutes, read
from .puzzle import Puzzle, puzzles
from .verdict import Verdict, verdict

__all__ = [
    "Answer",
    "Lesson",
    "Puzzle",
    "Step",
    "Verdict",
    "answer",
    "filled",
    "lessons",
    "minutes",
    "puzzles",
    "read",
    "verdict",
]
