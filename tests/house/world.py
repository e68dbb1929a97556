"""What the table's modules take from outside, drawn and told by a test: time, and chance."""

import base64
import random
import secrets
import sys
import time

from yegg.table.storage import uptime

BEGINS = 1_700_000_000_000  # milliseconds since 1970, when every evening begins


class World:
    """The time and the chance of a house; ``now`` in milliseconds since 1970."""

    def __init__(self):
        self.now, self.drawn = BEGINS, random.Random(0)
        self.before = []
        stands = {"time": (time, _Time(self))}
        stands |= {real.__name__: (real, _Chance(self, real)) for real in (random, secrets)}
        for name, module in list(sys.modules.items()):
            if name.startswith("yegg.table") and module:
                for word, (real, stand) in stands.items():
                    if vars(module).get(word) is real:
                        self.put(module, word, stand)
        self.put(uptime, "BEGUN", 0)

    def put(self, module, word, what):
        """Let a module have something else by a name."""
        self.before.append((module, word, getattr(module, word)))
        setattr(module, word, what)

    def close(self):
        """Let all modules be as they were."""
        while self.before:
            setattr(*self.before.pop())

    def begin(self, seed):
        """Draw anew, and let it be the same time as in every evening."""
        self.now, self.drawn = BEGINS, random.Random(f"world {seed}")


class _Time:
    """The module, by the world's clock."""

    def __init__(self, world):
        self.world = world

    def __getattr__(self, name):
        return getattr(time, name)

    def time(self):
        return self.world.now / 1000

    monotonic = perf_counter = time

    def clock_gettime_ns(self, _):
        return self.world.now * 1_000_000

    def sleep(self, seconds):
        """Nobody waits."""


class _Chance:
    """`random` and `secrets`, by the world's chance."""

    def __init__(self, world, real):
        self.world, self.real = world, real

    def __getattr__(self, name):
        drawn = getattr(self.world.drawn, name, None)
        return getattr(self.real, name) if drawn is None else drawn

    def SystemRandom(self):  # noqa: N802  as the module calls it
        return self.world.drawn

    def token_bytes(self, many=32):
        return self.world.drawn.randbytes(many)

    def token_hex(self, many=32):
        return self.token_bytes(many).hex()

    def token_urlsafe(self, many=32):
        return base64.urlsafe_b64encode(self.token_bytes(many)).rstrip(b"=").decode()

    def randbits(self, many):
        return self.world.drawn.getrandbits(many)

    def randbelow(self, below):
        return self.world.drawn.randrange(below)
