"""Rate limits: token buckets for requests, and a maximum of open streams."""

import time
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager

from yegg.table.refusals import HttpRefusal

BUCKETS = ("opening", "asking", "drawing", "choosing", "arranging", "guessing", "writing")
SHARED = (*BUCKETS, "of_seat", "of_address")
ENOUGH = 10  # others are told of whoever takes more than a tenth of the rate
MANY = 50_000  # buckets; beyond that, the full ones are forgotten


class Buckets:
    """Token buckets: ``rate`` requests a second on average, ``burst`` at once."""

    def __init__(self, rate: float, burst: float) -> None:
        """Everybody begins with a full bucket."""
        self.rate, self.burst = rate, burst
        self.left: dict[str, tuple[float, float]] = {}
        self.untold: Counter[str] | None = None
        """How often who has taken one, until other processes are told; None if there are none."""

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
        if self.untold is not None:
            self.untold[who] += 1

    def updates(self, *, everything: bool) -> Iterator[str]:  # noqa: ARG002  what was told is told
        """Who has taken so many since the last time that other processes must know."""
        taken, self.untold = self.untold, Counter()
        for who, many in (taken or {}).items():
            if many > self.rate / ENOUGH:
                yield f"{who} {many}"

    def hear(self, _process: str, who: str, many: int) -> None:
        """Somebody has taken so many at another process."""
        now = time.monotonic()
        level, then = self.left.get(who, (self.burst, now))
        level = min(self.burst, level + (now - then) * self.rate)
        self.left[who] = max(level - many, -self.burst), now


class Open:
    """Limits of open streams by owner; each owner may have ``most`` at once."""

    def __init__(self, most: int, whose: str) -> None:
        """``whose``: as in "of this seat"."""
        self.most, self.whose = most, whose
        self.now: Counter[str] = Counter()
        self.reported: dict[str, int] = {}
        self.elsewhere: dict[str, dict[str, int]] = {}  # by owner and process

    def take(self, who: str) -> None:
        """Raises HttpRefusal 429 if no more may be opened."""
        if self.now[who] + sum(self.elsewhere.get(who, {}).values()) >= self.most:
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

    def updates(self, *, everything: bool) -> Iterator[str]:
        """How many are open here, of all owners, or of those where that has changed."""
        before, self.reported = self.reported, dict(self.now)
        for who in {**before, **self.reported}:
            many = self.reported.get(who, 0)
            if everything or many != before.get(who, 0):
                yield f"{who} {many}"

    def hear(self, process: str, who: str, many: int) -> None:
        """So many are open at another process."""
        there = self.elsewhere.setdefault(who, {})
        there[process] = many
        if not many:
            del there[process]
        if not there:
            del self.elsewhere[who]

    def alive(self, processes: Collection[str]) -> None:
        """Nothing is open at other processes."""
        for who, there in list(self.elsewhere.items()):
            for process in [one for one in there if one not in processes]:
                self.hear(process, who, 0)


class Limits:
    """All limits of a server.  What its processes take together counts, a second later."""

    def __init__(self, *, on: bool) -> None:
        """``on``: False only for measuring."""
        self.on = on
        self.opening = Buckets(0.5, 20)  # tables, by address
        self.asking = Buckets(50, 400)  # lists, seats and streams, by address
        self.drawing = Buckets(20, 400)  # tables as they were, and lessons: played anew, by address
        self.choosing = Buckets(20, 60)  # whatever is done from a seat, by seat
        self.arranging = Buckets(0.2, 20)  # names, pauses and the like, by seat: all are told
        self.guessing = Buckets(1 / 30, 10)  # codes that take a device over, by address
        self.writing = Buckets(1 / 600, 4)  # letters that somebody asks for, by whom and to whom
        self.of_seat = Open(8, "of this seat")
        self.of_address = Open(128, "from your address")

    def take(self, bucket: Buckets | Open, who: str) -> None:
        """Take one, unless there are no limits."""
        if self.on:
            bucket.take(who)

    # With other processes

    def share(self) -> None:
        """Begin to note what other processes must know."""
        for name in BUCKETS:
            getattr(self, name).untold = Counter()

    def updates(self, _second: int, *, everything: bool) -> Iterator[str]:
        """Which limit, whose, and how much."""
        for name in SHARED:
            for line in getattr(self, name).updates(everything=everything):
                yield f"{name} {line}"

    def hear(self, process: str, said: Sequence[str]) -> None:
        """Add what another process has counted."""
        name, who, many = said
        if name in SHARED:
            getattr(self, name).hear(process, who, int(many))

    def alive(self, processes: Collection[str]) -> None:
        """Which processes are alive now."""
        self.of_seat.alive(processes)
        self.of_address.alive(processes)
