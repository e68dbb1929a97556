"""Who is there: whose pages are open, and who keeps the others waiting but has long been away."""

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from .state import TableState

PATIENCE = 180.0  # seconds


class Presence:
    """A person is there while a stream of theirs is open, and whenever they ask for something."""

    def __init__(self) -> None:
        """Nobody has been heard of; so everybody's time begins now."""
        self.patience = PATIENCE
        self.streams: Counter[str] = Counter()
        self.met: dict[str, float] = {}
        self.begun = time.monotonic()
        self.turns: dict[int, float] = {}  # since when a seat is to act
        self.away: frozenset[int] = frozenset()
        """Seats whose owners are away though it is their turn."""

    def heard(self, person: str) -> None:
        """Somebody has asked for something."""
        self.met[person] = time.monotonic()

    @contextmanager
    def watching(self, person: str | None) -> Iterator[None]:
        """A stream of somebody's, while it is open."""
        if person is None:
            yield
            return
        self.streams[person] += 1
        self.heard(person)
        try:
            yield
        finally:
            self.streams[person] -= 1
            self.heard(person)

    def look(self, now: TableState) -> bool:
        """Look who is away; whether that has changed."""
        clock, before = time.monotonic(), self.away
        self.turns = {seat: self.turns.get(seat, clock) for seat in now.waited_for()}
        self.away = frozenset(seat for seat in self.turns if self._gone(now, seat, clock))
        return self.away != before

    def _gone(self, now: TableState, seat: int, clock: float) -> bool:
        place = now.seats[seat]
        if place.person is None or place.bot or self.streams[place.person]:
            return False
        seen = max(self.begun, self.turns[seat], self.met.get(place.person, 0.0))
        return clock - seen >= self.patience
