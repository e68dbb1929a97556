"""``yegg calibrate``: whether the coach's chances are true."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .arguments import compiling, json_option, many_games, player_count
from .options import checked

if TYPE_CHECKING:
    from yegg.engine import Game
    from yegg.lab.batch import Setting
    from yegg.lab.calibration import Calibration

LEGEND = """The mean gap is the mean distance between said and came.  Even if every chance were
true, so few games would show a gap of about {}.
"""


@click.command()
@many_games(
    100,
    games="How many games.",
    bots="Who plays: one name for all seats, or one for each. [default: medium]",
)
@json_option
def command(
    game: "Game",
    games: int,
    players: int | None,
    bots: list[str],
    options: dict[str, str],
    cards: Path | None,
    seed: int | None,
    threads: int | None,
    as_json: bool,
) -> None:
    """Play GAME many times, and compare the coach's chances with who won.

    \b
    yegg calibrate secrets                      are the chances true between medium bots?
    yegg calibrate second-story --bots hard -n 50 --json

    The chances are those of the curve that yegg review shows, hidden things included, at
    every decision.  When it says 30 %, that side should win 30 times in 100.  Intervals are
    95 % ones over whole games, since all positions of one game end with the same result.
    """
    from yegg.lab.batch import Setting
    from yegg.lab.calibration import as_data, calibrate
    from yegg.lab.simulation import line_up, warm

    from .progress import counting

    game = game.with_cards(cards)
    count = player_count(game, players, options, len(bots))
    checked(game, count, options, "--players {}")
    setting = Setting(
        game, count, options, line_up(game, count, options, bots or ["medium"]), seed or 0
    )
    with compiling(game.title, lambda: warm(setting, dry=True)):
        warm(setting)
    with counting(quiet=as_json) as bar:
        task = bar.add_task(f"{game.title}, {count} players", total=games)
        found = calibrate(
            setting,
            games,
            threads=threads,
            progress=lambda done: bar.update(task, completed=done),
        )
    if as_json:
        click.echo(json.dumps(as_data(setting, found), indent=2))
    else:
        show(setting, found)


def show(setting: "Setting", found: "Calibration") -> None:
    """A row for each bin, and what they come to."""
    from rich.table import Table
    from rich.text import Text

    from yegg.text.phrases import counted, listing, percent

    from .screen import Screen

    console = Screen()
    bots = listing(list(dict.fromkeys(setting.lineup)))
    played = f"{counted(setting.players, 'player')}, {counted(found.games, 'game')} of {bots}"
    console.print(Text.assemble((setting.game.title, "bold"), f", {played}"))
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for column in ("chance", "how often", "said", "came"):
        table.add_column(column, justify="right")
    for one in found.bins:
        if one.seats:
            span = f"{one.low * 100:.0f} to {percent(one.high)}"
            table.add_row(span, str(one.seats), percent(one.said, 1), str(one.came))
    console.print(table)
    console.print(f"Mean gap {found.mean_gap}")
    mean = f"always saying the mean has {found.brier_of_mean:.4f}"
    console.print(f"Brier score {found.brier.value:.4f}; {mean}")
    console.print(LEGEND.format(percent(found.chance_gap, 1)), style="dim")
