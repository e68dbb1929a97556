"""``yegg lab counter``: habits of words that beat a player, learned and then measured."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from yegg.text.untrusted import say

from .arguments import compiling, json_option, many_games, player_count
from .options import checked

if TYPE_CHECKING:
    from yegg.engine import Game
    from yegg.lab.policies.habit_search import Contest, Learned


@click.command()
@many_games(
    8000,
    games="How many games it learns from, about.",
    bots="The player that is to be countered; it sits in all other seats.",
    needs_bots=True,
)
@click.option(
    "--deals",
    type=click.IntRange(2),
    default=1000,
    show_default=True,
    metavar="N",
    help="Over how many fresh deals what was learned is measured.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    help="The folder of that experiment.",
)
@json_option
def command(
    game: "Game",
    bots: list[str],
    games: int,
    players: int | None,
    options: dict[str, str],
    cards: Path | None,
    seed: int | None,
    threads: int | None,
    deals: int,
    out: Path,
    as_json: bool,
) -> None:
    """Learn by which words somebody who plays like a bot beats that bot in GAME.

    \b
    yegg lab counter thiefs-market --bots medium --out counter

    It tries to prefer or to avoid each kind of choice, and takes up what wins clearly more, one
    habit after the other.  What all of them win is then measured over fresh deals, by an
    experiment whose file lies in the folder.  If no habit helps, nothing is written.
    """
    from yegg.lab.policies.habit_search import contest

    if len(bots) != 1:
        raise click.UsageError("one bot is countered at a time, as in --bots medium")
    if cards:
        raise click.UsageError("an experiment takes no --cards")
    count = player_count(game, players, options, 0)
    checked(game, count, options, "--players {}")
    asked = contest(game, count, options, bots[0], seed or 0)
    learned = _learned(asked, games, threads, quiet=as_json)
    if not as_json:
        _show(asked, learned)
    if learned.bound:
        _measured(asked, learned, deals, out, threads, as_json=as_json)
    elif as_json:
        click.echo(json.dumps({"counter": learned.as_data()}, indent=2))


def _learned(asked: "Contest", games: int, threads: int | None, *, quiet: bool) -> "Learned":
    from yegg.lab.policies.habit_search import by_playing, learn
    from yegg.lab.simulation import warm

    from .progress import reported

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
            report(done, max(games, done), f"{asked.game.title}, against {asked.against}")

        play = by_playing(asked, threads, heard)
        return learn(patterns, play, games, len(asked.arranged))


def _show(asked: "Contest", learned: "Learned") -> None:
    from yegg.lab.analyses.fork_effects import apart
    from yegg.lab.policies.habits import PREFER

    for step in learned.steps:
        does = "prefer" if step.rank == PREFER else "avoid"
        said = "taken up" if step.taken else "the best that was left, and not clear"
        say(f"{does} “{step.word}”: {apart(step.gain)} of the win, {said}")
    if not learned.bound:
        say(f"No habit wins clearly more than {asked.against} does without one.")


def _measured(
    asked: "Contest",
    learned: "Learned",
    deals: int,
    out: Path,
    threads: int | None,
    *,
    as_json: bool,
) -> None:
    """Play the experiment about what was learned, and tell what came out."""
    from yegg.lab.api import begun
    from yegg.lab.executors.threads import Threads
    from yegg.lab.experiment.findings import as_data, findings
    from yegg.lab.policies.habit_search import as_experiment

    from .experiments import played, tell

    run = begun(as_experiment(asked, learned.bound, deals), out)
    played(run, Threads(threads), quiet=as_json)
    if as_json:
        found = as_data(findings(run))
        click.echo(json.dumps({"counter": learned.as_data(), **found}, indent=2))
        return
    say("")
    page = tell(run, as_json=False, published=True)
    say(f"The report: {page}")
