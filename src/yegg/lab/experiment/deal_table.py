"""The deals of a run as a table: the mean of each measure, and every seat's share of the win.

They are kept one by one, or only as sums where they are too many for that.
"""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from yegg.lab.analyses.measures import by_deal, by_game
from yegg.lab.cells import Cell
from yegg.stats.deal_sums import Moments, Sums
from yegg.stats.intervals import Summed
from yegg.stats.kinds import Kind
from yegg.stats.p_values import Floats
from yegg.stats.seat_balance import AtAnyTime, Balance, alike, balance, is_even, of_moments

from .schema import Experiment
from .spreads import Spreads

if TYPE_CHECKING:
    import polars as pl

STRETCH = 2500  # deals of every cell that are read at once

Reading = Callable[[Cell, range], "pl.DataFrame"]
"""The games of some deals of a cell."""


@dataclass
class Count:
    """How many deals and games a cell has played."""

    deals: int = 0
    games: int = 0
    finished: int = 0

    @property
    def unfinished(self) -> float:
        """The share of games that did not end."""
        return 1 - self.finished / self.games if self.games else 0.0


def compared(cell: Cell) -> bool:
    """Whether the seats of a cell can be compared: everybody sits on each equally often."""
    return cell.variant.players > 1 and is_even(cell.lineup, cell.seatings)


class DealTable:
    """By cell and deal: the mean of each measure over its games, and of the seats' shares.

    Of very many deals (`Experiment.summed`) only sums are kept, which take the same room for any
    number; p-values and intervals are those of very many deals then.
    """

    def __init__(self, experiment: Experiment, reading: Reading, deals: dict[Cell, int]) -> None:
        """Read so many ``deals`` of each cell, the same ones of all."""
        self.experiment, self.deals, self._reading = experiment, deals, reading
        self._counts = {cell: Count() for cell in deals}
        self.spreads = Spreads()
        """How measures that are no shares of games spread over these."""
        self._known = Counter[tuple[Cell, str]]()
        self._seats = {cell: cell.variant.players if compared(cell) else 0 for cell in deals}
        self._first, columns = dict[Cell, int](), 0
        for cell, seats in self._seats.items():
            self._first[cell] = columns
            columns += len(experiment.measures) + seats
        self._kept: dict[Cell, list[Floats]] = {cell: [] for cell in deals}
        self._sums = Sums(columns if experiment.summed else 0)
        self._watched = {
            cell: AtAnyTime(seats)
            for cell, seats in self._seats.items()
            if experiment.summed and seats and experiment.samples[cell.level].until
        }
        for start in range(0, max(deals.values()), STRETCH):
            read = {cell: self._read(cell, start) for cell in deals}
            if experiment.summed:
                self._sums.add(np.hstack(list(read.values())))
                continue
            for cell, values in read.items():
                self._kept[cell].append(values[: max(deals[cell] - start, 0)])
        self._values = {cell: np.concatenate(kept) for cell, kept in self._kept.items() if kept}

    def _read(self, cell: Cell, start: int) -> Floats:
        """The measures and seats of a stretch of deals; NaN is unknown."""
        import polars as pl

        names, seats = list(self.experiment.measures), self._seats[cell]
        values = np.full((STRETCH, len(names) + seats), math.nan)
        if start >= self.deals[cell]:
            return values
        games = self._reading(cell, range(start, min(start + STRETCH, self.deals[cell])))
        rows = by_deal(games, self.experiment.measures, self.experiment.shown)
        count = self._counts[cell]
        count.deals += len(rows)
        count.games += int(rows["games"].sum())
        count.finished += int(rows["finished"].sum())
        self._spread(cell, games)
        for name in names:
            self._known[cell, name] += int(rows[f"{name} is known"].sum())
        values[rows["deal"].to_numpy() - start, : len(names)] = rows.select(names).to_numpy()
        if seats:
            ended = games.filter(pl.col("over")).group_by("deal", maintain_order=True)
            columns = (pl.col(f"share_{seat}").cast(pl.Float64) for seat in range(1, 1 + seats))
            shares = ended.agg(column.mean() for column in columns)
            values[shares["deal"].to_numpy() - start, len(names) :] = shares.drop("deal").to_numpy()
            if cell in self._watched:
                self._watched[cell].add(shares.drop("deal").to_numpy())
        return values

    def _spread(self, cell: Cell, games: "pl.DataFrame") -> None:
        """Count the games of a cell by every measure that has more values than 0 and 1."""
        experiment = self.experiment
        for name, shown in experiment.shown.items():
            if shown.kind is not Kind.SHARE:
                self.spreads.add(cell, name, by_game(games, experiment.measures[name]))

    def _column(self, name: str) -> int:
        return list(self.experiment.measures).index(name)

    def count(self, cell: Cell) -> Count:
        """How much a cell has played."""
        return self._counts[cell]

    def numbers(self, cell: Cell, name: str) -> Summed:
        """A measure in a cell."""
        if self.experiment.summed:
            return self._sums.of(self._first[cell] + self._column(name))
        values = self._values[cell][:, self._column(name)]
        return Summed.of(values[~np.isnan(values)])

    def known(self, cell: Cell, name: str) -> int:
        """How many games of a cell have a measure: the share of a bot is only where it plays."""
        return self._known[cell, name]

    def apart(self, name: str, left: Cell, right: Cell) -> tuple[Summed, float | None]:
        """One cell less the other, over deals that both finished; what their luck saves."""
        column = self._column(name)
        if self.experiment.summed:
            return self._sums.apart(self._first[left] + column, self._first[right] + column)
        a, b = (self._values[cell][:, column] for cell in (left, right))
        both = ~np.isnan(a[: len(b)] - b[: len(a)])
        a, b = a[: len(both)][both], b[: len(both)][both]
        apart = a - b
        saved = float((a.var() + b.var()) / apart.var()) if len(apart) and apart.var() else None
        return Summed.of(apart), saved

    def balance(self, cell: Cell) -> Balance | None:
        """Whether all seats win alike; None where they cannot be compared."""
        if not self._seats[cell]:
            return None
        count, first = self.count(cell), len(self.experiment.measures)
        if not self.experiment.summed:
            shares = self._values[cell][:, first:]
            looked = bool(self.experiment.samples[cell.level].until)
            shares = np.asfortranarray(shares[~np.isnan(shares[:, 0])])  # seat by seat
            return balance(shares, count.finished, unfinished=count.unfinished, looked=looked)
        first += self._first[cell]
        known = self._sums.together(range(first, first + self._seats[cell]))
        if cell in self._watched:
            return self._watched[cell].balance(known, count.finished, count.unfinished)
        return of_moments(known, alike(known), count.finished, count.unfinished)

    def first_seat(self, cells: Sequence[Cell]) -> Moments:
        """The first seat's mean share in some cells, and how these means vary together."""
        first = len(self.experiment.measures)
        if self.experiment.summed:
            return self._sums.means([self._first[cell] + first for cell in cells])
        shares = np.full((max(self.deals.values()), len(cells)), math.nan)
        for at, cell in enumerate(cells):
            shares[: self.deals[cell], at] = self._values[cell][:, first]
        sums = Sums(len(cells))
        sums.add(shares)
        return sums.means(range(len(cells)))
