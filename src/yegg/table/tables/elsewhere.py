"""Who is at a table through other processes: they count as present here too."""

import time
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from .presence import Presence
from .seats import Seat

if TYPE_CHECKING:
    from .registry import Registry

EVERY = 5  # seconds between two reports about a table where nothing changes
STALE = 12.0  # seconds for which a report counts
ACTED = 3.0  # seconds for which somebody who acted through another process counts as watching


class Elsewhere:
    """How many watch a table through other processes."""

    def __init__(self) -> None:
        """Nobody."""
        self.told: dict[str, tuple[int, float]] = {}  # by process: how many, and until when

    def hear(self, process: str, watchers: int, seconds: float = STALE) -> None:
        """Note how many watch there."""
        self.told[process] = watchers, time.monotonic() + seconds

    @property
    def watchers(self) -> int:
        """How many watch now."""
        now = time.monotonic()
        return sum(many for many, until in self.told.values() if until > now)


class Here:
    """What this process reports of its tables, and hears of them from others."""

    def __init__(self, registry: "Registry") -> None:
        """``registry``: the tables of this process."""
        self.registry = registry
        self.reported: dict[int, int] = {}  # watchers, by game

    def told(self, second: int, *, everything: bool) -> Iterator[str]:
        """Each table's number, its watchers, and a bit for each seat whose owner is present."""
        for game, table in self.registry.by_number.items():
            watchers = len(table.watchers)
            due = everything or game % EVERY == second % EVERY
            if not due and watchers == self.reported.get(game, 0):
                continue
            present = bits(table.presence, table.now.seats)
            if watchers or present or self.reported.get(game):
                yield f"{game} {watchers} {present}"
            self.reported[game] = watchers
        if len(self.reported) > 2 * len(self.registry.by_number) + 100:
            self.reported = {g: n for g, n in self.reported.items() if n}

    def hear(self, process: str, said: Sequence[str]) -> None:
        """What another process reports of a table."""
        game, watchers, present = map(int, said)
        table = self.registry.by_number.get(game)
        if table is None:
            return
        table.elsewhere.hear(process, watchers)
        for seat, place in enumerate(table.now.seats):
            if place.person and present >> seat & 1:
                table.presence.heard_of(place.person)
        table.look_round()

    def alive(self, processes: Iterable[str]) -> None:
        """Nobody watches any more through a process that is not alive."""
        there = set(processes)
        for table in self.registry.by_number.values():
            table.elsewhere.told = {p: t for p, t in table.elsewhere.told.items() if p in there}


def bits(presence: Presence, seats: Sequence[Seat]) -> int:
    """A bit for each seat whose owner has a page open here, or has asked for something lately."""
    return sum(
        1 << seat
        for seat, place in enumerate(seats)
        if place.person and presence.lately(place.person, EVERY)
    )
