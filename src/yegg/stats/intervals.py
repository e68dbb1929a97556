"""Shares and means with 95 % intervals, and the tables and sentences that show them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from yegg.text.phrases import percent

Z = 1.959963984540054  # the normal distribution's 97.5th percentile


@dataclass(frozen=True)
class Figure:
    """A number with its 95 % interval."""

    value: float
    low: float
    high: float
    percent: bool = False

    def __str__(self) -> str:
        if math.isnan(self.value):
            return "-"
        shown = percent(self.value, 1) if self.percent else f"{self.value:.2f}"
        if math.isinf(self.high):  # one game says nothing of others
            return shown
        if self.percent:
            return f"{shown} [{self.low * 100:.1f}, {self.high * 100:.1f}]"
        return f"{shown} [{self.low:.2f}, {self.high:.2f}]"


@dataclass
class Section:
    """One table of a report; its rows hold texts, numbers or figures."""

    title: str
    columns: Sequence[str]
    rows: list[Sequence[object]] = field(default_factory=list)
    note: str = ""


@dataclass(frozen=True)
class Sentence:
    """A finding in words, and the figures behind it; both without a full stop."""

    says: str
    figures: str

    def __str__(self) -> str:
        return f"{self.says}: {self.figures}."


@dataclass(frozen=True)
class Results:
    """Results of games; unfinished games are left out."""

    shares: NDArray[np.float64]
    """(games, sides): each side's share of the win; ties share it."""
    scores: NDArray[np.int32]
    """(games, sides): the game's headline number."""
    lengths: NDArray[np.int32]
    """(games,): how many events each game had."""


def proportion(hits: float, n: int) -> Figure:
    """The share ``hits / n`` with Wilson's score interval (Wilson 1927); NaN for n = 0."""
    if n == 0:
        return Figure(math.nan, math.nan, math.nan, percent=True)
    p = hits / n
    middle = (p + Z * Z / (2 * n)) / (1 + Z * Z / n)
    half = Z / (1 + Z * Z / n) * math.sqrt(max(p * (1 - p), 0) / n + Z * Z / (4 * n * n))
    return Figure(p, max(0.0, min(middle - half, p)), min(1.0, max(middle + half, p)), percent=True)


def average(values: ArrayLike, *, percent: bool = False) -> Figure:
    """A mean with its normal interval; NaN if there are no values."""
    data = np.asarray(values)
    if data.dtype.kind not in "biu":  # whole numbers need no copy that takes eight times the room
        data = data.astype(float, copy=False)
    if not data.size:
        return Figure(math.nan, math.nan, math.nan, percent)
    mean = float(data.mean())
    half = Z * float(data.std(ddof=1)) / math.sqrt(data.size) if data.size > 1 else math.inf
    return Figure(mean, mean - half, mean + half, percent)
