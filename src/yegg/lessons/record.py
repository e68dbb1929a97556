"""Records with comment lines: what lessons and puzzles have in common."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from yegg import games
from yegg.engine import Game, Match
from yegg.engine.compiler import How
from yegg.engine.notation import BadRecord, read_file
from yegg.text.names import alike, cut

MORE = "#   "


@dataclass(eq=False)
class AnnotatedRecord:
    """A record whose comment lines say more than what happened.

    The record itself is only read, and checked, once somebody needs its `match`.
    """

    path: Path
    title: str
    events: list[str]
    """Its lines, ``1 thorough``."""
    known: dict[int, Match] = field(default_factory=dict, init=False)
    """Positions that were asked for, by the number of events."""
    how: How = field(default="plain", init=False)

    @property
    def key(self) -> str:
        """Its name in addresses and commands, ``1-one-house``."""
        return self.path.stem

    @property
    def number(self) -> int:
        """Its place among the game's records of this kind."""
        return int(self.key.partition("-")[0])

    @property
    def seat(self) -> int:
        """The seat of whoever reads it, from 0."""
        return 0

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
        """The game that it is of."""
        return self.match.game

    @cached_property
    def texts(self) -> list[str]:
        """Every event in the words of the record."""
        return [event.partition(" ")[2] for event in self.events]

    def called(self, you: str) -> list[str]:
        """Everybody's names: the reader's own, if there is one."""
        names = list(self.match.names)
        if you:
            twice = alike(you, [name for i, name in enumerate(names) if i != self.seat])
            names[self.seat] = f"{cut(you, 34)} (you)" if twice else you
        return names

    def position(self, at: int) -> Match:
        """The game after so many events, to be played on."""
        known = self.known.get(at)
        if known is None:  # other threads may ask meanwhile: only a whole position is kept
            known = self.match.again()
            known.follow(self.match.history[:at])
            self.known[at] = known
        return known.fork()


class Comment(NamedTuple):
    """A comment line with its continuations."""

    at: int
    """How many events come before."""
    line: int
    key: str
    text: str


def comments(
    path: Path, events: list[str], line_of: re.Pattern[str], otherwise: str
) -> Iterator[Comment]:
    """The comment lines, each of which matches ``line_of``: its key, and its text.

    The lines of the events are added to ``events``.  ``otherwise`` is what is said of other
    comments.  Raises BadRecord.
    """
    comment: Comment | None = None
    in_head = True
    for number, line in enumerate(path.read_text(encoding="utf-8-sig").splitlines(), 1):
        if line.startswith(MORE) and comment:
            text = f"{comment.text} {line[len(MORE) :].strip()}".strip()
            comment = comment._replace(text=text)
            continue
        if comment:
            yield comment
        comment = None
        if line.startswith("#"):
            known = line_of.fullmatch(line)
            if not known:
                raise BadRecord(str(path), number, f"{otherwise}; not {line!r}")
            comment = Comment(len(events), number, known[1], known[2].strip())
        elif in_head:
            in_head = line != ""
        elif not line.startswith("? "):
            events.append(line)
    if comment:
        yield comment
