"""Chance at a table: the operating system's random numbers."""

import os
import random

BLOCK = 4096  # bytes fetched at once: asking the system for each die costs more than the rules do


class Dice(random.SystemRandom):
    """As `random.SystemRandom`, but it fetches many bytes at once; each is used once."""

    def __init__(self) -> None:
        """No bytes are fetched yet."""
        super().__init__()
        self.store = b""
        self.used = 0

    def getrandbits(self, k: int) -> int:
        """A number of k random bits."""
        size = (k + 7) // 8
        if self.used + size > len(self.store):
            self.store, self.used = os.urandom(max(BLOCK, size)), 0
        taken = self.store[self.used : self.used + size]
        self.used += size
        return int.from_bytes(taken) >> (8 * size - k)
