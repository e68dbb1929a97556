"""Shares and means with 95 % intervals, and the tables and sentences that show them.

A share has one interval everywhere, Wilson's, which cannot leave 0 to 1; where games depend on
each other, that of as many games as would vary like it.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from yegg.text.phrases import percent

from .kinds import Kind
from .p_values import FEW_DEALS, Floats, normal_p, p_value

FIGURE = re.compile(r"[+-]?\d[\d.,\u00a0]*(?: %| points?)?(?: \[[^\[\]]*\])?|\[[^\[\]]*\d\]")
"""A number as it is written, with its unit and its interval."""
Z = 1.959963984540054  # the normal distribution's 97.5th percentile


def brackets(low: float, high: float, how: str = ".2f") -> str:
    """An interval as it is written everywhere; ``how`` its ends are formatted.

    >>> brackets(0.5, 12), brackets(-1, 1, "+.1f")
    ('[0.50, 12.00]', '[-1.0, +1.0]')
    """
    return f"[{low:{how}}, {high:{how}}]"


def unbroken(said: object, space: str = "\N{NO-BREAK SPACE}") -> str:
    """A text in which no line breaks within a figure: each keeps its unit and its interval.

    >>> unbroken("by 5.0 points [1.0, 9.0] of 10", "_")
    'by 5.0_points_[1.0,_9.0] of 10'
    """
    return FIGURE.sub(lambda at: at[0].replace(" ", space), str(said))


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
        return shown + self._ends()

    def _ends(self, sign: str = "") -> str:
        """The interval in brackets; nothing where one game says nothing of others."""
        if not math.isfinite(self.high - self.low):
            return ""
        if self.percent:
            return f" {brackets(self.low * 100, self.high * 100, f'{sign}.1f')}"
        return f" {brackets(self.low, self.high, f'{sign}.2f')}"


@dataclass(frozen=True)
class Apart(Figure):
    """A difference with its 95 % interval: of shares in points, from -100 to 100."""

    def __str__(self) -> str:
        if math.isnan(self.value):
            return "-"
        shown = f"{self.value * 100:+.1f} points" if self.percent else f"{self.value:+.2f}"
        return shown + self._ends("+")


@dataclass
class Section:
    """One table of a report; its rows hold texts, numbers or figures."""

    title: str
    columns: Sequence[str]
    rows: list[Sequence[object]] = field(default_factory=list)
    note: str = ""


@dataclass(frozen=True)
class Sentence:
    """A finding in words, and the figures behind it."""

    says: str
    figures: str

    def __str__(self) -> str:
        return f"{self.says}: {self.figures}."


@dataclass(frozen=True)
class Results:
    """Results of games; unfinished games are left out."""

    won: NDArray[np.int64]
    """(games, sides): what each side won, in parts of which `whole` are a win; ties share it."""
    scores: NDArray[np.int32]
    """(games, sides): the game's headline number."""
    lengths: NDArray[np.int32]
    """(games,): how many events each game had."""

    @property
    def whole(self) -> int:
        """How many parts a win has: `whole_win`."""
        return whole_win(self.won.shape[1])

    @property
    def shares(self) -> NDArray[np.float64]:
        """(games, sides): each side's share of the win."""
        shares: NDArray[np.float64] = self.won / self.whole
        return shares


def whole_win(sides: int) -> int:
    """In how many parts a win is counted, so that any number of sides share it in whole ones.

    >>> whole_win(4)
    12
    """
    return math.lcm(*range(1, sides + 1))


def proportion(hits: float, n: float) -> Figure:
    """The share ``hits / n`` with Wilson's score interval (Wilson 1927); NaN for n = 0."""
    if n == 0:
        return Figure(math.nan, math.nan, math.nan, percent=True)
    p = hits / n
    middle = (p + Z * Z / (2 * n)) / (1 + Z * Z / n)
    half = Z / (1 + Z * Z / n) * math.sqrt(max(p * (1 - p), 0) / n + Z * Z / (4 * n * n))
    return Figure(p, max(0.0, min(middle - half, p)), min(1.0, max(middle + half, p)), percent=True)


def share_of(p: float, variance: float, deals: int, most: float) -> Figure:
    """A share with its 95 % interval, from the mean of so many deals, and how they vary.

    The games of a deal are not independent; ``most`` games count.  It is infinite for a part of
    something in each game, which may vary less than a share of games can.
    """
    return like(p, variance / deals, deals, most) if deals else proportion(0, 0)


def of_kind(kind: Kind, deals: ArrayLike, games: int) -> Figure:
    """The mean of a number of some kind, from one for each deal, in so many games."""
    if kind is Kind.NUMBER:
        return average(deals)
    return share(deals, games if kind is Kind.SHARE else math.inf)


def like(p: float, spread: float, units: int, most: float = math.inf) -> Figure:
    """A share with Wilson's interval for as many independent games as would vary like it.

    That is the effective sample size: ``spread`` is the square of the share's standard error.
    Where nothing varies, or nobody knows how, there are ``units``.
    """
    n = p * (1 - p) / spread if spread > 0 and 0 < p < 1 else units
    n = min(max(n, 1.0), most)
    return proportion(p * n, n)


def mean_of(value: float, error: float) -> Figure:
    """A mean of any numbers with its normal interval, from its standard error."""
    return Figure(value, value - Z * error, value + Z * error)


def mean_of_independent(figures: Sequence[Figure]) -> Figure:
    """The mean of independent figures, with the interval that theirs give (Zou & Donner 2008)."""
    n = len(figures)
    value = sum(one.value for one in figures) / n
    below = math.sqrt(sum((one.value - one.low) ** 2 for one in figures)) / n
    above = math.sqrt(sum((one.high - one.value) ** 2 for one in figures)) / n
    return Figure(value, value - below, value + above)


def apart(value: float, error: float, *, percent: bool) -> Apart:
    """A difference with its normal interval; one of shares ends at 100 points."""
    low, high = value - Z * error, value + Z * error
    if percent and math.isfinite(error):
        low, high = max(low, -1.0), min(high, 1.0)
    return Apart(value, low, high, percent)


@dataclass(frozen=True)
class Summed:
    """Mean and variance of a number that each of some deals has."""

    deals: int
    mean: float
    variance: float
    few: Floats | None = field(default=None, compare=False, repr=False)
    """The numbers themselves, if they are few and known."""

    @classmethod
    def of(cls, values: ArrayLike) -> Self:
        """Those of some numbers."""
        data = np.asarray(values)
        if data.dtype.kind not in "biu":  # a copy of whole numbers takes eight times the room
            data = data.astype(float, copy=False)
        if not data.size:
            return cls(0, math.nan, math.nan)
        variance = float(data.var(ddof=1)) if data.size > 1 else 0.0
        few = data.astype(float) if data.size < FEW_DEALS else None
        return cls(data.size, float(data.mean()), variance, few)

    def less(self, number: float) -> Self:
        """The same number, less a constant."""
        few = None if self.few is None else self.few - number
        return replace(self, mean=self.mean - number, few=few)

    def average(self) -> Figure:
        """The mean with its normal interval."""
        return mean_of(self.mean, self._error)

    def apart(self, *, percent: bool) -> Apart:
        """The mean as a difference."""
        return apart(self.mean, self._error, percent=percent)

    def share(self, most: float) -> Figure:
        """The mean as a share of ``most`` games in which something holds."""
        return share_of(self.mean, self.variance, self.deals, most)

    @property
    def _error(self) -> float:
        """The standard error of the mean; infinite for one value, which tells nothing."""
        return math.sqrt(self.variance / self.deals) if self.deals > 1 else math.inf

    def p(self) -> float:
        """The p-value of a mean of 0: how often chance alone moves it so far."""
        if self.few is not None:
            return p_value(self.few)
        return normal_p(self.mean, math.sqrt(self.variance), self.deals)


def share(deals: ArrayLike, most: float) -> Figure:
    """A share, from one number for each deal, with its 95 % interval; see `share_of`."""
    return Summed.of(deals).share(most)


def average(values: ArrayLike, *, percent: bool = False) -> Figure:
    """The mean of any numbers with its normal interval; NaN if there are no values.

    With ``percent`` they lie from 0 to 1, and so does the interval: see `share`.
    """
    return share(values, math.inf) if percent else Summed.of(values).average()


def difference(values: ArrayLike, *, percent: bool) -> Apart:
    """The mean of differences with its normal interval; NaN if there are no values."""
    return Summed.of(values).apart(percent=percent)


def finite(value: float) -> float | None:
    """A number as JSON has it: None if it is infinite or unknown."""
    return value if math.isfinite(value) else None


def as_value(figure: Figure) -> dict[str, Any]:
    """A figure for `--json`: its value and its interval."""
    return {"value": finite(figure.value), "interval": [finite(figure.low), finite(figure.high)]}


def p_text(p: float) -> str:
    """A p-value as a table has it."""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"
