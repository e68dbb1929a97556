"""Uptime: the database's clock, signs of life, and when no process of the server was running.

Every process gives a sign of life again and again.  If the last one of all processes is too long
ago, the house was closed between it and the next: nobody could play, and nobody's time counts.
"""

import time
from dataclasses import dataclass
from typing import NamedTuple

import sqlalchemy as sa

from .schema import closed

LEAP = 3000  # milliseconds by which a clock that was only set right does not differ
SHUT = sa.text(
    "INSERT INTO closed (since, until) SELECT open_at, CAST(:now AS BIGINT) FROM house"
    " WHERE open_at < CAST(:now AS BIGINT) - :silent ON CONFLICT DO NOTHING"
)
LAST = sa.text("SELECT open_at FROM house")
OPEN = sa.text("UPDATE house SET open_at = :now WHERE coalesce(open_at, 0) < :now")
LATER = (
    sa.select(closed.c.since, closed.c.until)
    .where(closed.c.since > sa.bindparam("known"))
    .order_by(closed.c.since)
)


class Sign(NamedTuple):
    """The result of a sign of life: what a process learns by it."""

    ahead: int
    """How many milliseconds the database's clock is ahead of this machine's."""
    at: int
    """When it was, by the database's clock."""
    closures: list[tuple[int, int]]
    """When the house was closed, as far as the process did not know it."""


@dataclass
class Uptime:
    """The time by the database's clock, and all closures so far."""

    ahead: int = 0
    seen: int = 0
    closed: tuple[tuple[int, int], ...] = ()

    def now(self) -> int:
        """Milliseconds since 1970, not before the end of the last closure."""
        return max(self.read(), self.closed[-1][1]) if self.closed else self.read()

    def read(self) -> int:
        """What time it is by the last sign of life, in milliseconds since 1970."""
        return here() + self.ahead

    @property
    def known(self) -> int:
        """When the last closure began that is known here."""
        return self.closed[-1][0] if self.closed else -1

    def note(self, sign: Sign) -> None:
        """Note what a sign of life has told."""
        self.ahead = sign.ahead
        self.closed = (*self.closed, *(span for span in sign.closures if span[0] > self.known))

    def sure(self, sign: Sign) -> None:
        """From now on, and for a while, all closures are known here."""
        self.seen = max(self.seen, sign.at)

    def fresh(self, silent: int) -> bool:
        """Whether that was so in the last ``silent`` milliseconds, so that nothing is missed."""
        return abs(self.read() - self.seen) < silent


def _lasting() -> int:
    """Nanoseconds by a clock that nobody sets; where the system can, it counts sleep as well."""
    return time.clock_gettime_ns(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


BEGUN = time.time_ns() - _lasting()
"""What this machine's clock said when the process began, so far as it is not in `_lasting`."""


def here() -> int:
    """Milliseconds since 1970 by this machine's clock; it does not leap while the process lives."""
    return (BEGUN + _lasting()) // 1_000_000


def sign(
    connection: sa.Connection,
    clock: sa.TextClause | None,
    silent: int,
    hours: Uptime,
    *,
    company: bool = False,
) -> Sign:
    """Give a sign of life; if nobody has for ``silent`` milliseconds, the house was closed.

    ``clock`` asks the database what time it is; None: this machine's clock counts.  ``hours`` is
    what the process knows already.  ``company``: whether others live, if it knows nothing yet.
    """
    before, ahead = here(), 0
    if clock is not None:
        ahead = int(connection.scalar(clock) or 0) - (before + here()) // 2
        ahead = _steady(ahead, connection.scalar(LAST), hours, company=company)
    now = before + ahead
    connection.execute(SHUT, {"now": now, "silent": silent})
    connection.execute(OPEN, {"now": now})
    later = connection.execute(LATER, {"known": hours.known})
    return Sign(ahead, now, [(since, until) for since, until in later])


def _steady(ahead: int, last: int | None, hours: Uptime, *, company: bool) -> int:
    """How far the house's time is ahead of this machine's clock; the database's says ``ahead``.

    If that one leaps while the house is open, all go on by the time of its ``last`` sign of life.
    """
    if last is None or not (hours.seen or company):
        return ahead
    kept = hours.ahead if hours.seen else last - here()
    leapt = abs(ahead - kept) >= LEAP
    return kept if leapt and abs(here() + kept - last) < LEAP else ahead
