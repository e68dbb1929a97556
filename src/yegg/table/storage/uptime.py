"""What time it is by the database's clock, and when no process of the house was running.

Every process gives a sign of life again and again.  If the last one of all processes is too long
ago, the house was closed between it and the next: nobody could play, and nobody's time counts.
"""

import time
from typing import NamedTuple

import sqlalchemy as sa

from .schema import closed

SHUT = sa.text(
    "INSERT INTO closed (since, until) SELECT open_at, CAST(:now AS BIGINT) FROM house"
    " WHERE open_at < CAST(:now AS BIGINT) - :silent ON CONFLICT DO NOTHING"
)
OPEN = sa.text("UPDATE house SET open_at = :now WHERE coalesce(open_at, 0) < :now")
LATER = (
    sa.select(closed.c.since, closed.c.until)
    .where(closed.c.since > sa.bindparam("known"))
    .order_by(closed.c.since)
)


class Sign(NamedTuple):
    """What a process learns when it gives a sign of life."""

    ahead: int
    """How many milliseconds the database's clock is ahead of this machine's."""
    at: int
    """When it was, by the database's clock."""
    closures: list[tuple[int, int]]
    """When the house was closed, as far as the process did not know it."""


class Hours:
    """The time by the database's clock, and all closures so far."""

    def __init__(self) -> None:
        """Nothing is known yet."""
        self.ahead = 0
        self.seen = 0
        self.closed: tuple[tuple[int, int], ...] = ()

    def now(self) -> int:
        """Milliseconds since 1970, not before the end of the last closure."""
        at = here() + self.ahead
        return max(at, self.closed[-1][1]) if self.closed else at

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
        return abs(here() + self.ahead - self.seen) < silent


def here() -> int:
    """Milliseconds since 1970 by this machine's clock."""
    return time.time_ns() // 1_000_000


def sign(connection: sa.Connection, clock: sa.TextClause | None, silent: int, known: int) -> Sign:
    """Give a sign of life; if nobody has for ``silent`` milliseconds, the house was closed.

    ``clock`` asks the database what time it is; None: this machine's clock counts.  Closures that
    began up to ``known`` are not told again.
    """
    before = here()
    now = before if clock is None else int(connection.scalar(clock) or 0)
    ahead = 0 if clock is None else now - (before + here()) // 2
    connection.execute(SHUT, {"now": now, "silent": silent})
    connection.execute(OPEN, {"now": now})
    found = connection.execute(LATER, {"known": known})
    return Sign(ahead, now, [(since, until) for since, until in found])
