"""Early stopping: sequential tests of an experiment's claims after each block of deals.

What is seen holds however often one looks, so a level may end once its claims are answered.
Blocks are taken in their order and only while all before them are there: when a level ends does
not depend on how fast anybody played.
"""

import math
from typing import TYPE_CHECKING

from yegg.lab.analyses.measures import by_deal
from yegg.stats.claims import ERROR, Interval
from yegg.stats.sequential_tests import Bounded, Mixture

from .schema import Claim, Experiment
from .shards import Piece, size

if TYPE_CHECKING:
    from collections.abc import Callable

    import polars as pl

    from yegg.lab.cells import Cell


class Watched:
    """A claim at one level, and its sequential test so far."""

    def __init__(self, claim: Claim, level: str, *, bounded: bool) -> None:
        """``bounded``: the measure lies from 0 to 1 in every game."""
        self.claim, self.level = claim, level
        number = claim.number
        betting = bounded and (number is None or 0 < number < 1)
        self.evidence = Bounded(number) if betting else Mixture(number or 0.0)

    def add(self, variants: "dict[str, pl.DataFrame]") -> None:
        """Add the deals of one more block, a table for each variant."""
        name, left = self.claim.measure, variants[self.claim.left]
        if self.claim.number is None:
            other = variants[self.claim.right].select("deal", right=name)
            both = left.select("deal", left=name).join(other, on="deal", maintain_order="left")
            both = both.drop_nulls()
            values = (both["left"] - both["right"]).to_numpy()
        else:
            values = left[name].drop_nulls().to_numpy()
        self.evidence.add(values)

    @property
    def p(self) -> float:
        """The p-value: how often no difference would ever have looked as clear as this."""
        return math.exp(-max(self.evidence.richest, 0.0))

    @property
    def interval(self) -> Interval:
        """The confidence interval of the difference, which holds at every look."""
        return self.evidence.interval

    def answered(self, until: str, boundary: float) -> bool:
        """Whether a level that ends with ``until`` needs no more deals for this claim."""
        equal = self.interval.answer(0, self.claim.margin) == "equal"
        return self.p < boundary or (until == "equal" and equal)


class EarlyStopping:
    """Sequential tests of all claims of an experiment while its blocks come in."""

    def __init__(
        self, experiment: Experiment, read: "Callable[[Piece], pl.DataFrame | None]"
    ) -> None:
        """``read`` gives the games of a block; None if it is not there."""
        self.experiment, self._read = experiment, read
        self._cells: dict[str, list[Cell]] = {}
        for cell in experiment.cells:
            self._cells.setdefault(cell.level, []).append(cell)
        self.watched = {
            level: [
                Watched(claim, level, bounded=experiment.shown[claim.measure].kind.percent)
                for claim in experiment.claims
            ]
            for level in self._cells
        }
        self._seen = dict.fromkeys(self._cells, 0)
        self.ended: dict[str, int] = {}
        """By level that ended before its sample did: after how many blocks."""

    def advance(self) -> None:
        """Add every block that has come since, in order."""
        if self.experiment.claims:
            for level in self._cells:
                while level not in self.ended and self._look(level):
                    pass

    def _look(self, level: str) -> bool:
        """Look at the next block of a level, if all its cells have played it."""
        experiment, cells, number = self.experiment, self._cells[level], self._seen[level]
        many, most = size(experiment, cells[0]), experiment.deals[level]
        deals = range(number * many, min((number + 1) * many, most))
        if not deals:
            return False
        tables = {}
        for cell in cells:
            games = self._read(Piece(cell, number, deals))
            if games is None:
                return False
            tables[cell.variant.name] = by_deal(games, experiment.measures, experiment.shown)
        for one in self.watched[level]:
            one.add(tables)
        self._seen[level] += 1
        until = experiment.samples[level].until
        boundary = ERROR / sum(map(len, self.watched.values()))
        if until and all(one.answered(until, boundary) for one in self.watched[level]):
            self.ended[level] = self._seen[level]
        return True

    def deals(self, level: str) -> int:
        """How many deals of a level count: its sample, or less if it ended before."""
        most = self.experiment.deals[level]
        many = size(self.experiment, self._cells[level][0])
        return min(most, self.ended[level] * many) if level in self.ended else most

    @property
    def least_clear(self) -> Watched | None:
        """The claim that is least clear, of those that are still being played."""
        going = [
            one
            for level in self.watched
            for one in self.watched[level]
            if level not in self.ended and self._seen[level]
        ]
        return max(going, key=lambda one: one.p, default=None)
