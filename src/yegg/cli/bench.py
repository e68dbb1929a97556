"""``yegg bench``: how fast the games run on this machine."""

import json
from typing import TYPE_CHECKING

import click

from .arguments import GameName, compiling, json_option

if TYPE_CHECKING:
    from yegg.engine import Game

LEGEND = """
plain: events a second without compiling. by Match: one choice at a time, from Python.
two threads: how many times as fast as one thread. state: the size of a position."""


@click.command()
@click.argument("game", type=GameName(), required=False)
@json_option
@click.option("--peers", is_flag=True, help="Also measure OpenSpiel's Pig (needs open-spiel).")
def command(game: "Game | None", as_json: bool, peers: bool) -> None:
    """Measure how fast GAME, or every game, is played at random on this machine.

    \b
    yegg bench                 all games: a minute or two
    yegg bench second-story    one of them

    Rates are per second of one core's own time; each is the median of seven repeats.  Other
    work on the machine still disturbs them, so compare only figures of the same run.
    """
    from yegg import games
    from yegg.engine import kernels
    from yegg.lab import bench

    found = {}
    for one in [game] if game else [games.find(name) for name in games.names()]:
        engine = one.engine()
        with compiling(one.title, lambda: engine.cold(kernels.playouts)):  # noqa: B023
            bench.playouts(one, one.usual, "compiled")
        found[one.name] = bench.measure(one)
    pig = peer() if peers else None
    if as_json:
        click.echo(json.dumps(found | ({"openspiel-pig": pig} if pig else {}), indent=2))
    else:
        show(found, pig)


def peer() -> dict[str, float]:
    """OpenSpiel's Pig with three players, in this same run."""
    from yegg.lab import bench

    try:
        return {"players": 3, "events_per_second": bench.pig()}
    except ImportError:
        raise click.UsageError("--peers needs the package open-spiel: `make bench`") from None


def show(found: dict[str, dict[str, float]], pig: dict[str, float] | None) -> None:
    """The figures as a table."""
    from rich.table import Table

    from .screen import Screen

    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("game")
    titles = ("players", "events/s", "games/s", "plain", "by Match", "two threads", "state")
    for column in titles:
        table.add_column(column, justify="right")
    for name, f in found.items():
        table.add_row(
            name,
            f"{f['players']}",
            f"{f['events_per_second']:,.0f}",
            f"{f['games_per_second']:,.0f}",
            f"{f['plain_events_per_second']:,.0f}",
            f"{f['match_events_per_second']:,.0f}",
            f"×{f['two_threads']:.2f}",
            f"{f['state_bytes']} B",
        )
    console = Screen()
    console.print("Random play, chance's events included, one core, median of seven repeats\n")
    console.print(table)
    console.print(LEGEND, style="dim")
    if pig:
        console.print(
            f"\nOpenSpiel (C++), Pig, 3 players: {pig['events_per_second']:,.0f} events/s", end=""
        )
        if ours := found.get("second-story"):
            times = ours["events_per_second"] / pig["events_per_second"]
            console.print(f"; Second Story runs {times:.1f} times as fast", end="")
        console.print()
