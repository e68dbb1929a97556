"""``yegg train``: train a value net for a game by self-play."""

import signal
import time
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from yegg.text.untrusted import say

from .numbers import SEEDS, Real
from .options import (
    FILE,
    THREADS,
    flag,
    game_argument,
    json_option,
    number,
    on_option,
    option,
    players_option,
)
from .output import compiling, emit, progress

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from yegg.engine import Game
    from yegg.training.trainer import Executor, Training

KEEP = 5.0  # seconds between two copies of what has been learned
DUELS = 4  # how often it is played against lore on the way
FEW, MANY = 300, 1200  # games against lore: on the way, and in the end


@click.command()
@game_argument
@number("--games", "How many games to learn from.", 100_000)
@players_option
@number("--units", "How many units the net has.", 32, most=1024)
@number("--seed", "The same number gives the same weights.", 1, least=0, most=SEEDS)
@option(
    "--published SHARE",
    "The share of games as published; in the others players or options are drawn.",
    Real(0, 1),
    0.75,
)
@option(
    "--guests SHARE",
    "The share of seats that greedy plays.",
    Real(0, 1, below=True),
    0.34,
)
@number("--batch", "How many games are played between two changes of the weights.", 8, most=100_000)
@number(
    "--workers",
    "Who share these games; the same number gives the same weights, here or on a cluster.",
    1,
    most=1024,
)
@on_option
@flag("--resume", "Go on with what was interrupted, as it was begun.")
@option(
    "--out FILE",
    "Where the weights go. [default: learned.npz in the game's folder, where players look]",
    FILE,
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
    from yegg.training.cluster import at_work
    from yegg.training.trainer import Course, Training, ours

    out = out or game.folder / WEIGHTS
    part = out.with_name(out.name + ".part")
    if resume:
        if not part.exists():
            raise click.UsageError(f"there is nothing to go on with: no {part}")
        training = Training.resumed(game, part)
    else:
        training = Training(game, Course(**course))
        ours(part)
    ours(out)
    with compiling(game.title, training.cold):
        training.warm()
    workers = training.course.workers
    with nullcontext() if on == THREADS else at_work(training, workers) as executor:
        _learn(training, executor, part, quiet=as_json)
    about = training.finish(out, MANY)
    part.unlink(missing_ok=True)
    emit(
        lambda: about | {"out": str(out), "shares": training.shares},
        lambda: say(
            f"{game.title}, {training.shares[-1][0]:,} games learned from: {out}", err=True
        ),
        as_json=as_json,
    )


def _learn(training: "Training", executor: "Executor | None", part: Path, *, quiet: bool) -> None:
    """Advance to the end, with a look at how well it does and copies on the way."""
    from yegg.training.trainer import steps

    course = training.course
    every = max(1, course.steps // DUELS)
    before = min(training.played, course.games)
    kept, late = -KEEP, 0.25  # when the last copy was made; the mean squared error of late
    with (
        progress(f"error {late:.4f}", course.games, quiet=quiet, before=before) as update,
        _between_steps() as interrupted,
    ):
        for error in steps(training, executor):
            late += 0.02 * (error - late)
            done = min(training.played, course.games)
            update(completed=done, description=f"error {late:.4f}")
            if interrupted():
                break
            if training.step % every == 0 and training.step < course.steps:
                share = training.against_lore(FEW)
                if not quiet:
                    say(f"{training.played:,} games: {share} against lore", err=True)
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
