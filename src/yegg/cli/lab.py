"""``yegg lab``: run experiments, answer questions, tune settings, search habits that beat a bot."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from yegg.text.phrases import counted
from yegg.text.untrusted import say

from .experiments import (
    ExperimentOptions,
    compiled,
    complete,
    executor_on,
    experiment_argument,
    of_playing,
    tell,
)
from .measures import columns, measures
from .options import (
    FOLDER,
    PlayOptions,
    flag,
    json_option,
    many_games,
    number,
    on_option,
    option,
    threads_option,
)
from .output import compiling, draw, emit, reported
from .preflight import preflight

if TYPE_CHECKING:
    from rich.console import RenderableType

    from yegg.lab.experiment.runs import Run
    from yegg.lab.policies.habit_search import Contest, Learned
    from yegg.lab.tuning.result import Closest

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
    yegg lab measures magnate                  usual questions, and their names
    yegg lab counter magnate --bots medium --out counter   habits that beat a bot
    yegg lab tune chips.toml --out search      search the settings for what you aim at
    yegg lab preflight magnate                 what a publisher's playtest would tell

    docs/lab.md describes the file.
    """


for named in (columns, measures, preflight):
    command.add_command(named)


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
    with executor_on(asked.on, asked.threads) as executor:
        complete(begun, executor, quiet=asked.without_bar)
    tell(begun, as_json=asked.as_json, published=not asked.no_report)


@command.command()
@experiment_argument
@json_option
def plan(file: Path, as_json: bool) -> None:
    """Say what the experiment in FILE would play, how long that takes, and what it can see.

    Then all cells play for a moment, to find how fast they are.
    """
    from yegg.lab.experiment import power
    from yegg.lab.questions.schema import whole

    experiment = whole(file)
    emit(
        lambda: power.to_dict(experiment, power.looked_at(experiment)),
        lambda: power.as_text(experiment),
        as_json=as_json,
    )
    if not as_json:
        draw(power.as_visible(experiment, power.looked_at(experiment)))


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
            f"{counted(len(left), 'block is', 'blocks are')} damaged or still to be played; "
            f"`yegg lab run {folder / 'experiment.toml'} --out {folder}` plays them"
        )
    return run


@command.command()
@run_argument
@number("--blocks", "How many are played again [4].", 4, least=0)
def check(run: Path, blocks: int) -> None:
    """Compare the parts of RUN with its manifest, and play some --blocks again.

    Ends with 1 if anything differs.
    """
    from yegg.lab.experiment.runs import Run

    good = "All parts are what the manifest says, and those played again gave the same games."
    _conclude(Run.opened(run).check(blocks), good)


def _conclude(wrong: Sequence[str], good: str) -> None:
    """Say what is wrong and end with 1, or say that all is good."""
    for line in wrong or [good]:
        say(line)
    if wrong:
        raise click.exceptions.Exit(1)


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
        wrong = [f"{question.name}: {why}" for question in chosen if (why := stale(question, out))]
        _conclude(wrong, "All answers stand: they were made with the rules of today.")
        return
    chosen = [question for question in chosen if names or stale(question, out)]
    for question in chosen:
        _ = question.experiment  # whatever is wrong in any of them is refused before the first game
    with executor_on(on, threads) as executor:
        for place, question in enumerate(chosen, 1):
            say(f"{place} of {len(chosen)}, {question.name}: {question.text}", err=True)
            run = run_of(question, runs)
            complete(run, executor, quiet=False)
            publish(question, run, out)
            say(f"{question.name}: {rewrite(question, out)}")
    for question in every:
        if question not in chosen and not stale(question, out):  # the words may have changed
            rewrite(question, out)
    summarise(every, out)


# Searching settings and habits


@command.command()
@of_playing("search")
def tune(asked: ExperimentOptions) -> None:
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
    from yegg.lab.experiment.findings import findings
    from yegg.lab.experiment.findings import to_dict as findings_to_dict
    from yegg.lab.report.files import publish_search
    from yegg.lab.tuning.result import closest, to_dict
    from yegg.lab.tuning.schema import read
    from yegg.lab.tuning.search import Search

    search = Search(read(asked.file), asked.folder)
    search.begin()
    with executor_on(asked.on, asked.threads) as executor:
        compiled(search.tuning.experiment)
        with reported("games", quiet=asked.without_bar) as report:
            search.play(executor, lambda news: report(news.done, news.total, news.says))
        run = search.final()
        complete(run, executor, quiet=asked.without_bar)
    found = findings(run)
    result = closest(search.tuning, search.rounds, run, found)
    page = None if asked.no_report else publish_search(result, search.folder)
    emit(
        lambda: {"search": to_dict(result), **findings_to_dict(found)},
        lambda: _as_text(result),
        as_json=asked.as_json,
    )
    if page and not asked.as_json:
        say(f"The report: {page}")


def _as_text(result: "Closest") -> "RenderableType":
    """What a search found, for a terminal."""
    from rich.console import Group
    from rich.text import Text

    from yegg.lab.report.narrative import limits
    from yegg.lab.terminal import Prose
    from yegg.lab.terminal import table as drawn
    from yegg.lab.tuning.result import answer, method, sentences, table
    from yegg.text.phrases import capital

    below = [capital(line) for line in (*method(result), *limits(result.found))]
    return Group(
        Prose(result.tuning.question, "bold"),
        Prose(f"{result.tuning.game.title}, seed {result.tuning.experiment.seed}", "dim"),
        Prose(answer(result)),
        Text(""),
        *(Prose(f"• {head} {figures}".rstrip()) for head, figures in sentences(result)),
        drawn(table(result)),
        Text(""),
        *(Prose(line, "dim") for line in below),
    )


@command.command()
@many_games(
    8000,
    games="How many games it learns from, about.",
    bots="The player that is to be countered; it sits in all other seats.",
    needs_bots=True,
)
@number(
    "--deals",
    "Over how many fresh deals what was learned is measured.",
    1000,
    least=2,
    most=1_000_000,
)
@option("--out", "The folder of that experiment.", FOLDER, required=True)
@json_option
def counter(play: PlayOptions, deals: int, out: Path, as_json: bool) -> None:
    """Learn by which words somebody who plays like a bot beats that bot in GAME.

    \b
    yegg lab counter thiefs-market --bots medium --out counter

    It tries to prefer or to avoid each kind of choice, and takes up what wins clearly more, one
    habit after the other.  What all of them win is then measured over fresh deals, by an
    experiment whose file lies in the folder.  If no habit helps, nothing is written.
    """
    from yegg.lab.api import begun
    from yegg.lab.executors.threads import Threads
    from yegg.lab.experiment.findings import findings, to_dict
    from yegg.lab.policies.habit_search import as_experiment, contest

    if len(play.bots) != 1:
        raise click.UsageError("one bot is countered at a time, as in --bots medium")
    if play.cards:
        raise click.UsageError("an experiment takes no --cards")
    asked = contest(*play.seated(), play.bots[0], play.seed)
    learned = _learned(asked, play, quiet=as_json)
    if not as_json:
        _show_habits(asked, learned)
    measured: dict[str, Any] = {}
    if learned.bound:
        run = begun(as_experiment(asked, learned.bound, deals), out)
        complete(run, Threads(play.threads), quiet=as_json)
        if as_json:
            measured = to_dict(findings(run))
        else:
            say("")
            tell(run, as_json=False, published=True)
    emit(lambda: {"counter": learned.to_dict(), **measured}, as_json=as_json)


def _learned(asked: "Contest", play: PlayOptions, *, quiet: bool) -> "Learned":
    from yegg.lab.policies.habit_search import by_playing, learn
    from yegg.lab.simulation import cold, warm

    patterns = asked.patterns()
    bound = asked.setting(((patterns[0], 1),))
    with compiling(asked.game.title, lambda: cold(bound)):
        warm(bound)
        warm(asked.setting(()))
    with reported("games", quiet=quiet) as report:
        done = 0

        def advance(games: int) -> None:
            nonlocal done
            done += games
            news = f"{asked.game.title}, against {asked.bot}"
            report(done, max(play.games, done), news)

        by_games = by_playing(asked, play.threads, advance)
        return learn(patterns, by_games, play.games, len(asked.arranged))


def _show_habits(asked: "Contest", learned: "Learned") -> None:
    from yegg.lab.policies.habit_schema import PREFER

    for step in learned.steps:
        verb = "prefer" if step.rank == PREFER else "avoid"
        result = "taken up" if step.taken else "the best that was left, and not clear"
        say(f"{verb} “{step.word}”: {step.gain} of the win, {result}")
    if not learned.bound:
        say(f"No habit wins clearly more than {asked.bot} does without one.")
