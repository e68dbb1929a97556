"""What the deals of a run say: a number each for every measure, and every seat's share of the win.

They are kept one by one, or only as sums where they are too many for that.
"""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from yegg.lab.analyses.measures import by_deal
from yegg.lab.analyses.seat_balance import AtAnyTime, Balance, alike, balance, is_even, of_moments
from yegg.lab.cells import Cell
from yegg.stats.intervals import Figure, average
from yegg.stats.sequential_tests import Floats, p_value, share

from .deal_sums import Moments, Sums
from .schema import Experiment

if TYPE_CHECKING:
    import polars as pl

STRETCH = 2500  # deals of every cell that are read at once

Reading = Callable[[Cell, range], "pl.DataFrame"]
"""The games of some deals of a cell."""


class Numbers(Protocol):
    """A number that each of some deals has."""

    def average(self, *, percent: bool = False) -> Figure:
        """Their mean with its interval."""

    def share(self, games: int) -> Figure:
        """The share of games in which something holds."""

    def p(self) -> float:
        """How often chance alone moves their mean so far from 0."""


@dataclass(frozen=True)
class Listed:
    """Such numbers one by one."""

    values: Floats

    def average(self, *, percent: bool = False) -> Figure:
        """Their mean with its interval."""
        return average(self.values, percent=percent)

    def share(self, games: int) -> Figure:
        """The share of games in which something holds."""
        return share(self.values, games)

    def p(self) -> float:
        """How often chance alone moves their mean so far from 0."""
        return p_value(self.values)


@dataclass
class Count:
    """How much a cell has played."""

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


def seats_of(cell: Cell, games: "pl.DataFrame") -> "pl.DataFrame":
    """The mean share of the win of each seat, for every deal of which a game ended."""
    import polars as pl

    names = [f"share_{seat}" for seat in range(1, 1 + cell.variant.players)]
    ended = games.filter(pl.col("over")).group_by("deal", maintain_order=True)
    return ended.agg(pl.col(name).cast(pl.Float64).mean() for name in names)


class Deals:
    """What all cells did, deal by deal."""

    def __init__(self, experiment: Experiment, reading: Reading, deals: dict[Cell, int]) -> None:
        """Read so many ``deals`` of each cell."""
        import polars as pl

        self.experiment, self.deals = experiment, deals
        self._rows: dict[Cell, pl.DataFrame] = {}
        self._seats: dict[Cell, Floats] = {}
        self._first = Sums(len(deals))
        first = np.full((max(deals.values()), len(deals)), math.nan)
        for at, (cell, many) in enumerate(deals.items()):
            rows, seats = [], []
            for start in range(0, many, STRETCH):
                games = reading(cell, range(start, min(start + STRETCH, many)))
                rows.append(by_deal(games, experiment.measures))
                if compared(cell):
                    seats.append(seats_of(cell, games))
            self._rows[cell] = pl.concat(rows, how="vertical_relaxed")
            if seats:
                every = pl.concat(seats)
                first[every["deal"].to_numpy(), at] = every["share_1"].to_numpy()
                self._seats[cell] = every.drop("deal").to_numpy()
        self._first.add(first)

    def count(self, cell: Cell) -> Count:
        """How much a cell has played."""
        rows = self._rows[cell]
        return Count(len(rows), int(rows["games"].sum()), int(rows["finished"].sum()))

    def numbers(self, cell: Cell, name: str, less: float | None = None) -> Numbers:
        """A measure in a cell, less a number."""
        values = self._rows[cell][name].drop_nulls().to_numpy()
        return Listed(values if less is None else values - less)

    def known(self, cell: Cell, name: str) -> int:
        """How many games of a cell have a measure: the share of a bot is only where it plays."""
        return int(self._rows[cell][f"{name} is known"].sum())

    def apart(self, name: str, left: Cell, right: Cell) -> tuple[Numbers, float | None]:
        """One cell less the other, over deals that both finished; what their luck saves."""
        both = (
            self._rows[left]
            .join(self._rows[right], on="deal", suffix=" of the other")
            .drop_nulls([name, f"{name} of the other"])
        )
        a, b = both[name].to_numpy(), both[f"{name} of the other"].to_numpy()
        apart = a - b
        saved = float((a.var() + b.var()) / apart.var()) if len(apart) and apart.var() else None
        return Listed(apart), saved

    def always(self, name: str, what: str) -> bool:
        """Whether a measure ``is a share``, or ``is yes or no``, in every deal of every cell."""
        return all(rows[f"{name} {what}"].all() for rows in self._rows.values())

    def balance(self, cell: Cell) -> Balance | None:
        """Whether all seats win alike; None where they cannot be compared."""
        if cell not in self._seats:
            return None
        looked = bool(self.experiment.samples[cell.level].until)
        return balance(self._seats[cell], unfinished=self.count(cell).unfinished, looked=looked)

    def first_seat(self, cells: Sequence[Cell]) -> Moments:
        """The first seat's mean share in some cells, and how these means vary together."""
        return self._first.means([list(self.deals).index(cell) for cell in cells])


class Totals:
    """What all cells did, of which only sums are kept: it takes the same room for any number.

    Answers as `Deals` does; p-values and intervals are those of very many deals.
    """

    def __init__(self, experiment: Experiment, reading: Reading, deals: dict[Cell, int]) -> None:
        """Read so many ``deals`` of each cell, the same ones of all, and forget them."""
        self.experiment, self.deals = experiment, deals
        self._at: dict[tuple[Cell, str], int] = {}
        for cell in deals:
            seats = (
                [f"seat {seat}" for seat in range(cell.variant.players)] if compared(cell) else []
            )
            for name in (*(f"measure {name}" for name in experiment.measures), *seats):
                self._at[cell, name] = len(self._at)
        self._sums = Sums(len(self._at))
        self._counts = {cell: Count() for cell in deals}
        self._always: dict[str, bool] = {}
        self._known = Counter[tuple[Cell, str]]()
        self._watched = {
            cell: AtAnyTime(cell.variant.players)
            for cell in deals
            if compared(cell) and experiment.samples[cell.level].until
        }
        for start in range(0, max(deals.values()), STRETCH):
            self._add(reading, start)

    def _add(self, reading: Reading, start: int) -> None:
        """Read a stretch of deals of all cells."""
        values = np.full((STRETCH, len(self._at)), math.nan)
        for cell, many in self.deals.items():
            if start >= many:
                continue
            games = reading(cell, range(start, min(start + STRETCH, many)))
            rows, count = by_deal(games, self.experiment.measures), self._counts[cell]
            count.deals += len(rows)
            count.games += int(rows["games"].sum())
            count.finished += int(rows["finished"].sum())
            at = rows["deal"].to_numpy() - start
            for name in self.experiment.measures:
                values[at, self._at[cell, f"measure {name}"]] = rows[name].to_numpy()
                self._known[cell, name] += int(rows[f"{name} is known"].sum())
                for what in ("is a share", "is yes or no"):
                    key = f"{name} {what}"
                    self._always[key] = self._always.get(key, True) and bool(rows[key].all())
            if compared(cell):
                self._add_seats(cell, seats_of(cell, games), values, start)
        self._sums.add(values)

    def _add_seats(self, cell: Cell, seats: "pl.DataFrame", values: Floats, start: int) -> None:
        shares = seats.drop("deal").to_numpy()
        for seat, column in enumerate(shares.T):
            values[seats["deal"].to_numpy() - start, self._at[cell, f"seat {seat}"]] = column
        if cell in self._watched:
            self._watched[cell].add(shares)

    def count(self, cell: Cell) -> Count:
        """How much a cell has played."""
        return self._counts[cell]

    def numbers(self, cell: Cell, name: str, less: float | None = None) -> Numbers:
        """A measure in a cell, less a number."""
        return self._sums.of(self._at[cell, f"measure {name}"]).less(less or 0.0)

    def known(self, cell: Cell, name: str) -> int:
        """How many games of a cell have a measure."""
        return self._known[cell, name]

    def apart(self, name: str, left: Cell, right: Cell) -> tuple[Numbers, float | None]:
        """One cell less the other, over deals that both finished; what their luck saves."""
        a, b = (self._at[cell, f"measure {name}"] for cell in (left, right))
        return self._sums.apart(a, b)

    def always(self, name: str, what: str) -> bool:
        """Whether a measure ``is a share``, or ``is yes or no``, in every deal of every cell."""
        return self._always[f"{name} {what}"]

    def balance(self, cell: Cell) -> Balance | None:
        """Whether all seats win alike; None where they cannot be compared."""
        if not compared(cell):
            return None
        places = [self._at[cell, f"seat {seat}"] for seat in range(cell.variant.players)]
        known = self._sums.together(places)
        unfinished = self.count(cell).unfinished
        if cell in self._watched:
            return self._watched[cell].balance(known, unfinished)
        return of_moments(known, alike(known), unfinished)

    def first_seat(self, cells: Sequence[Cell]) -> Moments:
        """The first seat's mean share in some cells, and how these means vary together."""
        return self._sums.means([self._at[cell, "seat 0"] for cell in cells])
