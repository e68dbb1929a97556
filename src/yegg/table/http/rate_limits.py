"""Rate limits: token buckets for requests, and a maximum of open streams."""

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from yegg.table.refusals import HttpRefusal

MANY = 50_000  # buckets; beyond that, the full ones are forgotten


class Buckets:
    """Token buckets: ``rate`` requests a second on average, ``burst`` at once."""

    def __init__(self, rate: float, burst: float) -> None:
        """Everybody begins with a full bucket."""
        self.rate, self.burst = rate, burst
        self.left: dict[str, tuple[float, float]] = {}

    def take(self, who: str) -> None:
        """Take one.  Raises HttpRefusal 429 from an empty bucket."""
        now = time.monotonic()
        level, then = self.left.get(who, (self.burst, now))
        level = min(self.burst, level + (now - then) * self.rate)
        if level < 1:
            wait = max(1, round((1 - level) / self.rate))
            raise HttpRefusal(429, f"too much at once; try again in {wait} s", after=wait)
        if len(self.left) > MANY:
            full = self.burst / self.rate
            self.left = {k: v for k, v in self.left.items() if now - v[1] < full}
        self.left[who] = level - 1, now


class Open:
    """Counts open streams by owner; each owner may have ``most`` at once."""

    def __init__(self, most: int, whose: str) -> None:
        """``whose``: as in "of this seat"."""
        self.most, self.whose = most, whose
        self.now: Counter[str] = Counter()

    def take(self, who: str) -> None:
        """Raises HttpRefusal 429 if no more may be opened."""
        if self.now[who] >= self.most:
            why = f"{self.most} streams {self.whose} are open already; close one of them"
            raise HttpRefusal(429, why, after=5)

    @contextmanager
    def one(self, who: str) -> Iterator[None]:
        """Count one stream while it is open."""
        self.now[who] += 1
        try:
            yield
        finally:
            self.now[who] -= 1
            if not self.now[who]:
                del self.now[who]


class Limits:
    """All limits of a server."""

    def __init__(self, *, on: bool) -> None:
        """``on``: False only for measuring."""
        self.on = on
        self.opening = Buckets(0.5, 20)  # tables, by address
        self.asking = Buckets(50, 400)  # lists, seats and streams, by address
        self.choosing = Buckets(20, 60)  # whatever is done from a seat, by seat
        self.of_seat = Open(8, "of this seat")
        self.of_address = Open(128, "from your address")

    def take(self, bucket: Buckets | Open, who: str) -> None:
        """Take one, unless there are no limits."""
        if self.on:
            bucket.take(who)
