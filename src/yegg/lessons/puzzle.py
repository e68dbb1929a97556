"""Puzzles: records that end at a decision which somebody got wrong, and what it was worth.

docs/puzzles.md describes the format, and how they are found.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from yegg.engine import Game, Match
from yegg.engine.compiler import How
from yegg.engine.notation import BadRecord, write

from .record import AnnotatedRecord, Comment, comments

FOLDER, FILES = "puzzles", "*.puzzle"
HARDEST = 5
DIGITS = 3  # of a share of the win in a file
COSTLY = 0.08
"""So much of the win a mistake costs that is worth a question."""
ONCE = ("puzzle", "best", "next", "judged")
LINE = re.compile(rf"# ({'|'.join(ONCE)}|also|other|why [^:]+): ?(.*)")
OTHERWISE = (
    f"a puzzle's comments begin with {', '.join(f'# {key}' for key in ONCE)}, # also, # other or "
    "# why CHOICE, and end with ': …'"
)
FILE = re.compile(r"\d{4}")
SHARE = re.compile(r"[01]\.\d{1,4}")


class Worth(NamedTuple):
    """What a choice wins: a share of the win, with the interval of the thinking."""

    text: str
    """The choice in the words of the record."""
    value: float
    low: float
    high: float

    def __str__(self) -> str:
        shares = (f"{share:.{DIGITS}f}" for share in (self.value, self.low, self.high))
        return " ".join((self.text, *shares))


@dataclass(eq=False)
class Puzzle(AnnotatedRecord):
    """A decision, which choices are right there, and what each is worth."""

    difficulty: int
    """1 to `HARDEST`, as it was reckoned when it was found."""
    best: Worth
    also: list[Worth]
    """Choices that cannot be told apart from the best: they are right, too."""
    next: Worth
    """The best of those that can be told apart."""
    others: list[Worth]
    """All other choices."""
    why: dict[str, str]
    """By the text of a worse choice: what speaks for the best one, in the game's words."""
    judged: str
    """How it was judged, in words."""

    @property
    def seat(self) -> int:
        """The seat that has to decide."""
        return self.match.actor

    @property
    def worths(self) -> dict[str, Worth]:
        """What each choice is worth, by its text: the best first."""
        return {one.text: one for one in (self.best, *self.also, self.next, *self.others)}

    @property
    def right(self) -> list[str]:
        """The right choices, the best first."""
        return [one.text for one in (self.best, *self.also)]

    @property
    def decision(self) -> Match:
        """The position, to be played on."""
        return self.position(len(self.events))


def at_once(match: Match) -> bool:
    """Whether several choices are made at once here, in any order: no question of a puzzle."""
    free = match.game.voice.any_order
    return any(text.partition(" ")[0] in free for text in match.texts)


def written(
    match: Match,
    difficulty: int,
    right: Sequence[Worth],
    worse: Sequence[Worth],
    why: dict[str, str],
    judged: str,
) -> str:
    """The text of a puzzle: the record of ``match``, then what `read` needs.

    ``right`` are the best choice and those that cannot be told apart from it, ``worse`` all
    others; of each the best comes first.
    """
    lines = [f"# puzzle: {difficulty}", f"# best: {right[0]}"]
    lines += [f"# also: {one}" for one in right[1:]]
    for i, one in enumerate(worse):
        lines.append(f"# {'other' if i else 'next'}: {one}")
        if words := why.get(one.text):
            lines.append(f"# why {one.text}: {words}")
    lines.append(f"# judged: {judged}")
    return write(match) + "\n".join(lines) + "\n"


def read(path: Path, how: How = "plain") -> Puzzle:
    """Read a puzzle and check it against the rules.  Raises BadRecord at a line that is wrong."""
    puzzle, lines = _outlined(path)
    puzzle.by(how)
    match = puzzle.match
    if match.actor < 0 or len(match.choices) < 2:
        raise BadRecord(str(path), lines["puzzle"], "nobody has a choice where the record ends")
    if at_once(match):
        raise BadRecord(str(path), lines["puzzle"], "here several choices are made at once")
    legal, told = set(match.texts), set(puzzle.worths)
    for text in [*puzzle.worths, *puzzle.why]:
        if text not in legal:
            raise BadRecord(str(path), lines[text], f"{text!r} is not legal here")
    if missing := legal - told:
        first = min(missing)
        raise BadRecord(str(path), lines["puzzle"], f"nothing is said of the choice {first!r}")
    return puzzle


def outlined(path: Path) -> Puzzle:
    """A puzzle before its events are checked.  Raises BadRecord."""
    return _outlined(path)[0]


def _outlined(path: Path) -> tuple[Puzzle, dict[str, int]]:
    """A puzzle, and the line where each choice and each kind of line stands."""
    events: list[str] = []
    reading = _Reading(path)
    for comment in comments(path, events, LINE, OTHERWISE):
        reading.take(comment)
    return reading.puzzle(events), reading.lines


class _Reading:
    """The comment lines of a puzzle so far."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.said: dict[str, str] = {}
        self.worths: dict[str, list[Worth]] = {"best": [], "also": [], "next": [], "other": []}
        self.why: dict[str, str] = {}
        self.lines: dict[str, int] = {}

    def wrong(self, line: int, why: str) -> BadRecord:
        return BadRecord(str(self.path), line, why)

    def take(self, comment: Comment) -> None:
        """Take one line.  Raises BadRecord."""
        key, text = comment.key, comment.text
        kind, _, choice = key.partition(" ")
        if (kind in ONCE or kind == "why") and key in self.lines:
            raise self.wrong(comment.line, f"a second line {key!r}")
        self.lines.setdefault(key, comment.line)
        if kind == "why":
            self.why[choice] = text
            self.lines.setdefault(choice, comment.line)
        elif kind in self.worths:
            worth = self.worth(comment)
            if worth.text in (one.text for some in self.worths.values() for one in some):
                raise self.wrong(comment.line, f"a second line for the choice {worth.text!r}")
            self.lines[worth.text] = comment.line
            self.worths[kind].append(worth)
        else:
            self.said[kind] = text

    def worth(self, comment: Comment) -> Worth:
        """A choice with its chance and interval.  Raises BadRecord."""
        text, *figures = comment.text.rsplit(" ", 3)
        if len(figures) < 3 or not all(map(SHARE.fullmatch, figures)):
            how = "a choice, its chance, and the ends of its interval, as in 'stop 0.61 0.58 0.64'"
            raise self.wrong(comment.line, f"here stand {how}; not {comment.text!r}")
        value, low, high = map(float, figures)
        if not low <= value <= high:
            why = f"the chance {value} does not lie in its interval, {low} to {high}"
            raise self.wrong(comment.line, why)
        return Worth(text, value, low, high)

    def puzzle(self, events: list[str]) -> Puzzle:
        """The puzzle.  Raises BadRecord for what is missing, and where right and wrong overlap."""
        for key in ONCE:
            if key not in self.lines:
                raise self.wrong(1, f"a puzzle has a line '# {key}: …'")
        said = self.said["puzzle"]
        if not (said.isdecimal() and 1 <= int(said) <= HARDEST):
            why = f"a difficulty is a number from 1 to {HARDEST}, not {said!r}"
            raise self.wrong(self.lines["puzzle"], why)
        (best,), (following,) = self.worths["best"], self.worths["next"]
        for kind in ("also", "next", "other"):
            for worth in self.worths[kind]:
                if (worth.high >= best.low) != (kind == "also"):
                    overlaps = "does not overlap" if kind == "also" else "overlaps"
                    why = f"the interval of {worth.text!r} {overlaps} with that of the best choice"
                    raise self.wrong(self.lines[worth.text], why)
        also, others = self.worths["also"], self.worths["other"]
        judged = self.said["judged"]
        title = f"Puzzle {self.path.stem.lstrip('0')}"
        return Puzzle(
            self.path, title, events, int(said), best, also, following, others, self.why, judged
        )


@cache
def puzzles(game: Game) -> list[Puzzle]:
    """A game's puzzles, in their order; none where there are none.  Raises BadRecord."""
    paths = sorted((game.folder / FOLDER).glob(FILES))
    for path in paths:
        if not FILE.fullmatch(path.stem):
            raise BadRecord(str(path), 1, "a puzzle's file is called by four digits, 0001.puzzle")
    return [outlined(path) for path in paths]
