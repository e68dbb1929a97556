"""Confidence sequences and tests that hold at every look; corrections for many tests.

Whoever reads a 95 % interval after every deal and stops at the first that is clear names a winner
between equal bots in half of all runs.  A confidence sequence holds at all times at once, so one
may look as often as one likes and stop whenever one likes.
"""

import math
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .claims import ERROR, Interval

STEP = 0.0025  # how finely means are told apart
FEW_DEALS = 200  # below which the normal law is not trusted
DRAWS = 20_000  # of signs
BOLDEST = 0.75  # the largest part of the capital that is ever at stake

Floats = NDArray[np.float64]


class Betting:
    """The logarithms of the capitals of those who bet against each ``fair`` mean, from 0.

    If ``fair`` is the mean, a capital ever reaches 20 times its beginning with a probability of
    at most 1/20 (Ville 1939).  The bets are those that would have made the capital grow fastest
    so far (aGRAPA: Waudby-Smith and Ramdas 2024, "Estimating means of bounded random variables by
    betting").
    """

    def __init__(self, fair: ArrayLike) -> None:
        """``fair`` are (m,) numbers between 0 and 1."""
        self.fair: Floats = np.asarray(fair, float)
        self.capital = np.zeros(len(self.fair))
        self.richest = np.zeros(len(self.fair))
        """The largest that each capital ever was."""
        self.n = 0
        self._total, self._squares, self._mean, self._variance = 0.5, 0.25, 0.5, 0.25

    def add(self, shares: ArrayLike) -> Floats:
        """Bet on more ``shares``, (n,) numbers from 0 to 1; the capitals after each, (n, m)."""
        seen = np.asarray(shares, float)
        if not len(seen):
            return np.zeros((0, len(self.fair)))
        n = self.n + np.arange(1, len(seen) + 1)
        mean = (self._total + seen.cumsum()) / (n + 1)
        squares = self._squares + ((seen - mean) ** 2).cumsum()
        variance = squares / (n + 1)
        gain = np.concatenate(([self._mean], mean[:-1]))[:, None] - self.fair
        bet = gain / (np.concatenate(([self._variance], variance[:-1]))[:, None] + gain * gain)
        bet = np.clip(bet, -BOLDEST / (1 - self.fair), BOLDEST / self.fair)
        gains: Floats = np.log1p(bet * (seen[:, None] - self.fair))
        path: Floats = self.capital + gains.cumsum(axis=0)
        self.n, self._total = int(n[-1]), self._total + float(seen.sum())
        self._squares, self._mean = float(squares[-1]), float(mean[-1])
        self._variance, self.capital = float(variance[-1]), path[-1]
        self.richest = np.maximum(self.richest, path.max(axis=0))
        return path


def sequence(shares: ArrayLike, error: float = ERROR) -> Interval:
    """The confidence sequence for the mean of ``shares``, after the last of them."""
    seen = ConfidenceSequence(error)
    seen.add(shares)
    return seen.interval


class ConfidenceSequence:
    """A confidence sequence of the mean of shares that come little by little.

    Over a whole run it fails to hold the mean, at any time, with a probability of at most
    ``error``.  It assumes only that shares lie from 0 to 1 and that deals do not depend on each
    other; the games of one deal may.
    """

    def __init__(self, error: float = ERROR) -> None:
        """Nothing is known yet."""
        self.error, self._bets = error, Betting(np.arange(STEP, 1, STEP))

    def add(self, shares: ArrayLike) -> None:
        """Add more shares."""
        self._bets.add(shares)

    @property
    def interval(self) -> Interval:
        """The confidence interval of the mean, at this look."""
        if not self._bets.n:
            return Interval(0.0, 1.0)
        possible = self._bets.fair[self._bets.richest < math.log(1 / self.error)]
        if not possible.size:
            return Interval(math.nan, math.nan)
        return Interval(float(possible[0] - STEP), float(possible[-1] + STEP))


def holm(p: ArrayLike) -> Floats:
    """p-values corrected for their number, so that one false claim in all is as rare as before.

    Holm 1979, "A simple sequentially rejective multiple test procedure".
    """
    given = np.asarray(p, float)
    order = np.argsort(given, kind="stable")
    weights = np.arange(len(given), 0, -1)
    out = np.empty(len(given))
    out[order] = np.minimum(np.maximum.accumulate(weights * given[order]), 1)
    return out


def step_up(p: ArrayLike) -> Floats:
    """p-values corrected for a search: of all that stay below 5 %, at most 5 % are false.

    Benjamini and Hochberg 1995, "Controlling the false discovery rate".
    """
    given = np.asarray(p, float)
    order = np.argsort(-given, kind="stable")
    weights = len(given) / np.arange(len(given), 0, -1)
    out = np.empty(len(given))
    out[order] = np.minimum(np.minimum.accumulate(weights * given[order]), 1)
    return out


def p_value(apart: Floats) -> float:
    """Two-sided: how often chance alone moves a mean of deals so far from 0.

    By the normal law; for few deals by drawing their signs anew, with a fixed seed (Fisher 1935).
    """
    if len(apart) < 2:
        return 1.0
    mean = abs(float(apart.mean()))
    if len(apart) < FEW_DEALS:
        signs = np.random.default_rng(0).integers(0, 2, (DRAWS, len(apart))) * 2 - 1
        as_far = np.abs(signs @ apart) >= len(apart) * mean - 1e-12
        return float((1 + as_far.sum()) / (1 + DRAWS))
    return normal_p(mean, float(apart.std(ddof=1)), len(apart))


def normal_p(mean: float, sd: float, deals: int) -> float:
    """A two-sided p-value by the normal law, from a mean of deals and their standard deviation."""
    if deals < 2:
        return 1.0
    return two_sided(mean, sd / math.sqrt(deals))


def two_sided(value: float, error: float) -> float:
    """How often chance alone makes something with this standard error so large, either way."""
    if not error:
        return 1.0 if not value else 0.0
    return 2 * NormalDist().cdf(-abs(value) / error)
