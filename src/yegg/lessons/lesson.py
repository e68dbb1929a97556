"""A lesson: a record whose comment lines are what the teacher says.

docs/add-a-game.md describes the format.  The learner is seat 1.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

from yegg import games
from yegg.engine import Game, Match
from yegg.engine.compiler import How
from yegg.engine.notation import BadRecord, read_file
from yegg.text.names import alike, cut

LEARNER = 0
READING, CHOOSING = 3.3, 3.0  # words a second, and seconds for a choice
KEYS = ("lesson", "play", "says", "look", "clause", "or", "also", "see", "else", "dare")
LINE = re.compile(r"# (lesson|play|says|look|clause|else|dare|(?:or|also|see) [^:]+): ?(.*)")
MORE = "#   "
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
class Lesson:
    """A lesson: a record, and the steps at places of it.

    The record itself is only read, and checked, once somebody needs its `match`.
    """

    path: Path
    title: str
    events: list[str]
    """Its lines, ``1 thorough``."""
    steps: list[Step]
    """In their order; the last one stands after the last event, if without words."""
    play: list[str]
    """The bots that one may play against once it is done."""
    known: dict[int, Match] = field(default_factory=dict)
    """Positions that were asked for, by the number of events."""
    how: How = "plain"

    @property
    def key(self) -> str:
        """The lesson's name in addresses and commands, ``1-one-house``."""
        return self.path.stem

    @property
    def number(self) -> int:
        """Its place among the game's lessons."""
        return int(self.key.partition("-")[0])

    @cached_property
    def match(self) -> Match:
        """The game that is played in it.  Raises BadRecord."""
        return read_file(self.path, games.find, self.how)

    def by(self, how: How) -> None:
        """Play it by these rules from now on: the compiled ones are faster, once they are there."""
        if how != self.how:
            self.how = how
            self.known.clear()
            self.__dict__.pop("match", None)

    @property
    def game(self) -> Game:
        """The game that it teaches."""
        return self.match.game

    @cached_property
    def texts(self) -> list[str]:
        """Every event in the words of the record."""
        return [event.partition(" ")[2] for event in self.events]

    def called(self, you: str) -> list[str]:
        """Everybody's names: the learner's own, if there is one."""
        names = list(self.match.names)
        if you:
            twice = alike(you, [name for i, name in enumerate(names) if i != LEARNER])
            names[LEARNER] = f"{cut(you, 34)} (you)" if twice else you
        return names

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

    def position(self, at: int) -> Match:
        """The game after so many events, to be played on."""
        if at not in self.known:
            self.known[at] = self.match.again()
            self.known[at].follow(self.match.history[:at])
        return self.known[at].fork()

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
    for at, number, key, text in spoken(path, events):
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


def spoken(path: Path, events: list[str]) -> Iterator[tuple[int, int, str, str]]:
    """The comment lines: events before it, line number, key, text with its continuations.

    The lines of the events are added to ``events``.
    """
    comment: tuple[int, int, str, str] | None = None
    in_head = True
    for number, line in enumerate(path.read_text(encoding="utf-8-sig").splitlines(), 1):
        if line.startswith(MORE) and comment:
            comment = (*comment[:3], f"{comment[3]} {line[len(MORE) :].strip()}".strip())
            continue
        if comment:
            yield comment
        comment = None
        if line.startswith("#"):
            known = LINE.fullmatch(line)
            if not known:
                why = f"a lesson's comments begin with {', '.join(f'# {key}' for key in KEYS)}"
                raise BadRecord(str(path), number, f"{why}, and end with ': …'; not {line!r}")
            comment = len(events), number, known[1], known[2].strip()
        elif in_head:
            in_head = line != ""
        elif not line.startswith("? "):
            events.append(line)
    if comment:
        yield comment


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
