"""A lesson: a record whose comment lines are what the teacher says.

docs/add-a-game.md describes the format.  The learner is seat 1.
"""

import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from yegg.engine import Game
from yegg.engine.notation import BadRecord

from .record import AnnotatedRecord, comments

LEARNER = 0
READING, CHOOSING = 3.3, 3.0  # words a second, and seconds for a choice
KEYS = ("lesson", "play", "says", "look", "clause", "or", "also", "see", "else", "dare")
LINE = re.compile(r"# (lesson|play|says|look|clause|else|dare|(?:or|also|see) [^:]+): ?(.*)")
KNOWN = ", ".join(f"# {key}" for key in KEYS)
OTHERWISE = f"a lesson's comments begin with {KNOWN}, and end with ': …'"
FILE = re.compile(r"(\d+)-[a-z0-9-]+")


@dataclass
class Step:
    """A step of a lesson: the teacher's words at one place, and replies to choices there."""

    at: int
    """How many events come before."""
    line: int
    """Where it begins in the file."""
    says: str = ""
    look: list[str] = field(default_factory=list)
    """What is ringed: choices in the record's words, or ``#id`` of the face."""
    clauses: list[str] = field(default_factory=list)
    replies: dict[str, str] = field(default_factory=dict)
    """What is said to other choices; they may be illegal ones."""
    also: dict[str, str] = field(default_factory=dict)
    """What is said to choices that are as good."""
    see: dict[str, list[str]] = field(default_factory=dict)
    """How it would have gone after a choice: events as in a record."""
    otherwise: str = ""
    """What is said to all choices that are not named."""
    dare: float = 0.0
    """Up to how much of the win the choice may cost that is taught here."""


@dataclass(eq=False)
class Lesson(AnnotatedRecord):
    """A lesson: a record, and the steps at places of it."""

    steps: list[Step]
    """In their order; the last one stands after the last event, if without words."""
    play: list[str]
    """The bots that one may play against once it is done."""

    def wanted(self, n: int, at: int | None = None) -> str | None:
        """The choice that step ``n`` waits for; None: only to be told to go on.

        ``at``: what it waits for when the learner has come to this place.
        """
        place = self.steps[n].at
        last = all(step.at > place for step in self.steps[n + 1 :])
        at = place if at is None else at
        own = at < len(self.events) and self.events[at].startswith(f"{LEARNER + 1} ")
        return self.texts[at] if own and last else None

    def onward(self, at: int) -> int:
        """The first step at a place or after it."""
        return next(n for n, step in enumerate(self.steps) if step.at >= at)

    @property
    def words(self) -> int:
        """How many words the teacher says to somebody who always does what is asked."""
        return sum(len(step.says.split()) for step in self.steps)

    @property
    def seconds(self) -> float:
        """How long the lesson takes a reader of usual speed."""
        choices = sum(self.wanted(n) is not None for n in range(len(self.steps)))
        return self.words / READING + choices * CHOOSING


def read(path: Path) -> Lesson:
    """Read a lesson and check its record.  Raises BadRecord at the first line that is wrong."""
    lesson = outlined(path)
    assert lesson.match.history  # noqa: S101  it has been read
    return lesson


def outlined(path: Path) -> Lesson:
    """The steps of a lesson before its events are checked.  Raises BadRecord."""
    events: list[str] = []
    head: dict[str, str] = {}
    steps: list[Step] = []
    for at, number, key, text in comments(path, events, LINE, OTHERWISE):
        try:
            if key in ("lesson", "play"):
                once(head, key, text)
            elif key == "says":
                steps.append(Step(at, number, text))
            elif not steps or steps[-1].at != at:
                raise ValueError(f"{key!r} needs a line '# says: …' before it")
            else:
                add(steps[-1], key, text)
        except ValueError as wrong:
            raise BadRecord(str(path), number, str(wrong)) from None
    if "lesson" not in head:
        raise BadRecord(str(path), 1, "a lesson has a line '# lesson: TITLE'")
    if not steps:
        raise BadRecord(str(path), 1, "a lesson has at least one line '# says: …'")
    if steps[-1].at < len(events):
        steps.append(Step(len(events), 0))
    bots = [bot.strip() for bot in head.get("play", "").split(",") if bot.strip()]
    return Lesson(path, head["lesson"], events, steps, bots)


def add(step: Step, key: str, text: str) -> None:
    """Add a line to a step.  Raises ValueError."""
    kind, _, choice = key.partition(" ")
    if kind == "look":
        step.look.append(text)
    elif kind == "clause":
        step.clauses += text.split()
    elif kind == "see":
        if choice in step.see:
            raise ValueError(f"a second line {key!r}")
        step.see[choice] = [event for event in text.split(" | ") if event]
    elif kind in ("or", "also"):
        once(step.replies if kind == "or" else step.also, choice, text)
    elif kind == "dare":
        step.dare = share(text)
    elif step.otherwise:
        raise ValueError("a second line 'else'")
    else:
        step.otherwise = text


def share(text: str) -> float:
    """A share written as a percentage, ``3 %``.  Raises ValueError."""
    number = text.removesuffix("%").strip()
    if not re.fullmatch(r"\d+(\.\d+)?", number):
        raise ValueError(f"a share is written as in '3 %', not {text!r}")
    return float(number) / 100


def once(into: dict[str, str], key: str, text: str) -> None:
    """Note something that may be said once.  Raises ValueError."""
    if key in into:
        raise ValueError(f"a second line for {key!r}")
    into[key] = text


@cache
def lessons(game: Game) -> list[Lesson]:
    """A game's lessons, in their order.  Raises BadRecord."""
    paths = list((game.folder / "lessons").glob("*.lesson"))
    for path in paths:
        if not FILE.fullmatch(path.stem):
            raise BadRecord(str(path), 1, "a lesson's file is called NUMBER-NAME.lesson")
    return sorted(map(outlined, paths), key=lambda lesson: lesson.number)


def minutes(taught: list[Lesson]) -> int:
    """How many minutes these lessons take together, at least one."""
    return max(1, round(sum(lesson.seconds for lesson in taught) / 60))
