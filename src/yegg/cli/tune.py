"""``yegg lab tune``: settings of a game searched for what a designer aims at."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from yegg.text.untrusted import say

from .arguments import compiling
from .executors import crew_on
from .experiments import of_playing
from .progress import reported

if TYPE_CHECKING:
    from yegg.lab.tuning.result import Closest


@click.command()
@of_playing("search")
def command(
    file: Path,
    out: Path | None,
    threads: int | None,
    on: str,
    quiet: bool,
    no_report: bool,
    as_json: bool,
) -> None:
    """Search the settings in FILE for those that come closest to what you aim at.

    \b
    question = "How many chips make 15 minutes for three?"
    game = "second-story"
    bots = ["medium"]
    [tune]                        # all settings of these are tried
    chips = { from = 3, to = 20 }
    courts = ["no", "yes"]
    [target]                      # is, below or above
    minutes = { is = 15 }
    tied = { of = "winners > 1", below = 0.02, weight = 2 }
    [sample]
    games = 4000                  # of the search
    final = 1000                  # fresh deals for each of the eight that are left

    All settings play a few deals, the better half goes on with twice as many, until one is left.
    The last eight are measured over deals that none of them has met, so that luck in the search
    is not told as a success.  After a stop, by whatever, the same command goes on.
    """
    from yegg.lab.experiment.findings import as_data as findings_as_data
    from yegg.lab.experiment.findings import findings
    from yegg.lab.report.files import publish_search
    from yegg.lab.tuning.result import as_data, closest
    from yegg.lab.tuning.schema import read
    from yegg.lab.tuning.search import Search

    search = Search(read(file), out or file.with_suffix(""))
    search.begin()
    experiment = search.tuning.experiment
    quiet = quiet or as_json
    with crew_on(on, threads) as crew, reported("games", quiet=quiet) as report:
        from yegg.lab.experiment.shards import is_cold, prepare

        with compiling(experiment.game.title, lambda: is_cold(experiment)):
            prepare(experiment)
        run = search.play(crew, lambda news: report(news.done, news.total, news.says))
    found = findings(run)
    made = closest(search.tuning, search.rounds, run, found)
    page = None if no_report else publish_search(made, search.folder)
    if as_json:
        click.echo(json.dumps({"search": as_data(made), **findings_as_data(found)}, indent=2))
        return
    _show(made)
    if page:
        say(f"The report: {page}")


def _show(made: "Closest") -> None:
    """Tell in a terminal what a search found."""
    from rich.console import Group
    from rich.text import Text

    from yegg.lab.report.narrative import capital, limits
    from yegg.lab.simulation_report import table as drawn
    from yegg.lab.tuning.result import answer, method, sentences, table

    from .screen import Screen

    said = [f"• {head} {figures}".rstrip() for head, figures in sentences(made)]
    left = table(made)
    left.rows = [[c["text"] if isinstance(c, dict) else c for c in row] for row in left.rows]
    below = [capital(line) for line in (*method(made), *limits(made.found))]
    parts = [
        Text(made.tuning.question, "bold"),
        Text(f"{made.tuning.game.title}, seed {made.tuning.experiment.seed}", "dim"),
        Text(f"{answer(made)}\n"),
        *map(Text, said),
        drawn(left),
        Text(""),
        *(Text(line, "dim") for line in below),
    ]
    Screen().print(Group(*parts))
