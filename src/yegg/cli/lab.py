"""``yegg lab``: experiments as files."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from yegg.text.untrusted import say

from .answers import command as answers
from .experiments import (
    ExperimentOptions,
    complete,
    crew_on,
    experiment_argument,
    of_playing,
    tell,
)
from .options import GameName, json_option
from .output import emit
from .search import counter, tune

if TYPE_CHECKING:
    from yegg.engine import Game
    from yegg.lab.experiment.runs import Run

run_argument = click.argument("run", type=click.Path(path_type=Path, file_okay=False))


@click.group()
def command() -> None:
    """Answer a question about a game by experiment.

    \b
    yegg lab plan districts.toml               what would be played, and how long it takes
    yegg lab run districts.toml --out answer   play it; the same command goes on after a stop
    yegg lab show answer                       what came out
    yegg lab report answer                     a page about it, answer/report.html
    yegg lab check answer                      whether it is still what it was
    yegg lab answers                           the questions of docs/questions
    yegg lab counter magnate --bots medium --out counter   habits that beat a bot
    yegg lab tune chips.toml --out search      search the settings for what you aim at

    docs/lab.md describes the file.
    """


command.add_command(answers, "answers")
command.add_command(counter, "counter")
command.add_command(tune, "tune")


@command.command()
@of_playing("run")
def run(asked: ExperimentOptions) -> None:
    """Play the experiment in FILE, and tell what came out.

    \b
    yegg lab run districts.toml --out answer
    yegg lab run districts.toml --out answer --on cluster
    RAY_ADDRESS=ray://head:10001 yegg lab run districts.toml --on cluster

    What was played is kept: after a stop, or with more deals in the file, the same command goes
    on where it was.  The same file gives the same games on any number of threads, and on a cluster.
    """
    from yegg.lab.experiment.runs import Run
    from yegg.lab.questions.schema import whole

    begun = Run(whole(asked.file), asked.folder)
    begun.begin()
    with crew_on(asked.on, asked.threads) as crew:
        complete(begun, crew, quiet=asked.without_bar)
    page = tell(begun, as_json=asked.as_json, published=not asked.no_report)
    if page and not asked.as_json:
        say(f"The report: {page}")


@command.command()
@experiment_argument
@json_option
def plan(file: Path, as_json: bool) -> None:
    """Say what the experiment in FILE would play, how long that takes, and what it can see.

    Then all cells play for a moment, to find how fast they are.
    """
    from yegg.lab.experiment import power
    from yegg.lab.questions.schema import whole

    made = whole(file)
    emit(
        lambda: power.as_data(made, power.timed(made)),
        lambda: power.as_text(made),
        as_json=as_json,
    )
    if not as_json:
        say(power.as_time(made, power.timed(made)))


@command.command()
@run_argument
@json_option
def show(run: Path, as_json: bool) -> None:
    """Tell once more what came out of the run in the folder RUN."""
    tell(_complete(run), as_json=as_json)


@command.command()
@run_argument
def report(run: Path) -> None:
    """Write the report of the run in the folder RUN: report.html, report.md and report.json.

    `yegg lab run` does so too.  The page is one file without scripts.
    """
    from yegg.lab.experiment.findings import findings
    from yegg.lab.report.files import publish

    there = _complete(run)
    say(str(publish(findings(there), there.folder)))


def _complete(folder: Path) -> "Run":
    """The run in a folder, if nothing is still to be played."""
    from yegg.lab.experiment.runs import Run

    there = Run.opened(folder)
    if left := there.missing():
        raise click.ClickException(
            f"{len(left)} blocks are still to be played; "
            f"`yegg lab run {folder / 'experiment.toml'} --out {folder}` plays them"
        )
    return there


@command.command()
@run_argument
@click.option("--blocks", type=click.IntRange(0), default=4, show_default=True, metavar="N")
def check(run: Path, blocks: int) -> None:
    """Compare the parts of RUN with its manifest, and play some --blocks again.

    Ends with 1 if anything differs.
    """
    from yegg.lab.experiment.runs import Run

    wrong = Run.opened(run).check(blocks)
    for said in wrong:
        say(said)
    if wrong:
        raise click.exceptions.Exit(1)
    say("All parts are what the manifest says, and those played again gave the same games.")


@command.command()
@click.argument("game", type=GameName())
@click.option("--players", "-p", type=int, metavar="N", help="How many play.")
def columns(game: "Game", players: int | None) -> None:
    """List the columns of GAME that measures can be made of."""
    from yegg.lab.game_frame import names_of

    for name in names_of(game, players or game.usual_players({})):
        say(name)
