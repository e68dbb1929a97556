"""``yegg puzzle`` and ``yegg mine``: puzzles in the terminal, and how they are found."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .numbers import SEEDS, Real
from .options import FOLDER, game_argument, number, option, optional_game_argument

if TYPE_CHECKING:
    from yegg.engine import Game

MOST_PUZZLES = 9999


@click.command()
@optional_game_argument
@click.argument("first", metavar="[NUMBER]", required=False, type=int)
def puzzle(game: "Game | None", first: int | None) -> None:
    """Solve puzzles of GAME, which are decisions that somebody got wrong.

    \b
    yegg puzzle                 the puzzles of today
    yegg puzzle magnate         begin with the first of today
    yegg puzzle magnate 12      begin with this one

    Each shows a position and asks for a choice, then tells what it was worth and why.  Type as in
    `yegg play`; `s` skips a puzzle, `q` leaves.  Nothing is kept.
    """
    from yegg import games
    from yegg.lessons import puzzles
    from yegg.lessons.daily_puzzles import all_of_day, of_day
    from yegg.text.phrases import listing
    from yegg.text.untrusted import say

    from .play.puzzler import Puzzler
    from .screen import Screen

    day, screen = datetime.now(UTC).date(), Screen()
    if game is None:
        for known, found in all_of_day([games.find(name) for name in games.names()], day):
            numbers = listing([str(one.number) for one in found])
            say(f"yegg puzzle {known.name}   today {numbers}, of {len(puzzles(known))}")
        return
    there = puzzles(game)
    if not there:
        raise click.UsageError(f"{game.title} has no puzzles; yegg mine {game.name} finds some")
    if first is not None and not 1 <= first <= len(there):
        raise click.UsageError(f"there is no puzzle {first}; there are 1 to {len(there)}")
    at = (first or of_day(game, day)[0].number) - 1
    while Puzzler(there[at], screen).ask():
        at = (at + 1) % len(there)


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
