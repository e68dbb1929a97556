"""``yegg advise``: what each choice is worth, by what its player may know."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .arguments import compiling

if TYPE_CHECKING:
    from rich.console import Console

    from yegg.engine import Match
    from yegg.lab.advise import Advice


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--at", type=click.IntRange(0), metavar="N", help="After event N; else at the end.")
@click.option(
    "--seconds", type=click.FloatRange(0.01), default=2.0, show_default=True, help="To think."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(file: Path, at: int | None, seconds: float, as_json: bool) -> None:
    """Tell the player to move in the record FILE how good each choice is.

    The chance to win is a share of a win where more than two play.  Its interval says how
    often the choice was tried, not how well the play after it was foreseen.
    """
    from yegg.lab.advise import advise, cold
    from yegg.players.thinking.plan import Plan

    match = position(file, at)
    if match.actor < 0:
        asked = max((i for i, who in enumerate(match.actors) if who >= 0), default=None)
        where = "" if asked is None else f"; the last decision before is at --at {asked}"
        why = "the game is over" if match.over else "it is chance's turn"
        raise click.UsageError(f"nobody has a choice here: {why}{where}")
    with compiling(match.game.title, lambda: cold(match)):
        advice = advise(match, Plan(seconds=seconds))
    if as_json:
        choices = [asdict(word) for word in advice.words]
        for choice, word in zip(choices, advice.words, strict=True):
            choice["win"], choice["interval"] = word.win.value, [word.win.low, word.win.high]
        found = {"player": match.names[advice.seat], "seat": advice.seat + 1}
        found |= {"event": len(match.history), "iterations": advice.iterations}
        click.echo(json.dumps(found | {"sides": advice.sides, "choices": choices}, indent=2))
    else:
        show(match, advice)


def position(file: Path, at: int | None) -> "Match":
    """A record's match after an event.  Raises BadRecord, or UsageError beyond its end."""
    from yegg import games
    from yegg.engine import notation

    match = notation.read_file(file, games.find)
    events = len(match.history)
    if at is None:
        return match
    if at > events:
        raise click.UsageError(f"{file} has {events} events; --at {at} is beyond")
    there = match.again()
    there.follow(match.history[:at])
    return there


def show(match: "Match", advice: "Advice", console: "Console | None" = None) -> None:
    """The choices as a table, the best first."""
    from rich.console import Console
    from rich.table import Table

    title = f"{match.names[advice.seat]} to move, after event {len(match.history)}"
    table = Table(title=title, title_justify="left")
    table.add_column("choice")
    table.add_column("wins", justify="right")
    table.add_column("of the play", justify="right")
    table.add_column("why")
    for word in advice.words:
        table.add_row(word.text, str(word.win), f"{word.policy:.0%}", word.why)
    (console or Console()).print(table)
