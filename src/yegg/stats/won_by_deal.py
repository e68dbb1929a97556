"""What was won in very many deals, as exact sums: means, and how they vary together.

The games of a deal depend on each other, so a deal counts once, with the mean of its games.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from .deal_sums import Moments
from .intervals import Summed
from .p_values import FEW_DEALS, Floats

Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class Deals:
    """Some deals in their order, and what was won in each."""

    numbers: Numbers
    """(deals,)"""
    played: Numbers
    """(deals,): how many games of it were played."""
    finished: Numbers
    """(deals,): how many of these ended."""
    won: Numbers
    """(deals, quantities): what was won in these, added up."""

    @classmethod
    def of(cls, numbers: Numbers, over: NDArray[np.bool_], won: Numbers) -> Self:
        """Those of some games, of which each has the number of its deal, in their order."""
        deals, starts, played = np.unique(numbers, return_index=True, return_counts=True)
        finished = np.add.reduceat(over.astype(np.int64), starts)
        return cls(deals, played, finished, np.add.reduceat(won * over[:, None], starts))

    def __getitem__(self, which: Any) -> Self:
        arrays = (self.numbers, self.played, self.finished, self.won)
        return type(self)(*(array[which] for array in arrays))

    def __add__(self, other: Self) -> Self:
        deals, place = np.unique(np.append(self.numbers, other.numbers), return_inverse=True)

        def together(one: Numbers, more: Numbers) -> Numbers:
            out = np.zeros((len(deals), *one.shape[1:]), np.int64)
            np.add.at(out, place, np.concatenate([one, more]))
            return out

        return type(self)(
            deals,
            together(self.played, other.played),
            together(self.finished, other.finished),
            together(self.won, other.won),
        )


@dataclass(frozen=True)
class Products:
    """Sums over deals of what was won there, and of the products of every two of these."""

    deals: int
    totals: NDArray[Any]
    products: NDArray[Any]

    @classmethod
    def of(cls, won: Numbers) -> Self:
        """Those of some deals, (deals, quantities)."""
        return cls(len(won), won.sum(axis=0).astype(object), (won.T @ won).astype(object))

    def __add__(self, other: Self) -> Self:
        totals, products = self.totals + other.totals, self.products + other.products
        return type(self)(self.deals + other.deals, totals, products)


@dataclass(frozen=True)
class WonByDeal:
    """Sums over deals of what was won there, in whole numbers: any number of quantities."""

    each: int
    """How many games a deal has."""
    whole: Mapping[int, Products]
    """Of deals whose games were all played, by how many of these ended, if any did."""
    begun: Deals
    """The other deals."""
    first: Deals
    """The first deals of which a game ended: enough of them for figures of few deals."""

    @classmethod
    def of(cls, each: int, first: int, over: NDArray[np.bool_], won: Numbers) -> Self:
        """What was won, (games, quantities), in the game ``first`` and those after it."""
        deals = Deals.of(np.arange(first, first + len(won)) // each, over, won)
        return cls(each, {}, deals[:0], deals[:0]).beginning(deals)

    def __add__(self, other: Self) -> Self:
        whole = dict(self.whole)
        for finished, sums in other.whole.items():
            whole[finished] = whole[finished] + sums if finished in whole else sums
        first = (self.first + other.first)[:FEW_DEALS]
        return replace(self, whole=whole, first=first).beginning(self.begun + other.begun)

    def beginning(self, deals: Deals, *, last: bool = False) -> Self:
        """With these instead of the deals that were begun; ``last``: no more of them is played."""
        done = (deals.played == self.each) | last
        ended = deals[done & (deals.finished > 0)]
        whole = dict(self.whole)
        for finished in set(ended.finished.tolist()):
            sums = Products.of(ended.won[ended.finished == finished])
            whole[finished] = whole[finished] + sums if finished in whole else sums
        first = (self.first + ended)[:FEW_DEALS]
        return replace(self, whole=whole, begun=deals[~done], first=first)

    def ended(self) -> Self:
        """The same where nothing more is played: deals count that were only begun."""
        return self.beginning(self.begun, last=True)

    @property
    def deals(self) -> int:
        """How many deals there are of which a game ended."""
        return sum(sums.deals for sums in self.whole.values())

    def moments(self, places: Sequence[int], parts: int) -> Moments:
        """Means and covariances of some quantities, of which so many ``parts`` are one."""
        deals, many = self.deals, len(places)
        if not deals:
            return Moments(0, np.full(many, np.nan), np.zeros((many, many)))
        totals: Any = np.zeros(many, object)
        products: Any = np.zeros((many, many), object)
        for games, sums in self.whole.items():
            mean = Fraction(1, games * parts)
            totals += sums.totals[list(places)] * mean
            products += sums.products[np.ix_(places, places)] * mean**2
        apart = (products - np.outer(totals, totals) / deals) / max(deals - 1, 1)
        covariance = apart.astype(float) if deals > 1 else np.zeros((many, many))
        return Moments(deals, (totals / deals).astype(float), covariance)

    def summed(self, place: int, parts: int) -> Summed:
        """Mean and variance of one quantity."""
        known = self.moments([place], parts)
        return Summed(known.deals, float(known.means[0]), float(known.covariance[0, 0]))

    def few(self, places: Sequence[int], parts: int) -> Floats:
        """The first deals, (deals, places): what the games of each won on the average."""
        won: Floats = self.first.won[:, places] / (self.first.finished[:, None] * parts)
        return won
