"""``yegg sim`` and ``yegg bench``: simulate many games, and measure how fast they are played."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from yegg.text.untrusted import quoted

from .failing import debug_option, debugged, kept_apart, tell_failures
from .options import (
    CLUSTER,
    FILE,
    MOST,
    PlayOptions,
    flag,
    json_option,
    many_games,
    number,
    on_option,
    option,
    optional_game_argument,
    player_seconds_option,
    records_option,
)
from .output import compiling, draw, emit, progress, stoppable, table

if TYPE_CHECKING:
    from yegg.engine import Game
    from yegg.lab.batch import Matchup
    from yegg.lab.simulation import Player

LEGEND = """
plain: events a second without compiling. by Match: one choice at a time, from Python.
two threads: how many times as fast as one thread. state: the size of a position.
A program in C for one game alone can be twice as fast: docs/performance.md tells."""


device_option = option(
    "--device",
    "Where: this machine's processor, or its graphics card (needs the extra `cuda`).",
    click.Choice(["cpu", "cuda"]),
    "cpu",
)


def _axes(
    ctx: click.Context, param: click.Parameter, values: tuple[str, ...]
) -> dict[str, list[str]]:
    """``NAME=A,B`` as a name and its values."""
    axes: dict[str, list[str]] = {}
    for value in values:
        name, equals, many = value.partition("=")
        if not equals or not name or not many:
            raise click.UsageError(f"{quoted(value)} is not NAME=A,B, as --vary districts=4,5", ctx)
        if name in axes:
            raise click.UsageError(f"--vary {quoted(name)} is given twice; list all values at once")
        axes[name] = [level.strip() for level in many.split(",")]
    return axes


@click.command("sim")
@many_games(
    1000,
    most=MOST,
    games="How many games.",
    bots="Who plays: one bot for all seats, or one for each; every deal is played in all seatings "
    "that differ. [default: uniform]",
)
@number("--max-events", "End a game after this many events and count it as unfinished.")
@records_option
@flag("--legal", "With --records: also write what else was legal.")
@option(
    "--vary NAME=A,B,…",
    "Compare values of an option over the same deals, as an experiment; "
    "several make a grid; `players` is one too, and `cards` with files of decks, of which one "
    "alone is compared with the published deck.  -n is the number of deals then.",
    multiple=True,
    callback=_axes,
)
@option(
    "--report",
    "Write a page about it; the experiment comes beside it as FILE.toml, its games as FILE/.",
    FILE,
    metavar="FILE.html",
)
@device_option
@on_option
@player_seconds_option
@debug_option
@json_option
def simulate(
    play: PlayOptions,
    max_events: int | None,
    records: Path | None,
    legal: bool,
    vary: dict[str, list[str]],
    report: Path | None,
    device: str,
    on: str,
    seconds: float,
    debug: bool,
    as_json: bool,
) -> None:
    """Play GAME many times and report how it went, with 95 % intervals.

    \b
    yegg sim second-story -n 100000                         random play
    yegg sim magnate --bots medium,easy --option districts=4
    yegg sim thiefs-market --bots greedy --cards my.csv     is this card too strong?
    yegg sim magnate --vary districts=4,5 --report a.html   what does that change? (or cards=my.csv)
    yegg sim secrets -n 1000000 --device cuda               random play on a graphics card
    yegg sim secrets -n 1000000 --on cluster --device cuda  on all cards of a Ray cluster

    The same seed (0 if none is given) gives the same games on any number of threads, and on cards.
    Ctrl-C ends it, and what was played is told.
    """
    _check_card(device, used=bool(play.threads or records or vary or report))
    if vary or report:
        if records or legal or max_events:
            raise click.UsageError(
                "--vary and --report play an experiment, which takes none of --records, --legal "
                "and --max-events"
            )
        if play.cards and "cards" in vary:
            raise click.UsageError("--cards and --vary cards=… both name a deck; give one of them")
        _compare(play, vary, report, on, as_json=as_json)
        return
    _check_records(records, play, on, legal=legal)
    from yegg.lab import simulation
    from yegg.lab.kept_records import Records
    from yegg.lab.simulation_report import as_text, to_dict

    setting = replace(play.setting("uniform", max_events), seconds=seconds, debug=debug)
    kept = Records(setting, records, legal=legal) if records else None
    keep = kept.add if kept else None
    with (
        stoppable() as stop,
        debugged(debug),
        kept_apart(as_json),
        _player(setting, play.threads, on, device, log=bool(keep)) as by,
    ):
        played = shown(simulation.simulate, setting, play, quiet=as_json, by=by, batches=keep)
    if stop.why:
        if not isinstance(stop.why, simulation.Interrupted):
            raise stop.why  # nothing had been played
        played = stop.why.played
    emit(lambda: to_dict(setting, *played), lambda: as_text(setting, *played), as_json=as_json)
    if not as_json:
        tell_failures(setting, played[0].failures, kept)
    stop.leave()


def _check_card(device: str, *, used: bool) -> None:
    """Refuse what does not go with a graphics card, if it is ``used``."""
    if device == "cuda" and used:
        raise click.UsageError(
            "--device cuda plays with a thread for each game and keeps no records: it takes none "
            "of --threads, --records, --vary and --report; leave it out to have the processor play"
        )


def _check_records(records: Path | None, play: PlayOptions, on: str, *, legal: bool) -> None:
    """Refuse what does not go with records, and with a cluster."""
    if legal and not records:
        raise click.UsageError("--legal goes with --records FOLDER")
    if on == CLUSTER and (records or play.cards):
        raise click.UsageError(
            "the nodes of a cluster send no records and have no deck of yours: --on cluster takes "
            "neither --records nor --cards"
        )


@contextmanager
def _player(
    setting: "Matchup", threads: int | None, on: str, device: str, *, log: bool
) -> "Iterator[Player]":
    """Who plays: the processor, the graphics card, or a cluster; compiled first."""
    if device == "cpu":
        compile_for(setting)
    if on == CLUSTER:
        from yegg.lab.executors.ray import at_work
        from yegg.lab.executors.ray_simulation import Nodes

        # Ray tells of lost workers on the standard output, where `--json` belongs.
        with at_work(threads) as cluster, redirect_stdout(sys.stderr):
            yield Nodes(cluster, setting, device)
    elif device == "cuda":
        from yegg.lab.on_a_card import Card

        with compiling(setting.game.title, lambda: True, "the graphics card"):
            card = Card(setting)
        yield card
    else:
        from yegg.lab.simulation import Processor

        yield Processor(setting, threads, log=log)


def compile_for(setting: "Matchup") -> None:
    """Compile what a simulation on the processor needs."""
    from yegg.lab.simulation import cold, warm

    with compiling(setting.game.title, lambda: cold(setting)):
        warm(setting)


def shown(
    run: Callable[..., Any], setting: "Matchup", play: PlayOptions, *, quiet: bool, **more: Any
) -> Any:
    """What ``run`` makes of many games, shown by a bar."""
    called = f"{setting.game.title}, {setting.players} players"
    with progress(called, play.games, quiet=quiet) as update:
        more |= {"threads": play.threads, "progress": lambda n: update(completed=n)}
        return run(setting, play.games, **more)


def _compare(
    play: PlayOptions, vary: dict[str, list[str]], report: Path | None, on: str, *, as_json: bool
) -> None:
    """Play the experiment that ``--vary`` asks for; with ``report`` keep it and write the page."""
    from tempfile import TemporaryDirectory

    from yegg.files import write_atomic
    from yegg.lab.api import begun, varying

    from .experiments import complete, executor_on, tell

    bots = play.bots
    several = len(bots) > 1
    count = play.players or (len(bots) if several else None)
    beside = report.parent if report else Path()
    fixed: dict[str, str] = dict(play.options)
    if play.cards:
        fixed["cards"] = os.path.relpath(play.cards, beside)
    experiment = varying(
        play.game,
        {**vary, **_decks(vary, beside)},
        folder=beside,
        rules=[fixed] if fixed else [],
        bots=[bots] if several else bots or ["uniform"],
        players=None if "players" in vary else count,
        sample={"deals": play.games},
        seed=play.seed,
    )
    if report and not (report.with_suffix("") / "manifest.json").exists():
        for path in (report, report.with_suffix(".toml")):
            if path.exists():
                raise click.UsageError(f"{path} is there already; name another file by --report")
    with TemporaryDirectory(prefix="yegg-") as folder:
        run = begun(experiment, report.with_suffix("") if report else Path(folder))
        if report:
            write_atomic(report.with_suffix(".toml"), experiment.source.encode())
        with executor_on(on, play.threads) as executor:
            complete(run, executor, quiet=as_json)
        tell(run, as_json=as_json, published=report is not None, copy_to=report)


def _decks(vary: dict[str, list[str]], beside: Path) -> dict[str, list[str] | str]:
    """The decks that are compared, by their paths from where the experiment will lie."""
    from yegg.lab.experiment.decks import CARDS, PUBLISHED

    files = [
        file if file == PUBLISHED else os.path.relpath(file, beside) for file in vary.get(CARDS, ())
    ]
    if not files:
        return {}
    return {CARDS: files if len(files) > 1 or files == [PUBLISHED] else files[0]}


@click.command()
@optional_game_argument
@json_option
@flag("--peers", "Also measure OpenSpiel's Pig (needs open-spiel).")
@device_option
def bench(game: "Game | None", as_json: bool, peers: bool, device: str) -> None:
    """Measure how fast GAME, or every game, is played at random on this machine.

    \b
    yegg bench                 all games: a minute or two
    yegg bench second-story    one of them

    Rates are per second of one core's own time; each is the median of seven repeats.  Other
    work on the machine still disturbs them, so compare only figures of the same run.
    Those of a graphics card are per second of the clock; first each game is compiled for it.
    """
    from yegg import games
    from yegg.engine import kernels
    from yegg.lab import bench

    measured_games = [game] if game else [games.find(name) for name in games.names()]
    if device == "cuda":
        _bench_card(measured_games, as_json=as_json)
        return
    rates = {}
    for measured in measured_games:
        with compiling(measured.title, partial(measured.engine().cold, kernels.playouts)):
            bench.playouts(measured, measured.usual, "compiled")
        rates[measured.name] = bench.measure(measured)
    pig = None
    if peers:
        try:
            pig = {"players": 3, "events_per_second": bench.pig()}
        except ImportError:
            raise click.UsageError("--peers needs the package open-spiel: `make bench`") from None
    emit(
        lambda: rates | ({"openspiel-pig": pig} if pig else {}),
        lambda: _show_rates(rates, pig),
        as_json=as_json,
    )


def _bench_card(measured: "list[Game]", *, as_json: bool) -> None:
    """Measure games on the graphics card, and tell the figures."""
    from yegg.engine import cuda
    from yegg.lab import bench

    card = cuda.name()
    rates = {one.name: bench.on_a_card(one) | {"card": card} for one in measured}

    def show() -> None:
        drawn = table("game", "players", "events/s", right=["players", "events/s"])
        for name, rate in rates.items():
            drawn.add_row(name, str(rate["players"]), f"{rate['events_per_second']:,.0f}")
        many = next(iter(rates.values()))["games_at_once"]
        draw(f"Random play, chance's events included, {many:,} games at once on {card},")
        draw("median of seven repeats\n")
        draw(drawn)

    emit(lambda: rates, show, as_json=as_json)


def _show_rates(rates: dict[str, dict[str, float]], pig: dict[str, float] | None) -> None:
    """The figures as a table."""
    columns = {
        "players": ("players", "{}"),
        "events/s": ("events_per_second", "{:,.0f}"),
        "games/s": ("games_per_second", "{:,.0f}"),
        "plain": ("plain_events_per_second", "{:,.0f}"),
        "by Match": ("match_events_per_second", "{:,.0f}"),
        "two threads": ("two_threads", "×{:.2f}"),
        "state": ("state_bytes", "{} B"),
    }
    drawn = table("game", *columns, right=columns)
    for name, rate in rates.items():
        drawn.add_row(name, *[form.format(rate[key]) for key, form in columns.values()])
    draw("Random play, chance's events included, one core, median of seven repeats\n")
    draw(drawn)
    draw(LEGEND, style="dim")
    if pig:
        speed = f"{pig['events_per_second']:,.0f} events/s"
        draw(f"\nOpenSpiel (C++), which plays any game, Pig, 3 players: {speed}")
