"""Presence: who is at a table, here or through other processes, and who is away in their turn."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import time_ns
from typing import NamedTuple

from yegg.table.domain.state import TableState
from yegg.table.settings import Settings

COUNTING = 2.0  # seconds at least between two counts of those who watch: each is a new view for all
EVERY = 5  # seconds between two reports about a table where nothing changes
STALE = 12.0  # seconds for which a report counts
ACTED = 3.0  # seconds for which somebody who acted through another process counts as watching
MARK = 8  # hexadecimal digits of a guest's name, by which processes know whom they both see
MARKED = 400  # guests of a table whose marks are told; they fit into one notice


class Guests(NamedTuple):
    """People who watch a table and have no seat."""

    strangers: int = 0
    """Streams of nobody in particular."""
    people: frozenset[str] = frozenset()

    def number(self) -> int:
        """How many they are."""
        return self.strangers + len(self.people)


NOBODY = Guests()


@dataclass
class Presence:
    """A person is present while a stream of theirs is open, and whenever they ask for something."""

    patience: float = Settings.patience
    streams: Counter[str] = field(default_factory=Counter)
    strangers: int = 0  # streams of nobody in particular
    guests: int = 0
    """How many watched who have no seat, when they were last counted."""
    counted: float = 0.0
    met: dict[str, float] = field(default_factory=dict)
    met_elsewhere: dict[str, float] = field(default_factory=dict)  # through other processes
    begun: float = field(default_factory=time.monotonic)
    turns: dict[int, float] = field(default_factory=dict)  # since when it is a seat's turn
    away: frozenset[int] = frozenset()
    """Seats whose owners are away though it is their turn."""
    held: frozenset[int] = frozenset()
    """Free seats that are still held for somebody."""

    def heard(self, person: str) -> None:
        """Note that somebody has asked for something."""
        self.met[person] = time.monotonic()

    def heard_of(self, person: str) -> None:
        """Note that somebody is present through another process."""
        self.met_elsewhere[person] = time.monotonic()

    def lately(self, person: str, seconds: float) -> bool:
        """Whether somebody has a stream open here, or has asked for something in these seconds."""
        met = self.met.get(person, 0.0)
        return self.streams[person] > 0 or time.monotonic() - met < seconds

    def anybody(self, now: TableState) -> bool:
        """Whether somebody who sits there has been seen lately, here or by another process."""
        people = [place.person for place in now.seats if place.person]
        late = time.monotonic() - self.patience
        elsewhere = any(self.met_elsewhere.get(person, 0.0) > late for person in people)
        return elsewhere or any(self.lately(person, self.patience) for person in people)

    @contextmanager
    def watching(self, person: str | None) -> Iterator[None]:
        """Count a person as present while a stream of theirs is open."""
        self._streams(person, 1)
        try:
            yield
        finally:
            self._streams(person, -1)

    def _streams(self, person: str | None, more: int) -> None:
        if person is None:
            self.strangers += more
        else:
            self.streams[person] += more
            self.heard(person)

    def look(self, now: TableState, count: Callable[[Guests], int] = Guests.number) -> bool:
        """Find out who is away or watches, and which seats are held; whether that has changed.

        ``count`` tells how many watch altogether, given those who do so through this process.
        """
        clock, before = time.monotonic(), (self.away, self.held, self.guests)
        self.turns = {seat: self.turns.get(seat, clock) for seat in now.waited_for()}
        self.away = frozenset(seat for seat in self.turns if self._gone(now, seat, clock))
        ms = time_ns() // 1_000_000
        self.held = frozenset(
            i for i, seat in enumerate(now.seats) if seat.kept_from(None, ms) and seat.free
        )
        if clock - self.counted >= COUNTING:
            self.counted, self.guests = clock, count(self.guests_here(now))
        return (self.away, self.held, self.guests) != before

    def guests_here(self, now: TableState) -> Guests:
        """Guests without a seat who watch through this process."""
        seated = {place.person for place in now.seats}
        people = frozenset(person for person, streams in self.streams.items() if streams)
        return Guests(self.strangers, people - seated)

    def _gone(self, now: TableState, seat: int, clock: float) -> bool:
        place = now.seats[seat]
        if place.person is None or place.bot or self.streams[place.person]:
            return False
        met = (meetings.get(place.person, 0.0) for meetings in (self.met, self.met_elsewhere))
        return clock - max(self.begun, self.turns[seat], *met) >= self.patience


# Through other processes


class Report(NamedTuple):
    """People who watch a table through another process."""

    watchers: int
    guests: Guests
    """Known by their marks only."""
    until: float
    """When this ceases to count."""


@dataclass
class RemotePresence:
    """People who watch a table through other processes."""

    told: dict[str, Report] = field(default_factory=dict)
    """By process."""

    def hear(
        self, process: str, watchers: int, seconds: float = STALE, guests: Guests = NOBODY
    ) -> None:
        """Note how many watch there, and who of them has no seat."""
        self.told[process] = Report(watchers, guests, time.monotonic() + seconds)

    @property
    def watchers(self) -> int:
        """How many watch now."""
        return sum(report.watchers for report in self._now())

    def guests(self, here: Guests) -> int:
        """How many watch altogether who have no seat; ``here``: through this process.

        Whoever does so through several processes counts once.
        """
        reports = [report.guests for report in self._now()]
        strangers = sum(guests.strangers for guests in reports)
        marks = set(map(marked, here.people)).union(*(guests.people for guests in reports))
        return here.strangers + strangers + len(marks)

    def _now(self) -> Iterator[Report]:
        now = time.monotonic()
        return (report for report in self.told.values() if report.until > now)


def marked(person: str) -> str:
    """A person's mark, which says nothing of them."""
    return person[:MARK]
