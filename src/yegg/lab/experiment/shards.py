"""Shards: some deals of one cell, played in all its seatings and kept as tables.

A block is a function of the experiment's seed, its cell and its number, whoever plays it and
whenever.  Every cell plays the same deals.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from yegg import players as bots
from yegg.lab.analyses.analysis import PlayedGames
from yegg.lab.batch import Matchup
from yegg.lab.cells import Cell
from yegg.lab.game_frame import frame
from yegg.lab.simulation import cold, run, warm

from .schema import Experiment

if TYPE_CHECKING:
    import polars as pl


DEALS = 250  # in a block
FEW = 10  # in a block of players that take long
LOGGED = 50  # games whose choices are kept in memory at once


def size(experiment: Experiment, cell: Cell) -> int:
    """How many deals a block of this cell has."""
    return FEW if thinks(experiment, cell) else DEALS


class Piece(NamedTuple):
    """A piece of an experiment: some deals of a cell."""

    cell: Cell
    number: int
    """Which of the cell's pieces it is."""
    deals: range


def blocks(experiment: Experiment) -> Iterator[Piece]:
    """All blocks in the order in which they are played: the first of each cell, then the next.

    The last of a cell may have fewer deals than the others.
    """
    cells = [
        (cell, size(experiment, cell), experiment.deals[cell.level]) for cell in experiment.cells
    ]
    for number in range(max(-(-deals // many) for _, many, deals in cells)):
        for cell, many, deals in cells:
            if number * many < deals:
                yield Piece(cell, number, range(number * many, min((number + 1) * many, deals)))


def setting(experiment: Experiment, cell: Cell) -> Matchup:
    """A cell as a simulation."""
    habits = [experiment.habits.get(name) for name in cell.lineup]
    players = [
        habit.like if habit else name for name, habit in zip(cell.lineup, habits, strict=True)
    ]
    variant = cell.variant
    return Matchup(
        experiment.of(variant),
        variant.players,
        dict(variant.options),
        players,
        experiment.seed,
        habits=habits,
        course=True,
        lots=experiment.lots,
    )


def thinks(experiment: Experiment, cell: Cell) -> bool:
    """Whether somebody in a cell takes long over a choice."""
    return any(name not in experiment.habits and bots.thinks(name) for name in cell.lineup)


def parts(experiment: Experiment, cell: Cell, deals: range) -> "dict[str, pl.DataFrame]":
    """Play a block: its games under "", and what analyses keep beside them under their names."""
    import polars as pl

    at_once = max(1, LOGGED // len(cell.seatings)) if experiment.asked else len(deals)
    tables: dict[str, list[pl.DataFrame]] = {}
    for start in range(0, len(deals), at_once):
        for name, table in played(experiment, cell, deals[start : start + at_once]).items():
            tables.setdefault(name, []).append(table)
    return {name: pl.concat(some, how="vertical") for name, some in tables.items()}


def played(experiment: Experiment, cell: Cell, deals: range) -> "dict[str, pl.DataFrame]":
    """Some deals of a cell in all seatings, and what analyses keep of them."""
    here = setting(experiment, cell)
    each = len(here.seatings)
    games = deals[0] * each, len(deals) * each
    batch = run(here, *games, log=bool(experiment.asked))
    tables = {"": frame(here.game, batch, deals, each, cell.lineup, experiment.named)}
    rows = [(deal, seating) for deal in deals for seating in range(each)]
    of = PlayedGames(here, batch, here.dice(*games), rows, cell.lineup, experiment.named)
    for analysis, spec in experiment.asked:
        most = analysis.deals(spec)
        if most is None or deals[0] < most:
            table = analysis.collect(spec, of)
            if table is not None:
                tables[analysis.part] = table
    return tables


def is_cold(experiment: Experiment) -> bool:
    """Whether something must be compiled before the first game."""
    return any(cold(setting(experiment, cell)) for cell in experiment.cells)


def playing(cell: Cell) -> tuple[str, str, tuple[str, ...]]:
    """What code a cell needs: of game, deck and players; the same for all variants of these."""
    return cell.variant.game, cell.variant.cards, cell.lineup


def prepare(experiment: Experiment, cells: Sequence[Cell] = ()) -> None:
    """Compile what cells need, by default all; forks and traces need more than games do."""
    for cell in {playing(cell): cell for cell in cells or experiment.cells}.values():
        warm(setting(experiment, cell))
        for analysis, _ in experiment.asked:
            analysis.warm(setting(experiment, cell))
        if experiment.asked:
            played(experiment, cell, range(1))
