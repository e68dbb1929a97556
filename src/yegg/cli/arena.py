"""``yegg arena`` and ``yegg counter``: which bot is stronger, and how far one can be exploited."""

import math
import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from yegg.stats.intervals import brackets
from yegg.text.phrases import counted, percent
from yegg.text.untrusted import say

from .failing import debug_option, debugged, kept_apart, tell_failures
from .mixed import mixed_tables
from .numbers import Real
from .options import (
    FILE,
    PlayOptions,
    flag,
    json_option,
    many_games,
    option,
    player_seconds_option,
    records_option,
)
from .output import draw, emit, headline, progress, stoppable, table

if TYPE_CHECKING:
    from yegg.engine import Game
    from yegg.lab.arena import Contest, Deal
    from yegg.lab.kept_records import Records
    from yegg.lab.policies.exploitability import Exploited, Opponent
    from yegg.stats.intervals import Figure


@click.command()
@many_games(400, games="How many games each pair plays.", bots="Two or more bots.", needs_bots=True)
@flag("--ladder", "Only neighbours meet, in the order in which you name them.")
@flag(
    "--mixed",
    "All bots sit at tables together, in line-ups that are drawn; -n games in all.",
)
@flag(
    "--until-clear",
    "Stop as soon as it is clear who is stronger, or that they are equal within --margin.",
)
@option(
    "--margin",
    "Percentage points of the share of wins that do not matter to you.",
    Real(0, 50),
    3,
)
@option(
    "--results",
    "Keep the results of every deal in this file; deals in it are not played again.",
    FILE,
)
@records_option
@player_seconds_option
@debug_option
@json_option
def arena(
    play: PlayOptions,
    ladder: bool,
    mixed: bool,
    until_clear: bool,
    margin: float,
    results: Path | None,
    records: Path | None,
    seconds: float,
    debug: bool,
    as_json: bool,
) -> None:
    """Let bots play each other in GAME: every pair plays the same deals from every seat.

    \b
    yegg arena secrets --bots medium,easy
    yegg arena magnate --bots hard,medium,easy -n 100 --results magnate.jsonl
    yegg arena magnate --bots hard,medium,easy --ladder     how much skill is there?
    yegg arena secrets --bots medium,easy,greedy,uniform --mixed    who wins at one table?
    yegg arena second-story --bots search:500,greedy -n 4000 --until-clear
    yegg arena magnate --bots mybots:Bold,greedy --records games    why did it lose?

    Bots of equal strength each win 50 %.  Whole deals are played, so there may be a few games
    more than you asked for.  --until-clear looks after every deal and allows for that: between
    equal bots it names one as the stronger in at most 5 % of all runs.  Ctrl-C ends it, and
    what was played is told.  Games of deals that --results holds already are not recorded.
    """
    if mixed:
        _refuse_with_mixed(ladder=ladder, until_clear=until_clear, results=results)
        _tell_lost(mixed_tables(play, records, seconds=seconds, debug=debug, as_json=as_json))
        return
    from yegg.lab.arena import contests
    from yegg.lab.arena_report import first_failures, rated, to_dict

    game, count, options = play.seated()
    equal = margin / 100 if until_clear else None
    every: list[tuple[Contest, list[Deal]]] = []
    rules = game, count, options, play.bots, play.seed
    met = contests(*rules, ladder=ladder)
    met = [replace(contest, seconds=seconds, debug=debug) for contest in met]
    kept = [_kept(contest, records, alone=len(met) == 1) for contest in met]
    with stoppable() as stop, debugged(debug), kept_apart(as_json):
        for contest, into in zip(met, kept, strict=True):
            every.append((contest, []))
            _play(*every[-1], play, results, into, margin=equal, quiet=as_json)
    pairs = [to_dict(contest, deals, margin=equal) for contest, deals in every if deals]
    if stop.why and not pairs:
        raise stop.why
    ratings = rated([(contest, deals) for contest, deals in every if deals])
    emit(
        lambda: {"game": game.name, "players": count, "pairs": pairs, "ratings": _to_dict(ratings)},
        lambda: _show(game, count, pairs, ratings, margin, ladder=ladder),
        as_json=as_json,
    )
    if not as_json:
        for (contest, deals), into in zip(every, kept, strict=False):
            tell_failures(contest, first_failures(deals), into)
            _tell_lost(into)
    stop.leave()


def _refuse_with_mixed(**given: object) -> None:
    """Raise UsageError for an option that is about pairs."""
    for name, value in given.items():
        if value:
            word = f"--{name.replace('_', '-')}"
            raise click.UsageError(
                f"{word} is for pairs of bots; leave it out, or leave --mixed out"
            )


def _kept(contest: "Contest", records: Path | None, *, alone: bool) -> "Records | None":
    """Where the games of a pair are kept: in the folder, or one of several pairs in one below."""
    from yegg.lab.kept_records import Records, folder_of

    if records is None:
        return None
    return Records(contest, records if alone else records / folder_of(contest.pair))


def _tell_lost(kept: "Records | None") -> None:
    """Say how to look back on a lost game."""
    if kept is None:
        return
    for bot, number in sorted(kept.lost.items()):
        say(f"Why {bot} lost a game: yegg review {shlex.quote(str(kept.file(number)))}")


def _play(
    contest: "Contest",
    deals: "list[Deal]",
    play: PlayOptions,
    results: Path | None,
    kept: "Records | None",
    *,
    margin: float | None,
    quiet: bool,
) -> None:
    """Put the deals in the file into ``deals``, and new ones until there are enough."""
    from yegg.lab import arena, arena_report

    deals += arena_report.recorded(results, contest) if results else []
    wanted = -(-play.games // len(contest.seatings))
    known = {deal.number for deal in deals}
    todo = [number for number in range(wanted) if number not in known]
    known_before, title = wanted - len(todo), " against ".join(contest.pair)
    with progress(title, wanted, quiet=quiet, before=known_before) as update:
        for deal in arena.run(contest, todo, play.threads, kept.add if kept else None):
            deals.append(deal)
            update(advance=1)
            if results:
                arena_report.record(results, contest, deal)
            if margin is not None and arena_report.sequential(deals).answer(0.5, margin) != "open":
                break


def _show(
    game: "Game",
    players: int,
    pairs: list[dict[str, Any]],
    ratings: "dict[str, Figure]",
    margin: float,
    *,
    ladder: bool,
) -> None:
    from yegg.lab.arena_report import forfeited
    from yegg.players.judges import fallbacks
    from yegg.stats.seat_balance import finding

    headline(game.title, f", {counted(players, 'player')}")
    for line in fallbacks(game, [name for pair in pairs for name in pair["bots"]]):
        draw(line, style="yellow")
    for pair in pairs:
        a, b = pair["bots"]
        draw(f"\n{a} against {b}, {counted(pair['games'], 'game')}; 50 % is fair")
        figures = "share of wins", "Elo", "a choice takes", "at most"
        drawn = table("bot", *figures, right=figures)
        for name, sign in (a, 1), (b, -1):
            spent = pair["seconds_per_decision"][name]
            elo = None if pair["elo"] is None else sign * pair["elo"]
            drawn.add_row(
                name, _share(pair, name), _elo(elo), _time(spent["median"]), _time(spent["worst"])
            )
        draw(drawn)
        alike = str(finding(pair["seats_alike"])) if pair["seats_alike"] else ""
        for line in filter(None, (_games_until_told(pair), alike)):
            draw(line)
        for line in forfeited(pair):
            draw(line, style="yellow")
        if pair["answer"]:
            draw(_answer(pair, margin))
    if ladder:
        _show_ladder(pairs)
    elif len(pairs) > 1:
        _show_all(pairs, ratings)


def _show_ladder(pairs: list[dict[str, Any]]) -> None:
    """All rungs: how far each bot is above the next, and above the last one."""
    figures = "over the next", "games until that is told", "Elo over the last"
    drawn = table("the ladder", *figures, right=figures)
    above: list[float | None] = [0.0]
    for pair in reversed(pairs):
        known = above[-1] is not None and pair["elo"] is not None
        above.append((above[-1] or 0) + pair["elo"] if known else None)
    for pair, elo in zip(pairs, reversed(above[1:]), strict=True):
        name, games = pair["bots"][0], pair["games_until_told"]
        until = "-" if pair["games_until_told_interval"][1] is None else f"{games:.0f}"
        drawn.add_row(name, _share(pair, name), until, _elo(elo))
    drawn.add_row(pairs[-1]["bots"][1], "", "", "0")
    draw("\n", drawn, sep="")


def _to_dict(ratings: "dict[str, Figure]") -> list[dict[str, Any]]:
    """Ratings for `--json`."""
    from yegg.stats.intervals import finite

    return [
        {"bot": name, "elo": elo.value, "interval": [finite(elo.low), finite(elo.high)]}
        for name, elo in ratings.items()
    ]


def _show_all(pairs: list[dict[str, Any]], ratings: "dict[str, Figure]") -> None:
    """All bots together: one rating for each, and what each wins over each."""
    names = list(ratings)
    over: dict[tuple[str, str], float] = {}
    for pair in pairs:
        a, b = pair["bots"]
        over[a, b], over[b, a] = pair["win_share"][a], pair["win_share"][b]
    right = ["Elo", "95 % interval", *names]
    drawn = table("% of wins over", "Elo", "95 % interval", *names, right=right)
    for name, elo in ratings.items():
        cells = (over.get((name, other)) for other in names)
        shares = ["" if share is None else f"{100 * share:.0f}" for share in cells]
        known = math.isfinite(elo.low)
        interval = f"{_elo(elo.low)} to {_elo(elo.high)}" if known else "-"
        drawn.add_row(name, _elo(elo.value), interval, *shares)
    draw("\nall together; the mean Elo is 0\n", drawn, sep="")


def _share(pair: dict[str, Any], name: str) -> str:
    """A bot's share of the wins with its interval."""
    from yegg.stats.intervals import Figure

    low, high = pair["interval"][name]
    return str(Figure(pair["win_share"][name], low, high, percent=True))


def _elo(elo: float | None) -> str:
    return "-" if elo is None else f"{round(elo):+}"


def _time(seconds: float | None) -> str:
    """A time to two digits: ``0.023 ms``, ``1.5 s``."""
    if seconds is None:
        return "-"
    return f"{seconds:.2g} s" if seconds >= 1 else f"{float(f'{1000 * seconds:.2g}'):g} ms"


def _games_until_told(pair: dict[str, Any]) -> str:
    """How many games it takes to tell two bots apart, as a sentence."""
    games, (low, high) = pair["games_until_told"], pair["games_until_told_interval"]
    if games is None and low is None:
        return ""
    if games is None or high is None:
        return f"They are told apart in no fewer than {low:.0f} games, if ever."
    return f"They are told apart in about {games:.0f} games {brackets(low, high, '.0f')}."


def _answer(pair: dict[str, Any], margin: float) -> str:
    """The answer of ``--until-clear`` in a sentence."""
    first = pair["bots"][0]
    answer = {
        "clear": f"{pair['stronger']} is stronger",
        "equal": f"They are equal within {margin:g} points",
        "open": "It is not clear yet who is stronger",
    }[pair["answer"]]
    low, high = (f"{100 * end:.1f}" for end in pair["sequence"])
    return f"{answer}: {first} wins {low} to {high} % (holds however often one looks)."


@click.command()
@many_games(
    1000,
    games="How many order sheets the bot fills in, all seats together.",
    bots="The bot that is answered, in all other seats.",
    needs_bots=True,
)
@json_option
def counter(play: PlayOptions, as_json: bool) -> None:
    """Work out the best answer to the way a bot mixes its secret orders in GAME.

    \b
    yegg counter secrets -p 3 --option secrets=3 --option spies=1 --option turns=1 --bots hard

    The bot fills in its order sheet many times in the same position.  The best answer is found
    on half of these sheets and valued on the other half.  A bot that nobody can see through
    leaves it a fair share of the win.  The game must be over once everybody has given orders,
    and there may be at most 2,000 ways to give them.
    """
    from yegg.lab.policies import exploitability

    if len(play.bots) != 1:
        raise click.UsageError("one bot is answered at a time, as in --bots hard")
    task = exploitability.Opponent(*play.seated(), play.bots[0], play.seed)
    with progress(f"orders of {task.bot}", play.games, quiet=as_json) as update:
        countered = exploitability.counter(
            task, play.games, play.threads, lambda sheets: update(advance=sheets)
        )
    emit(lambda: countered.to_dict(task), lambda: _show_answers(task, countered), as_json=as_json)


def _show_answers(task: "Opponent", countered: "Exploited") -> None:
    from rich.text import Text

    sheets, players = counted(countered.orders, "order sheet"), counted(task.players, "player")
    headline(task.game.title, f", {players}; {sheets} of {task.bot}")
    fair = percent(countered.fair_share, 1)
    draw(f"\nThe best answer wins {countered.best_answer}; {fair} is fair.\n")
    drawn = table("seat", "share of wins", "the best answer", right=["share of wins"])
    for answer in countered.answers:
        drawn.add_row(str(answer.seat + 1), str(answer.share), Text(", ".join(answer.orders)))
    draw(drawn)
