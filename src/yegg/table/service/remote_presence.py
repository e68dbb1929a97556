"""Who is at a table through other processes: they count as present here too."""

import time
from collections.abc import Iterator
from typing import NamedTuple

from .presence import Guests

EVERY = 5  # seconds between two reports about a table where nothing changes
STALE = 12.0  # seconds for which a report counts
ACTED = 3.0  # seconds for which somebody who acted through another process counts as watching
MARK = 8  # hexadecimal digits of a guest's name, by which processes know whom they both see
MARKED = 400  # guests of a table whose marks are told; they fit into one notice
NOBODY = Guests()


class Report(NamedTuple):
    """Who watches a table through another process."""

    watchers: int
    guests: Guests
    """Known by their marks only."""
    until: float
    """When this ceases to count."""


class Elsewhere:
    """Who watches a table through other processes."""

    def __init__(self) -> None:
        """Nobody."""
        self.told: dict[str, Report] = {}
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
        strangers = sum(one.strangers for one in reports)
        marks = {marked(one) for one in here.people}.union(*(one.people for one in reports))
        return here.strangers + strangers + len(marks)

    def _now(self) -> Iterator[Report]:
        now = time.monotonic()
        return (report for report in self.told.values() if report.until > now)


def marked(person: str) -> str:
    """A person's mark, which says nothing of them."""
    return person[:MARK]
