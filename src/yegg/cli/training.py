"""``yegg train``: learn to play a game, by play against itself or against a bot."""

import signal
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import yegg.training  # noqa: F401  before NumPy: it says on how many threads BLAS runs
from yegg.text.untrusted import say

from . import completion
from .against import beaten, exploiter, one_bot, slow, usual
from .numbers import SEEDS, Real, Whole
from .options import FILE, GameName, flag, json_option, number, option, options_option
from .output import INTERRUPTED, compiling, emit, progress

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from yegg.engine import Game
    from yegg.training.trainer import Training

ALL = "all"
MOST_MINUTES = 7 * 24 * 60.0
GONE = {
    "--games": "--minutes or --decisions says how long it learns",
    "--guests": "all seats are the net's; leave it out",
    "--batch": "leave it out",
    "--workers": "it takes all cores; leave it out",
    "--on": "--device cuda takes a graphics card",
}
"""Options of version 1.0, and what there is now in their place."""


class GameOrAll(GameName):
    """The name of a game, or `ALL`."""

    name = "game"

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        """The game itself, or None for all of them."""
        return None if value == ALL else super().convert(value, param, ctx)


def _gone(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
    if value is not None:
        name = param.opts[0]
        raise click.UsageError(f"{name} went with version 1.0's learner: {GONE[name]}", ctx)


def _refusing_gone(command: "Callable[..., Any]") -> "Callable[..., Any]":
    """Refuse the options of version 1.0 in a sentence."""
    for name in GONE:
        hidden = click.option(name, callback=_gone, hidden=True, expose_value=False)
        command = hidden(command)
    return command


@click.command()
@click.argument("game", type=GameOrAll(), is_eager=True)
@option("--minutes M", "How long to learn a game.  [default: 10]", Real(0.01, MOST_MINUTES))
@number(
    "--decisions", "Learn from so many decisions instead: then a seed gives one net.", most=10**12
)
@option(
    "--against BOT",
    "Learn to beat a bot: it has all seats but one of each game, as usually played unless -p, "
    "--option and --published say otherwise.",
    callback=one_bot,
    shell_complete=completion.bots,
)
@option("--players -p N", "How many players; by default each number that can play.", Whole())
@options_option
@option(
    "--published SHARE",
    "The share of games as published; in the others options are drawn.  "
    "[default: 0.5; 1 against a bot]",
    Real(0, 1),
)
@number("--units", "How many units each of the net's two layers has.  [default: 256]", most=1024)
@option(
    "--device",
    "Where to learn: on the processor, or on a graphics card (extras cuda and cupy).",
    click.Choice(["cpu", "cuda"]),
    "cpu",
)
@number("--seed", "The same number gives the same net, with --decisions.", 1, least=0, most=SEEDS)
@option(
    "--from begin_with FILE",
    "Begin with the net of a file; against a bot, by default with its own, unless --units is "
    "given.",
    FILE,
)
@option(
    "--teacher teachers FILE",
    "First learn to play as the net of a file does, in the settings that it has learned; "
    "may be repeated.",
    FILE,
    multiple=True,
)
@option(
    "--teaching SHARE",
    "The share of the time in which teachers are listened to; 1: to the end.",
    Real(0, 1),
    0.3,
)
@flag("--resume", "Go on with what was interrupted, as it was begun.")
@flag("--show", "Learn nothing: tell what the net of --out has learned, and how well it plays.")
@option(
    "--out FILE",
    "Where the net goes.  [default: policy.npz in the game's folder, where players look; against "
    "a bot, GAME-against-BOT.npz in this folder]",
    FILE,
)
@_refusing_gone
@json_option
def train(
    game: "Game | None", resume: bool, show: bool, out: Path | None, as_json: bool, **given: Any
) -> None:
    """Learn to play GAME by play against itself, or a bot; for all games, GAME is `all`.

    \b
    yegg train second-story                       ten minutes: all players and options
    yegg train thiefs-market -p 3 --published 1 --minutes 60
    yegg train magnate --resume                   go on after Ctrl-C, or worse
    yegg train all --minutes 480 --device cuda    on a graphics card
    yegg train magnate --show                     the card of the net that there is
    yegg train magnate --against medium           what does medium give away?

    One net learns to play with every number of players, and by all options, or only as -p,
    --option and --published say.  What has been learned so far is kept beside the net, in
    FILE.part; how well it played on the way is drawn in FILE.svg where the extra lab is installed.
    --against tells in the end how much a player wins who has learned to beat that bot.
    """
    from yegg import games

    if game is None and (out or given["options"] or given["teachers"] or given["begin_with"]):
        raise click.UsageError(
            "--out, --option, --teacher and --from are for one game; name it in place of all"
        )
    if given["minutes"] and given["decisions"]:
        raise click.UsageError("--minutes or --decisions says how long; give one of them")
    every = [game] if game else [games.find(name) for name in games.names()]
    if show:
        _show(every, out, one=game is not None, as_json=as_json)
        return
    if game is None and resume:
        from yegg.training.course import part_of

        left = [i for i, one in enumerate(every) if part_of(_out(one, given["against"])).exists()]
        if not left:
            raise click.UsageError("there is nothing to go on with")
        every = every[left[0] :]
    done = []
    for one in every:
        on = resume and (game is not None or one is every[0])
        there = out or _out(one, given["against"])
        done.append(_train(one, there, resume=on, quiet=as_json, **given))
    emit(lambda: done if game is None else done[0], as_json=as_json)


def _show(every: "list[Game]", out: Path | None, *, one: bool, as_json: bool) -> None:
    """Tell what nets have learned; of all games, of those that have one.  Raises Refused."""
    from yegg.players.policy_net.card import card
    from yegg.players.policy_net.weights import load, path_of

    found = [(game, out or path_of(game)) for game in every]
    there = found if one else [each for each in found if each[1].exists()] or found[:1]
    nets = [(game, path, load(game, path)[0]) for game, path in there]
    told = [about | {"out": str(path)} for _, path, about in nets]
    if as_json:
        emit(lambda: told[0] if one else told, as_json=True)
    else:
        say("\n\n".join(card(game, about, path) for game, path, about in nets))


def _out(game: "Game", against: str | None = None) -> Path:
    from yegg.players.policy_net.weights import own_path

    if against:
        return Path(f"{game.name}-against-{against.replace(':', '-')}.npz")
    return own_path(game)


def _train(game: "Game", out: Path, *, resume: bool, quiet: bool, **given: Any) -> dict[str, Any]:
    """Learn one game; return what the net's file says.  Raises Exit after Ctrl-C."""
    from yegg.training.course import complete, met_in, part_of

    part = part_of(out)
    _ours(out)
    training = _resumed(game, part, given["device"]) if resume else _begun(game, part, **given)
    if not quiet:
        one = training.shown
        how = ", ".join(f"{name}={value}" for name, value in one.options.items())
        says = f"{game.title}: share of wins with {one.players} players{how and ', ' + how}"
        say(f"{says}; even is {1 / one.sides:.1%}", err=True)
    course = training.course
    total = course.decisions or round((course.minutes or 0) * 60)
    learned_for = [training.spent]

    def moved(now: "Training") -> None:
        learned_for.append(now.spent)
        if now.lesson == 1 and not quiet and (how := slow(now)):
            say(how, err=True)
        update(completed=round(now.share * total))

    with progress(game.title, total, quiet=quiet) as update, _between_lessons() as stopped:
        done = complete(
            training,
            out,
            told=lambda point: None if quiet else say(line(point, training.meets), err=True),
            moved=moved,
            stopped=stopped,
        )
    if not done:
        more = f" --out {out}" if out != _out(game) else ""
        more += f" --device {given['device']}" if given["device"] != "cpu" else ""
        how = f"yegg train {game.name} --resume{more}"
        say(f"Stopped after {training.decisions:,} decisions; {how} goes on.", err=True)
        raise click.exceptions.Exit(INTERRUPTED)
    about, drawn = done
    if not quiet:
        picture = f", and {drawn}" if drawn else ""
        say(
            f"{game.title}, {training.decisions:,} decisions learned from: {out}{picture}", err=True
        )
    found = about | {"out": str(out)}
    if course.against is None:
        return found
    told = exploiter(training, met_in(training)[1], learned_for[-1])
    if not quiet:
        say(beaten(told))
    return found | {"exploiter": told}


def line(point: dict[str, Any], bots: "Sequence[str]") -> str:
    """A point of the curve in a line, with the bots that the net has met."""
    met = ", ".join(f"{shown(*point[bot])} against {bot}" for bot in bots)
    done = f"{point['decisions'] / 1e6:.2f} million decisions"
    return f"{done}: {met}; entropy {point['entropy']:.2f}"


def shown(value: float, low: float, high: float) -> str:
    """A share with its interval."""
    from yegg.stats.intervals import Figure

    return str(Figure(value, low, high, percent=True))


def _begun(game: "Game", part: Path, **given: Any) -> "Training":
    """A training at its beginning, with everything compiled.  Raises UsageError and Refused."""
    from yegg.players.policy_net.weights import load
    from yegg.training.device import device
    from yegg.training.trainer import Training, TrainingPlan

    _ours(part)
    where = device(given.pop("device"))
    if given["against"]:
        given |= usual(game, **given)
    begin_with, units = given.pop("begin_with"), given.pop("units")
    given["published"] = given["published"] if given["published"] is not None else 0.5
    if begin_with:
        units = units or load(game, begin_with)[1].b1.size
        given["begin_with"] = str(begin_with)
    given["teachers"] = tuple(map(str, given["teachers"]))
    if not given["decisions"]:
        given["minutes"] = given["minutes"] or 10.0
    sizes: dict[str, Any] = {"games": where.games, "steps": where.steps, "step": where.step}
    course = TrainingPlan(units=units or 256, **sizes | given)
    training = Training(game, course, where)
    with compiling(game.title, training.cold):
        training.begin()
        training.warm()
    return training


def _resumed(game: "Game", part: Path, name: str) -> "Training":
    from yegg.training import checkpoint
    from yegg.training.device import device

    if not part.exists():
        raise click.UsageError(f"there is nothing to go on with: no {part}")
    return checkpoint.resumed(game, part, device(name))


def _ours(path: Path) -> None:
    """Check that a file is ours to replace: of learned weights, or not there.  Raises Refused."""
    from yegg.players.weights import read
    from yegg.training.checkpoint import LARGEST

    if path.exists():
        read(path, largest=LARGEST, most=64)


@contextmanager
def _between_lessons() -> "Iterator[Callable[[], bool]]":
    """Ctrl-C waits for the end of a lesson; what is given tells whether it came."""
    came: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _frame: came.append(number))
    try:
        yield lambda: bool(came)
    finally:
        signal.signal(signal.SIGINT, before)
