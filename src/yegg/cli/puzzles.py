"""``yegg puzzle`` and ``yegg mine``: puzzles in the terminal, and how they are found."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from .numbers import SEEDS, Real
from .options import FOLDER, game_argument, number, option

if TYPE_CHECKING:
    from yegg.engine import Game

MOST_PUZZLES = 9999


@click.command()
@game_argument
@number("--puzzles -n", "How many puzzles.", 200, most=MOST_PUZZLES)
@option("--out FOLDER", "Where they go: a folder; what is there is gone on with.", FOLDER)
@number("--seed", "The same number gives the same puzzles.", 1, least=0, most=SEEDS)
@option("--gap POINTS", "How much of 100 a mistake costs at least.", Real(1, 90), 8.0)
def mine(game: "Game", puzzles: int, out: Path | None, seed: int, gap: float) -> None:
    """Find puzzles of GAME: decisions that players got wrong, as two judges agree.

    \b
    yegg mine second-story -n 200 --out found
    yegg mine magnate -n 20 --out more --seed 2

    Each puzzle is written when it is found.  After Ctrl-C the same command goes on, and the same
    seed writes the same files.
    """
    from yegg.lab.mining import Seam
    from yegg.lab.puzzle_folder import mine, opened
    from yegg.text.phrases import counted
    from yegg.text.untrusted import say

    from .output import progress, stoppable

    folder, seam = out or Path(f"{game.name}-puzzles"), Seam(game, seed, gap / 100)
    before = opened(folder, seam).puzzles
    with stoppable() as stop, progress("Mining", puzzles, quiet=False, before=before) as update:
        mine(folder, seam, puzzles, lambda there: update(completed=there + 0.01))
    found = opened(folder, Seam(game, seed, gap / 100))
    there = len(list(folder.glob("*.puzzle")))
    say(f"{counted(there, 'puzzle')} in {folder}, from {counted(found.games, 'whole game')}")
    if found.puzzles and found.seconds:
        say(f"an hour of one core brings about {found.an_hour:.0f}")
    stop.leave()
