"""``yegg lab tune`` and ``yegg lab counter``: settings and habits that are searched for."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from yegg.text.untrusted import say

from .experiments import ExperimentOptions, compiled, complete, crew_on, of_playing, tell
from .options import FOLDER, PlayOptions, json_option, many_games, number
from .output import compiling, emit, reported

if TYPE_CHECKING:
    from rich.console import RenderableType

    from yegg.lab.policies.habit_search import Contest, Learned
    from yegg.lab.tuning.result import Closest


@click.command()
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
    from yegg.lab.experiment.findings import as_data as findings_as_data
    from yegg.lab.experiment.findings import findings
    from yegg.lab.report.files import publish_search
    from yegg.lab.tuning.result import as_data, closest
    from yegg.lab.tuning.schema import read
    from yegg.lab.tuning.search import Search

    search = Search(read(asked.file), asked.folder)
    search.begin()
    with crew_on(asked.on, asked.threads) as crew:
        compiled(search.tuning.experiment)
        with reported("games", quiet=asked.without_bar) as report:
            search.play(crew, lambda news: report(news.done, news.total, news.says))
        run = search.final()
        complete(run, crew, quiet=asked.without_bar)
    found = findings(run)
    result = closest(search.tuning, search.rounds, run, found)
    page = None if asked.no_report else publish_search(result, search.folder)
    emit(
        lambda: {"search": as_data(result), **findings_as_data(found)},
        lambda: _as_text(result),
        as_json=asked.as_json,
    )
    if page and not asked.as_json:
        say(f"The report: {page}")


def _as_text(result: "Closest") -> "RenderableType":
    """What a search found, for a terminal."""
    from rich.console import Group
    from rich.text import Text

    from yegg.lab.report.narrative import capital, limits
    from yegg.lab.simulation_report import table as drawn
    from yegg.lab.tuning.result import answer, method, sentences, table

    left = table(result)
    left.rows = [[c["text"] if isinstance(c, dict) else c for c in row] for row in left.rows]
    below = [capital(line) for line in (*method(result), *limits(result.found))]
    return Group(
        Text(result.tuning.question, "bold"),
        Text(f"{result.tuning.game.title}, seed {result.tuning.experiment.seed}", "dim"),
        Text(f"{answer(result)}\n"),
        *(Text(f"• {head} {figures}".rstrip()) for head, figures in sentences(result)),
        drawn(left),
        Text(""),
        *(Text(line, "dim") for line in below),
    )


@click.command()
@many_games(
    8000,
    games="How many games it learns from, about.",
    bots="The player that is to be countered; it sits in all other seats.",
    needs_bots=True,
)
@number(
    "--deals",
    least=2,
    usual=1000,
    says="Over how many fresh deals what was learned is measured.",
)
@click.option("--out", type=FOLDER, required=True, help="The folder of that experiment.")
@json_option
def counter(play: PlayOptions, deals: int, out: Path, as_json: bool) -> None:
    """Learn by which words somebody who plays like a bot beats that bot in GAME.

    \b
    yegg lab counter thiefs-market --bots medium --out counter

    It tries to prefer or to avoid each kind of choice, and takes up what wins clearly more, one
    habit after the other.  What all of them win is then measured over fresh deals, by an
    experiment whose file lies in the folder.  If no habit helps, nothing is written.
    """
    from yegg.lab.policies.habit_search import contest

    if len(play.bots) != 1:
        raise click.UsageError("one bot is countered at a time, as in --bots medium")
    if play.cards:
        raise click.UsageError("an experiment takes no --cards")
    asked = contest(*play.seated(), play.bots[0], play.seed)
    learned = _learned(asked, play, quiet=as_json)
    measured: dict[str, Any] = {}
    if not as_json:
        _show_habits(asked, learned)
    if learned.bound:
        measured = _measured(asked, learned, deals, out, play.threads, quiet=as_json)
    emit(lambda: {"counter": learned.as_data(), **measured}, as_json=as_json)


def _learned(asked: "Contest", play: PlayOptions, *, quiet: bool) -> "Learned":
    from yegg.lab.policies.habit_search import by_playing, learn
    from yegg.lab.simulation import warm

    patterns = asked.patterns()
    bound = asked.setting(((patterns[0], 1),))
    with compiling(asked.game.title, lambda: warm(bound, dry=True)):
        warm(bound)
        warm(asked.setting(()))
    with reported("games", quiet=quiet) as report:
        done = 0

        def heard(more: int) -> None:
            nonlocal done
            done += more
            news = f"{asked.game.title}, against {asked.bot}"
            report(done, max(play.games, done), news)

        by_games = by_playing(asked, play.threads, heard)
        return learn(patterns, by_games, play.games, len(asked.arranged))


def _show_habits(asked: "Contest", learned: "Learned") -> None:
    from yegg.lab.analyses.fork_effects import apart
    from yegg.lab.policies.habit_schema import PREFER

    for step in learned.steps:
        verb = "prefer" if step.rank == PREFER else "avoid"
        result = "taken up" if step.taken else "the best that was left, and not clear"
        say(f"{verb} “{step.word}”: {apart(step.gain)} of the win, {result}")
    if not learned.bound:
        say(f"No habit wins clearly more than {asked.bot} does without one.")


def _measured(
    asked: "Contest",
    learned: "Learned",
    deals: int,
    out: Path,
    threads: int | None,
    *,
    quiet: bool,
) -> dict[str, Any]:
    """Play the experiment about what was learned; tell what came out, or return it if ``quiet``."""
    from yegg.lab.api import begun
    from yegg.lab.executors.threads import Threads
    from yegg.lab.experiment.findings import as_data, findings
    from yegg.lab.policies.habit_search import as_experiment

    run = begun(as_experiment(asked, learned.bound, deals), out)
    complete(run, Threads(threads), quiet=quiet)
    if quiet:
        return as_data(findings(run))
    say("")
    page = tell(run, as_json=False, published=True)
    say(f"The report: {page}")
    return {}
