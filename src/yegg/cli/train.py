"""``yegg train``: a judge for a game, learned by play against itself."""

import json
import signal
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .arguments import compiling, game_argument, json_option, players_option
from .executors import THREADS, on_option

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from yegg.engine import Game
    from yegg.training.trainer import Crew, Training

KEEP = 5.0  # seconds between two copies of what has been learned
DUELS = 4  # how often it is played against lore on the way
FEW, MANY = 300, 1200  # games against lore: on the way, and in the end


@click.command()
@game_argument
@click.option(
    "--games",
    type=click.IntRange(1),
    default=100_000,
    show_default=True,
    metavar="N",
    help="How many games to learn from.",
)
@players_option
@click.option(
    "--units",
    type=click.IntRange(1, 1024),
    default=32,
    show_default=True,
    metavar="N",
    help="How many units the net has.",
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=1,
    show_default=True,
    metavar="N",
    help="The same number gives the same weights.",
)
@click.option(
    "--published",
    type=click.FloatRange(0, 1),
    default=0.75,
    show_default=True,
    metavar="SHARE",
    help="The share of games as published; in the others players or options are drawn.",
)
@click.option(
    "--guests",
    type=click.FloatRange(0, 1, max_open=True),
    default=0.34,
    show_default=True,
    metavar="SHARE",
    help="The share of seats that greedy plays.",
)
@click.option(
    "--batch",
    type=click.IntRange(1),
    default=8,
    show_default=True,
    metavar="N",
    help="How many games are played between two changes of the weights.",
)
@click.option(
    "--workers",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    metavar="N",
    help="Who share these games; the same number gives the same weights, here or on a cluster.",
)
@on_option
@click.option("--resume", is_flag=True, help="Go on with what was interrupted, as it was begun.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Where the weights go. [default: learned.npz in the game's folder, where players look]",
)
@json_option
def command(
    game: "Game",
    games: int,
    players: int | None,
    units: int,
    seed: int,
    published: float,
    guests: float,
    batch: int,
    workers: int,
    on: str,
    resume: bool,
    out: Path | None,
    as_json: bool,
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
        course = Course(games, units, seed, players, published, guests, batch, workers=workers)
        training = Training(game, course)
    with compiling(game.title, training.cold):
        training.warm()
    with _crew_on(on, training) as crew:
        _learn(training, crew, part, quiet=as_json)
    about = training.finish(out, MANY)
    part.unlink(missing_ok=True)
    if as_json:
        click.echo(json.dumps(about | {"out": str(out), "shares": training.shares}, indent=2))
    else:
        _say(f"{game.title}, {training.shares[-1][0]:,} games learned from: {out}")


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
    kept = -KEEP
    with _progress(course.games, quiet=quiet) as show, _between_steps() as interrupted:
        for error in steps(training, crew):
            show(training.played, error)
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


@contextmanager
def _progress(games: int, *, quiet: bool) -> "Iterator[Callable[[int, float], None]]":
    """A bar with the games learned from and the mean squared error of late."""
    from .progress import counting

    with counting("error {task.fields[error]:.4f}", quiet=quiet) as bar:
        task = bar.add_task("", total=games, error=0.25)
        late = 0.25

        def show(played: int, error: float) -> None:
            nonlocal late
            late += 0.02 * (error - late)
            bar.update(task, completed=min(played, games), error=late)

        yield show


def _say(text: str) -> None:
    from .screen import Screen

    Screen(stderr=True).print(text)
