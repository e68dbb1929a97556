"""Lessons: game records with comments that teach a newcomer."""

from .answer import Answer, answer, filled
from .lesson import Lesson, Step, lessons, minutes, read

__all__ = ["Answer", "Lesson", "Step", "answer", "filled", "lessons", "minutes", "read"]
