"""Blocks: some deals of one cell, played in all its seatings, as a table.

A block is a function of the experiment's seed, its cell and its number, whoever plays it and
whenever.  Every cell plays the same deals.
"""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import yegg
from yegg import players as bots
from yegg.engine import Game, Refused
from yegg.engine.dice import seeds

from .columns import frame
from .experiment import Cell, Experiment
from .sim import Setting, play, warm

if TYPE_CHECKING:
    import polars as pl

DEALS = 250  # in a block
FEW = 10  # in a block of players that take long
FOLDERS = ("engine", "parts", "players")


def size(cell: Cell) -> int:
    """How many deals a block of this cell has."""
    return FEW if any(map(bots.thinks, cell.lineup)) else DEALS


def numbers(experiment: Experiment) -> Iterator[tuple[Cell, int]]:
    """All blocks in the order in which they are played: the first of each cell, then the next."""
    cells = experiment.cells
    last = {cell: -(-experiment.deals[cell.level] // size(cell)) for cell in cells}
    for number in range(max(last.values())):
        yield from ((cell, number) for cell in cells if number < last[cell])


def setting(experiment: Experiment, cell: Cell) -> Setting:
    """A cell as a simulation.  Raises Refused for a bot whose choices depend on a clock."""
    for name in cell.lineup:
        plan = bots.budget(name)
        if ":" in name and plan and plan.seconds:
            raise Refused(
                f"{name} thinks by the clock, so a second run would give other games; "
                "give it lines, as in search:2000"
            )
    variant = cell.variant
    options = dict(variant.options)
    return Setting(experiment.game, variant.players, options, cell.lineup, experiment.seed)


def block(experiment: Experiment, cell: Cell, number: int) -> "pl.DataFrame":
    """Play a block; a row for each game, deal by deal."""
    many, seatings = size(cell), np.array(cell.seatings)
    deals = min(many, experiment.deals[cell.level] - number * many)
    dice = seeds(experiment.seed, number * many, deals, 1 + cell.variant.players)
    batch = play(
        setting(experiment, cell),
        np.tile(seatings, (deals, 1)),
        np.repeat(dice, len(seatings), axis=0),
    )
    first = number * many
    return frame(experiment.game, batch, list(range(first, first + deals)), len(seatings))


def is_cold(experiment: Experiment) -> bool:
    """Whether something must be compiled before the first game."""
    return any(warm(setting(experiment, cell), dry=True) for cell in experiment.cells)


def prepare(experiment: Experiment) -> None:
    """Compile what the cells need."""
    for cell in {cell.lineup: cell for cell in experiment.cells}.values():
        warm(setting(experiment, cell))


def made_by(game: Game) -> str:
    """A digest of all code that decides how games go: engine, players, and the game's folder."""
    package = Path(yegg.__file__).parent
    folders = [package / name for name in FOLDERS] + [game.folder]
    files = [package / "lab" / name for name in ("blocks.py", "columns.py", "sim.py", "thought.py")]
    digest = hashlib.sha256()
    for folder in folders:
        files += [file for file in folder.rglob("*") if file.suffix in {".py", ".csv", ".npz"}]
    for file in sorted(files):
        if "tests" not in file.parts:
            digest.update(file.name.encode() + hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:16]
