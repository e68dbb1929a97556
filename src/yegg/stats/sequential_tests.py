"""Confidence sequences and tests that hold at every look.

Whoever reads a 95 % interval after every deal and stops at the first that is clear names a winner
between equal bots in half of all runs.  A confidence sequence holds at all times at once, so one
may look as often as one likes and stop whenever one likes.
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from .claims import ERROR, Interval
from .p_values import Floats

STEP = 0.0025  # how finely means are told apart
TYPICAL = 500  # deals at which a mixture's interval is narrowest
FEWEST = 100  # deals, before which a mixture says nothing
BOLDEST = 0.75  # the largest part of the capital that is ever at stake


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


class Mixture:
    """A confidence sequence for numbers without bounds: Robbins' normal mixture.

    It holds in the limit of many deals (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas 2024,
    "Time-uniform central limit theory and asymptotic confidence sequences").
    """

    def __init__(self, fair: float) -> None:
        """``fair`` is what the mean is compared with."""
        self.fair, self.n, self.total, self.squares = fair, 0, 0.0, 0.0
        self.capital = self.richest = 0.0
        """The logarithm of the evidence against no difference, of an e-value; its largest ever."""
        wide = -2 * math.log(ERROR)
        self.rho = (wide + math.log(wide + 1)) / TYPICAL  # the square of their rho

    def add(self, values: Floats) -> None:
        """Add more deals."""
        apart = values - self.fair
        self.n += len(apart)
        self.total += float(apart.sum())
        self.squares += float((apart * apart).sum())
        variance = self._variance()
        if self.n >= FEWEST and variance > 0:
            more = self.n * self.rho + 1
            grown = self.rho * self.total**2 / (2 * more * variance)
            self.capital = grown - math.log(more) / 2
            self.richest = max(self.richest, self.capital)

    @property
    def interval(self) -> Interval:
        """The confidence interval of the mean less ``fair``."""
        if self.n < FEWEST:
            return Interval(-math.inf, math.inf)
        more = self.n * self.rho + 1
        within = 2 * more / (self.n**2 * self.rho) * math.log(math.sqrt(more) / ERROR)
        half = math.sqrt(self._variance() * within)
        return Interval(self.total / self.n - half, self.total / self.n + half)

    def _variance(self) -> float:
        mean = self.total / max(self.n, 1)
        return max(self.squares / max(self.n, 1) - mean * mean, 0.0)


class Bounded:
    """A confidence sequence for numbers from 0 to 1, or that differ by at most 1: by betting."""

    def __init__(self, fair: float | None) -> None:
        """``fair`` is what the mean is compared with; None: numbers from -1 to 1 are, with 0."""
        self.zero, self.scale = (0.5, 2.0) if fair is None else (fair, 1.0)
        self._shift = 0.5 if fair is None else 0.0
        self.capital = self.richest = 0.0
        self._against, self._sequence = Betting([self.zero]), ConfidenceSequence()

    def add(self, values: Floats) -> None:
        """Add more deals."""
        seen = values / self.scale + self._shift
        self._sequence.add(seen)
        self._against.add(seen)
        self.capital, self.richest = (
            float(log[0]) for log in (self._against.capital, self._against.richest)
        )

    @property
    def interval(self) -> Interval:
        """The confidence interval of the mean less what it is compared with."""
        ends = self._sequence.interval
        return Interval((ends.low - self.zero) * self.scale, (ends.high - self.zero) * self.scale)
