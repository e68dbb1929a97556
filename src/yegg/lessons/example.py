"""What a clause means in a game: an example that was written for it, or a moment of a lesson."""

from dataclasses import dataclass
from functools import cache

from yegg.engine import Game
from yegg.engine.secrecy import Teller
from yegg.engine.voice import clauses

from .answer import filled
from .lesson import LEARNER, Lesson, lessons

SENTENCES = 3  # of what happens next


@dataclass(frozen=True)
class Example:
    """What a clause means, in sentences."""

    says: str
    lesson: Lesson | None
    """Where it is seen, if a lesson names it."""
    step: int


@cache
def written(game: Game) -> dict[str, str]:
    """By clause: the game's own ``examples.md``."""
    path = game.folder / "examples.md"
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    found = clauses(text).items()
    return {number: " ".join(says.split()).removeprefix(f"**{number}** ") for number, says in found}


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
    """An example of a clause; None if the game has none and no lesson names it."""
    lesson, n = moments(game).get(clause, (None, 0))
    says = written(game).get(clause) or (told(lesson, n) if lesson else "")
    return Example(says, lesson, n) if says else None


def told(lesson: Lesson, n: int) -> str:
    """What the teacher says at a step, and what happens then if something is chosen there."""
    here = lesson.steps[n]
    says = filled(here.says, lesson.position(here.at))
    return f"{says} {story(lesson, n)}" if lesson.wanted(n) is not None else says


def story(lesson: Lesson, n: int) -> str:
    """What happens from a step to the next, as the learner hears it."""
    first, last = lesson.steps[n].at, lesson.steps[n + 1].at
    there = lesson.position(last)
    heard = Teller(there).hear(there, LEARNER, last - first) if last > first else []
    told = [sentence for one in heard for sentence in (one.prose, *one.news) if sentence]
    return " ".join(told[:SENTENCES])
