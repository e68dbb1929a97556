"""How much one address may ask for: a bucket that fills with time."""

import time

from .refusals import Refusal

MANY = 50_000  # buckets; then the full ones are forgotten


class Buckets:
    """``rate`` a second on the average, ``burst`` at once."""

    def __init__(self, rate: float, burst: float) -> None:
        """Everybody begins with a full bucket."""
        self.rate, self.burst = rate, burst
        self.left: dict[str, tuple[float, float]] = {}

    def take(self, who: str) -> None:
        """Take one.  Raises Refusal 429 from an empty bucket."""
        now = time.monotonic()
        level, then = self.left.get(who, (self.burst, now))
        level = min(self.burst, level + (now - then) * self.rate)
        if level < 1:
            wait = max(1, round((1 - level) / self.rate))
            raise Refusal(429, f"too much at once; again in {wait} s", after=wait)
        if len(self.left) > MANY:
            full = self.burst / self.rate
            self.left = {k: v for k, v in self.left.items() if now - v[1] < full}
        self.left[who] = level - 1, now


class Limits:
    """What is limited, each by itself."""

    def __init__(self, *, on: bool) -> None:
        """Off for the bench."""
        self.on = on
        self.opening = Buckets(0.5, 20)
        self.asking = Buckets(50, 400)
        self.choosing = Buckets(20, 60)

    def take(self, bucket: Buckets, who: str) -> None:
        """Take one, unless there are no limits."""
        if self.on:
            bucket.take(who)
