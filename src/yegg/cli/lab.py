"""``yegg lab``: experiments as files."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from yegg.text.untrusted import say

from .experiments import ExperimentOptions, complete, crew_on, experiment_argument, of_playing, tell
from .options import FOLDER, GameName, flag, json_option, on_option, option, threads_option
from .output import emit
from .search import counter, tune

if TYPE_CHECKING:
    from yegg.engine import Game
    from yegg.lab.experiment.runs import Run

run_argument = click.argument("run", type=FOLDER)


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
    tell(begun, as_json=asked.as_json, published=not asked.no_report)


@command.command()
@experiment_argument
@json_option
def plan(file: Path, as_json: bool) -> None:
    """Say what the experiment in FILE would play, how long that takes, and what it can see.

    Then all cells play for a moment, to find how fast they are.
    """
    from yegg.lab.experiment.power import Plan, timed
    from yegg.lab.questions.schema import whole

    plan = Plan(whole(file))
    emit(lambda: plan.as_data(timed(plan.experiment)), plan.as_text, as_json=as_json)
    if not as_json:
        say(plan.as_time(timed(plan.experiment)))


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

    complete_run = _complete(run)
    say(str(publish(findings(complete_run), complete_run.folder)))


def _complete(folder: Path) -> "Run":
    """The run in a folder, if nothing is still to be played."""
    from yegg.lab.experiment.runs import Run

    run = Run.opened(folder)
    if left := run.missing():
        raise click.ClickException(
            f"{len(left)} blocks are still to be played; "
            f"`yegg lab run {folder / 'experiment.toml'} --out {folder}` plays them"
        )
    return run


@command.command()
@run_argument
@option("--blocks N", "", click.IntRange(0), 4)
def check(run: Path, blocks: int) -> None:
    """Compare the parts of RUN with its manifest, and play some --blocks again.

    Ends with 1 if anything differs.
    """
    from yegg.lab.experiment.runs import Run

    wrong = Run.opened(run).check(blocks)
    for difference in wrong:
        say(difference)
    if wrong:
        raise click.exceptions.Exit(1)
    say("All parts are what the manifest says, and those played again gave the same games.")


@command.command()
@click.argument("game", type=GameName())
@option("--players -p N", "How many play.", int)
def columns(game: "Game", players: int | None) -> None:
    """List the columns of GAME that measures can be made of."""
    from yegg.lab.game_frame import names_of

    for name in names_of(game, players or game.usual_players({})):
        say(name)


@command.command()
@click.argument("names", nargs=-1, metavar="[NAME]…")
@option("--questions", "Where the questions are.", FOLDER, "docs/questions")
@option("--out", "Where the answers are written.", FOLDER, "docs/answers")
@option("--runs", "Where the games are kept.", FOLDER, "build/answers")
@threads_option
@on_option
@flag("--check", "Play nothing; name the answers that do not stand.")
def answers(
    names: tuple[str, ...],
    questions: Path,
    out: Path,
    runs: Path,
    threads: int | None,
    on: str,
    check: bool,
) -> None:
    """Answer the questions NAME, or all that have no answer by the rules of today.

    \b
    yegg lab answers                     play what is missing, write docs/answers
    yegg lab answers magnate-districts   this one, whether it has an answer or not
    yegg lab answers --check             name the answers made with other rules

    A question is a file, docs/questions/NAME.toml; its answer is a page with a plot, and the
    figures as JSON.  --check ends with 1 if any answer is missing or was made with other rules.
    """
    from yegg.lab.questions.answers import publish, rewrite, run_of, stale, summarise
    from yegg.lab.questions.schema import every_question, named

    every = every_question(questions)
    chosen = named(every, names)
    if check:
        _verdict([f"{asked.name}: {why}" for asked in chosen if (why := stale(asked, out))])
        return
    chosen = [asked for asked in chosen if names or stale(asked, out)]
    for asked in chosen:
        _ = asked.experiment  # whatever is wrong in any of them is refused before the first game
    with crew_on(on, threads) as crew:
        for number, asked in enumerate(chosen, 1):
            say(f"{number} of {len(chosen)}, {asked.name}: {asked.text}", err=True)
            run = run_of(asked, runs)
            complete(run, crew, quiet=False)
            publish(asked, run, out)
            say(f"{asked.name}: {rewrite(asked, out)}")
    for asked in every:
        if asked not in chosen and not stale(asked, out):  # the words may have changed
            rewrite(asked, out)
    summarise(every, out)


def _verdict(wrong: list[str]) -> None:
    """Name the answers that do not stand; end with 1 if there are any."""
    for line in wrong:
        say(line)
    if wrong:
        raise click.exceptions.Exit(1)
    say("All answers stand: they were made with the rules of today.")
