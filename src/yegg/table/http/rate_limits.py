"""How much one address may ask for: a bucket that fills with time, and streams at once."""

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from yegg.table.refusals import HttpRefusal

MANY = 50_000  # buckets; then the full ones are forgotten


class Buckets:
    """``rate`` a second on the average, ``burst`` at once."""

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
    """How many streams are open, by whose they are; ``most`` at once."""

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
        """One of them, while it is open."""
        self.now[who] += 1
        try:
            yield
        finally:
            self.now[who] -= 1
            if not self.now[who]:
                del self.now[who]


class Limits:
    """What is limited, each by itself."""

    def __init__(self, *, on: bool) -> None:
        """Off for the bench."""
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
