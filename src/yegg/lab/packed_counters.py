"""Counters of very many games, packed into few bytes."""

from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

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

    def __init__(
        self, columns: Sequence[Sequence[Held]], rows: NDArray[np.bool_] | None = None
    ) -> None:
        """Of each counter what is held, of some games after others; ``rows``: which there are."""
        self.columns = columns
        self._rows = rows

    @classmethod
    def of(cls, counts: NDArray[np.int32]) -> "Counters":
        """The same as an array (games, counters)."""
        return cls([[Held(column)] for column in counts.T])

    @classmethod
    def joined(cls, parts: "Sequence[Counters]") -> "Counters":
        """All games of the parts."""
        columns = zip(*(part.columns for part in parts), strict=True)
        return cls([list(chain.from_iterable(column)) for column in columns])

    def __len__(self) -> int:
        return len(self._narrow(0)) if self.columns else 0

    @property
    def shape(self) -> tuple[int, int]:
        """Games and counters."""
        return len(self), len(self.columns)

    def __getitem__(self, key: Any) -> Any:
        """``[:, k]`` is a counter, ``[:, a:b]`` are some, ``[games]`` are the counters of games."""
        if isinstance(key, np.ndarray) and key.dtype == bool and self._rows is None:
            return self if key.all() else Counters(self.columns, key)
        if isinstance(key, tuple) and isinstance(key[1], int | np.integer):
            return self._column(int(key[1]))[key[0]]
        if isinstance(key, tuple) and isinstance(key[1], slice):
            numbers = range(*key[1].indices(len(self.columns)))
            return np.stack([self._narrow(at) for at in numbers], axis=1)[key[0]]
        return np.asarray(self)[key]

    def _narrow(self, at: int) -> NDArray[Any]:
        column = np.concatenate([held.read() for held in self.columns[at]])
        return column if self._rows is None else column[self._rows]

    def _column(self, at: int) -> NDArray[np.int32]:
        return self._narrow(at).astype(np.int32)

    def sum(self, axis: int = 0, dtype: DTypeLike = np.int64) -> NDArray[Any]:
        """Each counter's sum over all games."""
        if axis != 0:
            raise ValueError("counters are summed over the games, axis 0")
        sums = [self._column(at).sum(dtype=np.int64) for at in range(len(self.columns))]
        return np.array(sums).astype(dtype)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:  # noqa: FBT001
        every = [self._column(at) for at in range(len(self.columns))]
        table = np.stack(every, axis=1) if every else np.zeros((0, 0), np.int32)
        return table.astype(dtype) if dtype else table
