"""``yegg export``: a dataset of decisions, as Parquet files."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from yegg.text.phrases import counted

from .options import FOLDER, PlayOptions, json_option, many_games, number, option
from .output import compiling, emit, stoppable

if TYPE_CHECKING:
    from yegg.lab.dataset.card import Facts


@click.command()
@many_games(
    10_000,
    games="How many games.",
    bots="Who plays: one bot for all seats, or one for each; every deal is played in all seatings "
    "that differ. [default: medium]",
)
@number("--coach", "Ask the coach of each decision, for so many iterations; this takes long.")
@option("--out DIR", "The folder, new or empty.", FOLDER, required=True)
@json_option
def export(play: PlayOptions, coach: int | None, out: Path, as_json: bool) -> None:
    """Play GAME many times and write each decision into Parquet files, to learn from.

    \b
    yegg export second-story -n 10000 --bots greedy --out data
    yegg export magnate -n 100 --bots hard,medium --coach 200 --out judged

    DIR then has decisions-00000.parquet and so on, a row for each decision with what its seat may
    know; games.parquet, a row for each game with its record; and README.md, which says what is
    there, as dataset hubs show it.  The same seed (0 if none is given) gives the same rows on any
    number of threads.  Ctrl-C ends it, and what was played is kept.
    """
    from yegg.lab.dataset.files import Writer
    from yegg.lab.dataset.tables import Teller

    from .simulate import compile_for, shown

    setting = play.setting("medium")
    teller = Teller.of(setting, coach or 0)
    with Writer(teller, play.games, out) as writer, stoppable() as stop:
        compile_for(setting)
        with compiling(setting.game.title, teller.cold):
            teller.tables(range(1))
        shown(writer.run, setting, play, quiet=as_json)
    emit(lambda: writer.facts.data, lambda: summary(writer.facts, out), as_json=as_json)
    stop.leave()


def summary(facts: "Facts", folder: Path) -> str:
    """What was written, in a line."""
    return (
        f"{counted(facts.decisions, 'decision')} of {counted(facts.games, 'game')} are in {folder}."
    )
