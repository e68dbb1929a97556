"""What a clause means in a game: a moment of a lesson that names it, in words."""

from dataclasses import dataclass
from functools import cache

from yegg.engine import Game
from yegg.engine.secrecy import Teller

from .answer import filled
from .lesson import LEARNER, Lesson, lessons

SENTENCES = 3  # of what happens next


@dataclass(frozen=True)
class Example:
    """A moment of a lesson."""

    lesson: Lesson
    step: int
    says: str
    """What the teacher says there."""
    story: str
    """What happens then, in sentences; "" if nothing is chosen there."""


@cache
def moments(game: Game) -> dict[str, tuple[Lesson, int]]:
    """By clause: where a lesson names it, first where it is named alone and something is chosen."""
    found: dict[str, tuple[tuple[bool, int], Lesson, int]] = {}
    for lesson in lessons(game):
        for n, step in enumerate(lesson.steps):
            rank = lesson.wanted(n) is None, len(step.clauses)
            for clause in step.clauses:
                if clause not in found or rank < found[clause][0]:
                    found[clause] = rank, lesson, n
    return {clause: (lesson, n) for clause, (_, lesson, n) in found.items()}


@cache
def example(game: Game, clause: str) -> Example | None:
    """A moment of a lesson that names a clause; None if there is none."""
    if clause not in moments(game):
        return None
    lesson, n = moments(game)[clause]
    here = lesson.steps[n]
    says = filled(here.says, lesson.position(here.at))
    return Example(lesson, n, says, story(lesson, n) if lesson.wanted(n) is not None else "")


def story(lesson: Lesson, n: int) -> str:
    """What happens from a step to the next, as the learner hears it."""
    first, last = lesson.steps[n].at, lesson.steps[n + 1].at
    there = lesson.position(last)
    heard = Teller(there).hear(there, LEARNER, last - first) if last > first else []
    told = [sentence for one in heard for sentence in (one.prose, *one.news) if sentence]
    return " ".join(told[:SENTENCES])
