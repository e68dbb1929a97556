"""Counters of very many games, packed into few bytes."""

from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

BYTE = 256
KINDS = (np.int8, np.uint8, np.int16, np.uint16, np.int32)


def small(values: NDArray[Any]) -> NDArray[Any]:
    """Integers as an array of the smallest type that holds the largest of them."""
    if not values.size:
        return values
    least, most = values.min(), values.max()
    for kind in KINDS:
        limits = np.iinfo(kind)
        if limits.min <= least and most <= limits.max:
            return values.astype(kind, copy=False)
    return values


class Held:
    """Integers of many games, packed into as few bits as the largest of them needs."""

    def __init__(self, values: NDArray[Any]) -> None:
        """Those from 0 to 255 are held bit by bit, eight games in a byte; others as they are."""
        self.many = len(values)
        self.whole: NDArray[Any] | None = None
        self.bits: list[NDArray[np.uint8]] = []
        if values.size and not 0 <= values.min() <= values.max() < BYTE:
            self.whole = small(values)
            return
        for place in range(int(values.max(initial=0)).bit_length()):
            self.bits.append(np.packbits((values >> place & 1).astype(bool)))

    def read(self) -> NDArray[Any]:
        """The integers, in as few bytes as they need."""
        if self.whole is not None:
            return self.whole
        values = np.zeros(self.many, np.uint8)
        for place, held in enumerate(self.bits):
            values |= np.unpackbits(held, count=self.many) << place
        return values


class Counters:
    """Reads as an int32 array (games, counters); holds each counter in as few bits as it needs.

    A game has up to 200 counters, and most of them are small.
    """

    def __init__(self, columns: Sequence[Sequence[Held]]) -> None:
        """Of each counter what is held, of some games after others."""
        self.columns = columns

    @classmethod
    def of(cls, counts: NDArray[np.int32]) -> "Counters":
        """The same as an array (games, counters)."""
        return cls([[Held(column)] for column in counts.T])

    @classmethod
    def joined(cls, parts: "Sequence[Counters]") -> "Counters":
        """All games of the parts."""
        columns = zip(*(part.columns for part in parts), strict=True)
        return cls([list(chain.from_iterable(column)) for column in columns])

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:  # noqa: FBT001
        every = [np.concatenate([held.read() for held in column]) for column in self.columns]
        table = np.stack(every, axis=1) if every else np.zeros((0, 0))
        return table.astype(dtype or np.int32)
