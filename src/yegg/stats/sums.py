"""Exact sums over very many games, which take the same room whatever their number.

Sums of whole numbers are the same in whatever order, and in whatever pieces, they are added.  So
are the figures: each is reckoned from them once, in the end.
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from inspect import signature
from itertools import accumulate, starmap
from operator import add
from typing import Any, Self
from warnings import warn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .intervals import Figure, Results, Section, Summed

ROOM = 2**62  # what sums of 64 bits surely hold


@dataclass(frozen=True)
class Exact:
    """A whole number that many games have: how many have one, their sum, and that of squares.

    >>> Exact(2, 3, 5).average().value  # of 1 and 2
    1.5
    """

    many: int
    total: int
    squares: int

    def summed(self, parts: int = 1) -> Summed:
        """Mean and variance, if the number counts parts, of which so many are one."""
        if not self.many:
            return Summed(0, math.nan, math.nan)
        off = self.many * self.squares - self.total**2
        variance = off / (self.many * (self.many - 1) * parts**2) if self.many > 1 else 0.0
        return Summed(self.many, self.total / (self.many * parts), variance)

    def average(self) -> Figure:
        """The mean with its normal interval; NaN if no game has one."""
        return self.summed().average()

    @property
    def spread(self) -> float:
        """The standard deviation of these numbers themselves."""
        return math.sqrt((self.many * self.squares - self.total**2) / self.many**2)


@dataclass(frozen=True)
class Columns:
    """Exact sums of several numbers, which the same games have."""

    many: int
    totals: NDArray[Any]
    """(columns,): whole numbers of Python, of any size."""
    squares: NDArray[Any]

    @classmethod
    def of(cls, values: ArrayLike) -> Self:
        """Those of whole numbers, (games, columns), or (games,) for one column.

        Raises TypeError for other numbers, whose sums depend on their order.
        """
        table = np.asarray(values)
        if table.dtype.kind not in "biu":
            raise TypeError(f"only whole numbers have exact sums, not {table.dtype}")
        table = table[:, None] if table.ndim == 1 else table
        least, most = int(table.min(initial=0)), int(table.max(initial=0))
        if max(-least, most) ** 2 * len(table) < ROOM:
            totals = table.sum(axis=0, dtype=np.int64)
            squares = np.einsum("ij,ij->j", table, table, dtype=np.int64)
        else:
            large = table.astype(object)
            totals, squares = large.sum(axis=0), (large * large).sum(axis=0)
        return cls(len(table), totals.astype(object), squares.astype(object))

    def __add__(self, other: Self) -> Self:
        many = self.many + other.many
        totals, squares = self.totals + other.totals, self.squares + other.squares
        return replace(self, many=many, totals=totals, squares=squares)

    def __getitem__(self, column: int) -> Exact:
        return Exact(self.many, self.totals[column], self.squares[column])


@dataclass(frozen=True)
class Histogram:
    """How often each whole number came.

    >>> whole = Histogram.of([1, 2, 2]) + Histogram.of([9])
    >>> whole.counts, whole.quantiles([0, 50, 75])
    ({1: 1, 2: 2, 9: 1}, [1.0, 2.0, 3.75])
    """

    counts: Mapping[int, int]

    @classmethod
    def of(cls, values: ArrayLike) -> Self:
        """That of some numbers."""
        every, times = np.unique(np.asarray(values), return_counts=True)
        return cls(dict(zip(every.tolist(), times.tolist(), strict=True)))

    def __add__(self, other: Self) -> Self:
        both = Counter(self.counts)
        both.update(other.counts)
        return replace(self, counts=dict(both))

    def exact(self) -> Exact:
        """The sums of these numbers."""
        every = self.counts.items()
        total = sum(value * times for value, times in every)
        return Exact(sum(self.counts.values()), total, sum(v * v * times for v, times in every))

    def average(self) -> Figure:
        """Their mean with its normal interval."""
        return self.exact().average()

    def quantiles(self, percents: Sequence[float]) -> list[float]:
        """Quantiles with what lies between two numbers, as NumPy reckons them by default."""
        values = sorted(self.counts)
        upto = np.array(list(accumulate(self.counts[value] for value in values)))

        def ranked(place: int) -> int:
            return values[int(np.searchsorted(upto, place, side="right"))]

        last, out = int(upto[-1]) - 1, []
        for percent in percents:
            place = last * (percent / 100)
            low = math.floor(place)
            before, after, part = ranked(low), ranked(min(low + 1, last)), place - low
            gap = after - before
            out.append(before + gap * part if part < 0.5 else after - gap * (1 - part))
        return [float(value) for value in out]


@dataclass(frozen=True)
class Tallied:
    """What the report of a game's tally is made of: sums over games that ended."""

    scores: tuple[Histogram, ...]
    """By side: the game's headline number."""
    counters: Columns
    """Those of the tally."""
    measured: Mapping[str, Columns]
    """What the tally's `measures` gives, by its name."""
    rows: tuple[tuple[NDArray[np.int32], Results], ...] = ()
    """The games themselves, piece by piece; kept only where the tally `reads_rows`."""

    @classmethod
    def of(cls, tally: Any, counts: NDArray[np.int32], results: Results) -> Self:
        """Those of some games, (games, counters); ``tally`` is the game's module, or None."""
        measures = getattr(tally, "measures", None)
        measured = measures(counts, results) if measures else {}
        return cls(
            tuple(map(Histogram.of, results.scores.T)),
            Columns.of(counts),
            {name: Columns.of(values) for name, values in measured.items()},
            ((counts, results),) if reads_rows(tally) else (),
        )

    def __add__(self, other: Self) -> Self:
        return replace(
            self,
            scores=tuple(starmap(add, zip(self.scores, other.scores, strict=True))),
            counters=self.counters + other.counters,
            measured={name: sums + other.measured[name] for name, sums in self.measured.items()},
            rows=self.rows + other.rows,
        )

    def sections(self, tally: Any) -> list[Section]:
        """The report of a game's tally."""
        report: Callable[..., list[Section]] = tally.report
        if not self.rows:
            return report(self)
        warn(
            f"{tally.__name__}.report(counts, results) is given every game, which takes memory; "
            "from 2.0 on it is report(told), see docs/add-a-game.md",
            DeprecationWarning,
            stacklevel=2,
        )
        counts = np.concatenate([piece for piece, _ in self.rows])
        games = [results for _, results in self.rows]
        won, scores, lengths = (
            np.concatenate([getattr(one, name) for one in games])
            for name in ("won", "scores", "lengths")
        )
        return report(counts, Results(won, scores, lengths))

    @property
    def games(self) -> int:
        """How many games there are."""
        return self.counters.many


def reads_rows(tally: Any) -> bool:
    """Whether a tally's `report` reads each game, as those of games made for 1.0 do."""
    report = getattr(tally, "report", None)
    return report is not None and len(signature(report).parameters) > 1
