"""Who is at a table through other processes: they count as present here too."""

import time
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from .phrases import PHRASES
from .presence import Presence
from .seats import Seat

if TYPE_CHECKING:
    from .registry import Registry

EVERY = 5  # seconds between two reports about a table where nothing changes
STALE = 12.0  # seconds for which a report counts
NOBODY = (0, 0)
ACTED = 3.0  # seconds for which somebody who acted through another process counts as watching


class Elsewhere:
    """How many watch a table through other processes."""

    def __init__(self) -> None:
        """Nobody."""
        self.told: dict[str, tuple[int, int, float]] = {}
        """By process: how many, how many of them have no seat, and until when that counts."""

    def hear(
        self, process: str, watchers: int, seconds: float = STALE, guests: int | None = None
    ) -> None:
        """Note how many watch there; ``guests``: who have no seat, if that was told."""
        if guests is None:
            guests = self.told.get(process, (0, 0, 0.0))[1]
        self.told[process] = watchers, guests, time.monotonic() + seconds

    @property
    def watchers(self) -> int:
        """How many watch now."""
        return sum(watchers for watchers, _ in self._now())

    def guests(self) -> int:
        """How many of them have no seat."""
        return sum(guests for _, guests in self._now())

    def _now(self) -> Iterator[tuple[int, int]]:
        now = time.monotonic()
        return ((watchers, guests) for watchers, guests, until in self.told.values() if until > now)


class Here:
    """What this process reports of its tables, and hears of them from others."""

    def __init__(self, registry: "Registry") -> None:
        """``registry``: the tables of this process."""
        self.registry = registry
        self.reported: dict[int, tuple[int, int]] = {}  # watchers and guests, by game

    def told(self, second: int, *, everything: bool) -> Iterator[str]:
        """Each table's number, its watchers, a bit for each seat whose owner is present, guests."""
        for game, table in self.registry.by_number.items():
            there = len(table.watchers), table.presence.strangers_here(table.now)
            due = everything or game % EVERY == second % EVERY
            if not due and there == self.reported.get(game, NOBODY):
                continue
            present = bits(table.presence, table.now.seats)
            if any(there) or present or any(self.reported.get(game, NOBODY)):
                yield f"{game} {there[0]} {present} {there[1]}"
            self.reported[game] = there
        if len(self.reported) > 2 * len(self.registry.by_number) + 100:
            self.reported = {g: n for g, n in self.reported.items() if any(n)}

    def hear(self, process: str, said: Sequence[str]) -> None:
        """What another process reports of a table."""
        game, watchers, present, *guests = map(int, said)  # older processes tell no guests
        table = self.registry.by_number.get(game)
        if table is None:
            return
        table.elsewhere.hear(process, watchers, guests=sum(guests))
        for seat, place in enumerate(table.now.seats):
            if place.person and present >> seat & 1:
                table.presence.heard_of(place.person)
        table.look_round()

    def alive(self, processes: Iterable[str]) -> None:
        """Nobody watches any more through a process that is not alive."""
        there = set(processes)
        for table in self.registry.by_number.values():
            table.elsewhere.told = {p: t for p, t in table.elsewhere.told.items() if p in there}


class Said:
    """What people say across a table, from one process to the others, at once."""

    def __init__(self, registry: "Registry") -> None:
        """``registry``: the tables of this process."""
        self.registry = registry

    def told(self, _second: int, *, everything: bool) -> Iterator[str]:  # noqa: ARG002  as all do
        """Nothing: a phrase does not wait for the next sign of life."""
        yield from ()

    def hear(self, _process: str, said: Sequence[str]) -> None:
        """Somebody has said something through another process."""
        game, seat, phrase = map(int, said)
        table = self.registry.by_number.get(game)
        if table and 0 <= seat < len(table.now.seats) and 1 <= phrase <= len(PHRASES):
            table.phrases.heard(seat, phrase)
            table.wake()

    def alive(self, _processes: Iterable[str]) -> None:
        """What was said was said."""


def bits(presence: Presence, seats: Sequence[Seat]) -> int:
    """A bit for each seat whose owner has a page open here, or has asked for something lately."""
    return sum(
        1 << seat
        for seat, place in enumerate(seats)
        if place.person and presence.lately(place.person, EVERY)
    )
