"""Sums over deals: means, covariances and paired differences without keeping every deal.

Whatever their number, they take the same room.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .intervals import Summed
from .p_values import Floats


@dataclass(frozen=True)
class Moments:
    """Means of some quantities over so many deals, and the covariance of these means."""

    deals: int
    means: Floats
    covariance: Floats


class Sums:
    """Sums over deals of some quantities that may be unknown: counts, sums and products."""

    def __init__(self, quantities: int) -> None:
        """Nothing is added yet."""
        square = quantities, quantities
        self.zero: Floats | None = None
        """What is taken off every number, so that squares do not grow."""
        self.many, self.total = np.zeros(square), np.zeros(square)
        """How many deals have the one and the other; the sum of the one over these."""
        self.squares, self.products = np.zeros(square), np.zeros(square)
        """The sum of squares of the one over these deals; of the products of both."""

    def add(self, values: Floats) -> None:
        """Add deals, (deals, quantities); NaN is unknown."""
        known_here = ~np.isnan(values)
        if self.zero is None:
            known = np.maximum(known_here.sum(axis=0), 1)
            self.zero = np.where(known_here, values, 0).sum(axis=0) / known
        off = np.where(known_here, values - self.zero, 0)
        mask = known_here.astype(float)
        self.many += mask.T @ mask
        self.total += off.T @ mask
        self.squares += (off * off).T @ mask
        self.products += off.T @ off

    def of(self, at: int) -> Summed:
        """Mean and variance of a quantity."""
        deals = int(self.many[at, at])
        if not deals:
            return Summed(0, math.nan, math.nan)
        mean = self._zero(at) + self.total[at, at] / deals
        return Summed(deals, float(mean), max(self.covariance(at, at), 0.0))

    def apart(self, left: int, right: int) -> tuple[Summed, float | None]:
        """The paired difference of two quantities; how much their common luck saves."""
        deals = int(self.many[left, right])
        if not deals:
            return Summed(0, math.nan, math.nan), None
        sums = self.total[left, right] - self.total[right, left]
        mean = self._zero(left) - self._zero(right) + sums / deals
        single = self._variance(left, right) + self._variance(right, left)
        variance = max(single - 2 * self.covariance(left, right), 0.0)
        return Summed(deals, float(mean), variance), single / variance if variance else None

    def together(self, places: Sequence[int]) -> Moments:
        """Moments of some quantities that are known in the same deals."""
        varied = [[self.covariance(a, b) for b in places] for a in places]
        return self._moments(places, varied)

    def means(self, places: Sequence[int]) -> Moments:
        """Means of some quantities with their covariance; each may be known in other deals."""

        def varies(a: int, b: int) -> float:
            most = self.many[a, a] * self.many[b, b]
            return float(self.covariance(a, b) * self.many[a, b] / max(most, 1))

        return self._moments(places, [[varies(a, b) for b in places] for a in places])

    def _moments(self, places: Sequence[int], varied: list[list[float]]) -> Moments:
        every = [self.of(at) for at in places]
        means = np.array([one.mean for one in every])
        return Moments(min(one.deals for one in every), means, np.array(varied))

    def covariance(self, left: int, right: int) -> float:
        """The covariance of two quantities, in deals that have both."""
        deals = self.many[left, right]
        off = self.total[left, right] * self.total[right, left] / max(deals, 1)
        return float((self.products[left, right] - off) / max(deals - 1, 1))

    def _variance(self, at: int, where: int) -> float:
        """How one varies in deals that have the other, too."""
        deals = self.many[at, where]
        off = self.total[at, where] ** 2 / max(deals, 1)
        return float((self.squares[at, where] - off) / max(deals - 1, 1))

    def _zero(self, at: int) -> float:
        return float(self.zero[at]) if self.zero is not None else 0.0
