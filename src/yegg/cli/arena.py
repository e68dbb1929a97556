"""``yegg arena``: which bot is stronger, and how sure that is."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .arguments import json_option, many_games, player_count
from .options import checked

if TYPE_CHECKING:
    from yegg.engine import Game
    from yegg.lab.arena import Contest, Deal


@click.command()
@many_games(400, games="How many games each pair plays.", bots="Two or more bots.", needs_bots=True)
@click.option(
    "--ladder",
    is_flag=True,
    help="Only neighbours meet, in the order in which you name them.",
)
@click.option(
    "--until-clear",
    is_flag=True,
    help="Stop as soon as it is clear who is stronger, or that they are equal within --margin.",
)
@click.option(
    "--margin",
    type=click.FloatRange(0, 50),
    default=3,
    show_default=True,
    help="Percentage points of the share of wins that do not matter to you.",
)
@click.option(
    "--results",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Keep the results of every deal in this file; deals in it are not played again.",
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
    ladder: bool,
    until_clear: bool,
    margin: float,
    threads: int | None,
    results: Path | None,
    as_json: bool,
) -> None:
    """Let bots play each other in GAME: every pair plays the same deals from every seat.

    \b
    yegg arena secrets --bots medium,easy
    yegg arena magnate --bots hard,medium,easy -n 100 --results magnate.jsonl
    yegg arena magnate --bots hard,medium,easy --ladder     how much skill is there?
    yegg arena second-story --bots search:500,greedy -n 4000 --until-clear

    Bots of equal strength each win 50 %.  Whole deals are played, so there may be a few games
    more than you asked for.  --until-clear looks after every deal and allows for that: between
    equal bots it names one as the stronger in at most 5 % of all runs.
    """
    from yegg.lab.arena import contests
    from yegg.lab.arena_report import as_data

    game = game.with_cards(cards)
    count = player_count(game, players, options, 0)
    checked(game, count, options, "--players {}")
    pairs = []
    for contest in contests(game, count, options, bots, seed or 0, ladder=ladder):
        looking = margin / 100 if until_clear else None
        deals = _deals(contest, games, threads, results, margin=looking, quiet=as_json)
        pairs.append(as_data(contest, deals, margin=looking))
    if as_json:
        click.echo(json.dumps({"game": game.name, "players": count, "pairs": pairs}, indent=2))
    else:
        _show(game, count, pairs, margin)
        if ladder:
            _show_ladder(pairs)


def _deals(
    contest: "Contest",
    games: int,
    threads: int | None,
    results: Path | None,
    *,
    margin: float | None,
    quiet: bool,
) -> "list[Deal]":
    """The deals in the file, and new ones until there are enough."""
    from yegg.lab import arena, arena_report

    from .progress import progress

    deals = arena_report.recorded(results, contest) if results else []
    wanted = -(-games // len(contest.setting.seatings))
    known = {deal.number for deal in deals}
    todo = [number for number in range(wanted) if number not in known]
    with progress(" against ".join(contest.pair), wanted, quiet=quiet) as advance:
        advance(wanted - len(todo))
        for deal in arena.run(contest, todo, threads):
            deals.append(deal)
            advance(1)
            if results:
                arena_report.record(results, contest, deal)
            if margin is not None and arena_report.sequential(deals).answer(0.5, margin) != "open":
                break
    return deals


def _show(game: "Game", players: int, pairs: list[dict[str, Any]], margin: float) -> None:
    from rich.table import Table
    from rich.text import Text

    from yegg.lab.analyses.seat_balance import sentence
    from yegg.lab.arena_report import forfeited
    from yegg.stats.intervals import Figure
    from yegg.text.phrases import counted

    from .screen import Screen

    console = Screen()
    console.print(Text.assemble((game.title, "bold"), f", {counted(players, 'player')}"))
    for pair in pairs:
        a, b = pair["bots"]
        console.print(f"\n{a} against {b}, {counted(pair['games'], 'game')}; 50 % is fair")
        table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
        table.add_column("bot")
        for column in ("share of wins", "Elo", "a choice takes", "at most"):
            table.add_column(column, justify="right")
        for name in (a, b):
            low, high = pair["interval"][name]
            spent = pair["seconds_per_decision"][name]
            elo = pair["elo"] if name == a else _minus(pair["elo"])
            table.add_row(
                name,
                str(Figure(pair["win_share"][name], low, high, percent=True)),
                "-" if elo is None else f"{round(elo):+}",
                _time(spent["median"]),
                _time(spent["worst"]),
            )
        console.print(table)
        if until := _until_told(pair):
            console.print(until)
        if pair["seats_alike"]:
            console.print(sentence(pair["seats_alike"]))
        for said in forfeited(pair):
            console.print(Text(said, "yellow"))
        if pair["answer"]:
            console.print(_answer(pair, margin))


def _until_told(pair: dict[str, Any]) -> str:
    """How many games it takes to tell two bots apart, as a sentence."""
    games, (low, high) = pair["games_until_told"], pair["games_until_told_interval"]
    if games is None and low is None:
        return ""
    if games is None or high is None:
        return f"They are told apart in no fewer than {low:.0f} games, if ever."
    return f"They are told apart in about {games:.0f} games [{low:.0f}, {high:.0f}]."


def _show_ladder(pairs: list[dict[str, Any]]) -> None:
    """All rungs: how far each bot is above the next, and above the last one."""
    from rich.table import Table

    from yegg.stats.intervals import Figure

    from .screen import Screen

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("the ladder")
    for column in ("over the next", "games until that is told", "Elo over the last"):
        table.add_column(column, justify="right")
    above: list[float | None] = [0.0]
    for pair in reversed(pairs):
        known = above[-1] is not None and pair["elo"] is not None
        above.append((above[-1] or 0) + pair["elo"] if known else None)
    for pair, elo in zip(pairs, reversed(above[1:]), strict=True):
        name, games = pair["bots"][0], pair["games_until_told"]
        low, high = pair["interval"][name]
        share = Figure(pair["win_share"][name], low, high, percent=True)
        told = "-" if pair["games_until_told_interval"][1] is None else f"{games:.0f}"
        table.add_row(name, str(share), told, "-" if elo is None else f"{round(elo):+}")
    table.add_row(pairs[-1]["bots"][1], "", "", "0")
    Screen().print("\n", table, sep="")


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


def _minus(value: float | None) -> float | None:
    return None if value is None else -value


def _time(seconds: float | None) -> str:
    """A time to two digits: ``0.023 ms``, ``1.5 s``."""
    if seconds is None:
        return "-"
    return f"{seconds:.2g} s" if seconds >= 1 else f"{float(f'{1000 * seconds:.2g}'):g} ms"
