"""What is written together, and what other processes are told of it."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa

from .database import Row
from .schema import EVENT, TURN, events, games, sittings

TURNS = frozenset(TURN)
CARRIED = 2000  # bytes of events that others are told; longer ones they read


class Carried(NamedTuple):
    """An event at which nobody sat down, with the columns of `EVENTS`, as others are told of it."""

    number: int
    actor: int
    choice: int
    at: int
    words: str | None
    name: None = None
    person: None = None
    bot: None = None


TELL = msgspec.json.Encoder().encode
HEAR = msgspec.json.Decoder(list[Carried]).decode


class Change(NamedTuple):
    """What the lobby shows of a game, and how it ended: written with the events it follows from."""

    game: int
    values: Mapping[str, Any]
    """By column of `games`; those of `TURN` come together."""


Tell = Callable[[str], None]
"""Takes a line that all processes are told once the change is on disk."""


@dataclass(frozen=True)
class Write:
    """Rows that are written together: all of them, or none."""

    rows: tuple[tuple[sa.Table, Row], ...] = ()
    change: Change | None = None
    work: Callable[[sa.Connection, Tell], Any] | None = None
    """Something else that is done in the same transaction; what it returns is the answer."""

    @property
    def plain(self) -> bool:
        """Whether there are only events, and for whom a game waits now: so are nearly all."""
        return (
            self.work is None
            and (self.change is None or self.change.values.keys() == TURNS)
            and all(table is events for table, _ in self.rows)
        )

    def happened(self) -> Iterable[tuple[Any, ...]]:
        """Of a plain one, the events."""
        return (tuple(row.get(name) for name in EVENT) for _, row in self.rows)

    def turn(self) -> Iterable[tuple[Any, ...]]:
        """Of a plain one, the game and the columns of `TURN`, if it waits for somebody else now."""
        if self.change:
            game, values = self.change
            yield game, *map(values.__getitem__, TURN)

    def news(self) -> Iterable[str]:
        """What others are told: each game, its newest event, whether a bot's turn began, events.

        Nobody who has followed so far needs to read them.  Where somebody sat down, or where they
        are long, there are none.
        """
        plain, bots = dict[int, list[Carried]](), dict[int, bool]()
        seated = {row["game"] for table, row in self.rows if table is sittings}
        for table, row in self.rows:
            if table is events:
                what = Carried(
                    row["number"], row["actor"], row["choice"], row["at"], row.get("words")
                )
                plain.setdefault(row["game"], []).append(what)
            elif table is games:
                bots[row["id"]] = bool(row.get("bots_turn"))
        if self.change:
            bots[self.change.game] = bool(self.change.values.get("bots_turn"))
        for game, made in plain.items():
            text = b"" if game in seated else TELL(made)
            line = f"{game} {made[-1].number} {bots.get(game, False):d}"
            yield f"{line} {text.decode()}" if 0 < len(text) <= CARRIED else line


def alike(group: Iterable[Write]) -> Iterable[list[Row]]:
    """The changes of a group, those of the same columns together; each game has one at most."""
    found: dict[tuple[str, ...], list[Row]] = {}
    for write in group:
        if write.change:
            game, values = write.change
            found.setdefault(tuple(sorted(values)), []).append({"of": game, **values})
    return found.values()
