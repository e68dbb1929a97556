"""``yegg train``: a judge for a game, learned by play against itself."""

import signal
import time
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .options import (
    FILE,
    THREADS,
    Command,
    game_argument,
    json_option,
    number,
    on_option,
    players_option,
)
from .output import compiling, emit, progress

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yegg.engine import Game
    from yegg.training.trainer import Crew, Training

KEEP = 5.0  # seconds between two copies of what has been learned
DUELS = 4  # how often it is played against lore on the way
FEW, MANY = 300, 1200  # games against lore: on the way, and in the end


def _share(
    name: str, usual: float, says: str, *, below_one: bool = False
) -> Callable[[Command], Command]:
    return click.option(
        name,
        type=click.FloatRange(0, 1, max_open=below_one),
        default=usual,
        show_default=True,
        metavar="SHARE",
        help=says,
    )


@click.command()
@game_argument
@number("--games", usual=100_000, says="How many games to learn from.")
@players_option
@number("--units", most=1024, usual=32, says="How many units the net has.")
@number("--seed", least=0, usual=1, says="The same number gives the same weights.")
@_share(
    "--published",
    0.75,
    "The share of games as published; in the others players or options are drawn.",
)
@_share("--guests", 0.34, "The share of seats that greedy plays.", below_one=True)
@number("--batch", usual=8, says="How many games are played between two changes of the weights.")
@number(
    "--workers",
    usual=1,
    says="Who share these games; the same number gives the same weights, here or on a cluster.",
)
@on_option
@click.option("--resume", is_flag=True, help="Go on with what was interrupted, as it was begun.")
@click.option(
    "--out",
    type=FILE,
    metavar="FILE",
    help="Where the weights go. [default: learned.npz in the game's folder, where players look]",
)
@json_option
def train(
    game: "Game",
    on: str,
    resume: bool,
    out: Path | None,
    as_json: bool,
    **course: Any,
) -> None:
    """Learn to judge GAME from games that a small net plays against itself.

    \b
    yegg train second-story                  with all players and options
    yegg train magnate --games 40000 --out try.npz
    yegg train magnate --resume              go on after Ctrl-C, or worse
    yegg train secrets --on cluster --workers 8 --batch 64

    Half of the games that are not as published have only the players drawn, the others options
    too (players never with -p).  What has been learned so far is kept beside the weights, in
    FILE.part; the same seed gives the same weights, also when interrupted.  The levels easy and
    medium go by what was learned, until the rules or what is sensed change.
    """
    from yegg.players.value_net.value_function import WEIGHTS
    from yegg.training.trainer import Course, Training

    out = out or game.folder / WEIGHTS
    part = out.with_name(out.name + ".part")
    if resume:
        if not part.exists():
            raise click.UsageError(f"there is nothing to go on with: no {part}")
        training = Training.resumed(game, part)
    else:
        training = Training(game, Course(**course))
    with compiling(game.title, training.cold):
        training.warm()
    with _crew_on(on, training) as crew:
        _learn(training, crew, part, quiet=as_json)
    about = training.finish(out, MANY)
    part.unlink(missing_ok=True)
    emit(
        lambda: about | {"out": str(out), "shares": training.shares},
        lambda: _say(f"{game.title}, {training.shares[-1][0]:,} games learned from: {out}"),
        as_json=as_json,
    )


@contextmanager
def _crew_on(on: str, training: "Training") -> "Iterator[Crew | None]":
    """Who plays the games of a step."""
    if on == THREADS:
        yield None
        return
    from yegg.training.cluster import at_work

    with at_work(training, training.course.workers) as crew:
        yield crew


def _learn(training: "Training", crew: "Crew | None", part: Path, *, quiet: bool) -> None:
    """Advance to the end, with a look at how well it does and copies on the way."""
    from yegg.training.trainer import steps

    course = training.course
    every = max(1, course.steps // DUELS)
    kept, late = -KEEP, 0.25  # when the last copy was made; the mean squared error of late
    with (
        progress(f"error {late:.4f}", course.games, quiet=quiet) as update,
        _between_steps() as interrupted,
    ):
        for error in steps(training, crew):
            late += 0.02 * (error - late)
            done = min(training.played, course.games)
            update(completed=done, description=f"error {late:.4f}")
            if interrupted():
                break
            if training.step % every == 0 and training.step < course.steps:
                share = training.against_lore(FEW)
                if not quiet:
                    _say(f"{training.played:,} games: {share} against lore")
            if time.monotonic() - kept > KEEP:
                training.keep(part)
                kept = time.monotonic()
    if training.step < course.steps:
        training.keep(part)
        how = f"yegg train {training.game.name} --resume"
        raise click.ClickException(f"stopped after {training.played:,} games; {how} goes on")


@contextmanager
def _between_steps() -> "Iterator[Callable[[], bool]]":
    """Ctrl-C waits for the end of a step; what is given tells whether it came."""
    came: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _frame: came.append(number))
    try:
        yield lambda: bool(came)
    finally:
        signal.signal(signal.SIGINT, before)


def _say(text: str) -> None:
    from .screen import Screen

    Screen(stderr=True).print(text)
