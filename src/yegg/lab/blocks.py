"""Blocks: some deals of one cell, played in all its seatings, as a table.

A block is a function of the experiment's seed, its cell and its number, whoever plays it and
whenever.  Every cell plays the same deals.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from yegg import players as bots

from . import choices, clauses
from .columns import frame
from .forking import forked
from .offers import Offer, offered
from .sim import Setting, run, warm
from .tracing import traced

if TYPE_CHECKING:
    import polars as pl

    from .experiment import Cell, Experiment

DEALS = 250  # in a block
FEW = 10  # in a block of players that take long
LOGGED = 50  # games whose choices are kept in memory at once
BESIDE = ("forks", "trace", "choices", "clauses")
"""What may lie beside the games of a block."""


def size(experiment: "Experiment", cell: "Cell") -> int:
    """How many deals a block of this cell has."""
    return FEW if thinks(experiment, cell) else DEALS


def numbers(experiment: "Experiment") -> Iterator[tuple["Cell", int]]:
    """All blocks in the order in which they are played: the first of each cell, then the next."""
    cells = experiment.cells
    last = {cell: -(-experiment.deals[cell.level] // size(experiment, cell)) for cell in cells}
    for number in range(max(last.values())):
        yield from ((cell, number) for cell in cells if number < last[cell])


def setting(experiment: "Experiment", cell: "Cell") -> Setting:
    """A cell as a simulation."""
    habits = [experiment.habits.get(name) for name in cell.lineup]
    players = [
        habit.like if habit else name for name, habit in zip(cell.lineup, habits, strict=True)
    ]
    variant = cell.variant
    return Setting(
        experiment.game,
        variant.players,
        dict(variant.options),
        players,
        experiment.seed,
        habits=habits,
        course=True,
        lots=experiment.lots,
    )


def thinks(experiment: "Experiment", cell: "Cell") -> bool:
    """Whether somebody in a cell takes long over a choice."""
    return any(name not in experiment.habits and bots.thinks(name) for name in cell.lineup)


def deals_of(experiment: "Experiment", cell: "Cell", number: int) -> range:
    """The deals of a block; the last of a cell may have fewer than the others."""
    many = size(experiment, cell)
    return range(number * many, min((number + 1) * many, experiment.deals[cell.level]))


def parts(experiment: "Experiment", cell: "Cell", deals: range) -> "dict[str, pl.DataFrame]":
    """Play a block: its games under "", and what there is beside them under its name."""
    import polars as pl

    at_once = max(1, LOGGED // len(cell.seatings)) if logged(experiment) else len(deals)
    made: dict[str, list[pl.DataFrame]] = {}
    for start in range(0, len(deals), at_once):
        for name, table in played(experiment, cell, deals[start : start + at_once]).items():
            made.setdefault(name, []).append(table)
    return {name: pl.concat(tables, how="vertical") for name, tables in made.items()}


def logged(experiment: "Experiment") -> bool:
    """Whether something is asked for which games must be followed once more."""
    asked = experiment.forks, experiment.trace, experiment.choices, experiment.clauses
    return any(asked)


def played(experiment: "Experiment", cell: "Cell", deals: range) -> "dict[str, pl.DataFrame]":
    """Some deals of a cell in all seatings, and what is to be seen of them."""
    here, trace = setting(experiment, cell), experiment.trace
    each = len(here.seatings)
    games = deals[0] * each, len(deals) * each
    batch = run(here, *games, log=logged(experiment))
    who = cell.lineup, experiment.named
    made = {"": frame(experiment.game, batch, deals, each, *who)}
    rows = [(deal, seating) for deal in deals for seating in range(each)]
    of = batch, here.dice(*games), rows, who
    tables = [
        offered(here, fork, *of) if isinstance(fork, Offer) else forked(here, fork, *of)
        for fork in experiment.forks
    ]
    if there := [table for table in tables if table is not None]:
        import polars as pl

        made["forks"] = pl.concat(there)
    if trace and deals[0] < trace.deals:
        table = traced(here, batch, rows, trace)
        if len(table):
            made["trace"] = table
    if (wanted := experiment.choices) and deals[0] < wanted.deals:
        made |= _there("choices", choices.weighed(here, batch, rows, wanted))
    if (asked := experiment.clauses) and deals[0] < asked.deals:
        made |= _there("clauses", clauses.used(here, batch, rows, asked))
    return made


def _there(name: str, table: "pl.DataFrame | None") -> "dict[str, pl.DataFrame]":
    return {} if table is None else {name: table}


def is_cold(experiment: "Experiment") -> bool:
    """Whether something must be compiled before the first game."""
    return any(warm(setting(experiment, cell), dry=True) for cell in experiment.cells)


def prepare(experiment: "Experiment", cells: Sequence["Cell"] = ()) -> None:
    """Compile what cells need, by default all; forks and traces need more than games do."""
    for cell in {cell.lineup: cell for cell in cells or experiment.cells}.values():
        warm(setting(experiment, cell))
        if experiment.choices:
            choices.warm(setting(experiment, cell))
        if logged(experiment):
            played(experiment, cell, range(1))
