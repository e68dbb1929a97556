"""``yegg advise``: how good each choice is, by what its player may know."""

import json
from dataclasses import asdict
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from yegg.text.untrusted import say

from .arguments import bot_names, cards_option, compiling, json_option

if TYPE_CHECKING:
    from rich.console import Console

    from yegg.coach.advice import Advice
    from yegg.engine import Match


COVERS = "The intervals cover the noise of this thinking, not what its judgement is off by."
MOST = 12  # choices shown, unless all are asked for
SELDOM = 0.05  # the share is not shown for a choice that is worth playing less often


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--at", type=click.IntRange(0), metavar="N", help="After event N, or the last.")
@click.option(
    "--seconds",
    type=click.FloatRange(0.01),
    default=2.0,
    show_default=True,
    metavar="S",
    help="How long to think.",
)
@click.option(
    "--bots", callback=bot_names, metavar="A,B,…", help="Also show what these would choose."
)
@click.option("--all", "whole", is_flag=True, help=f"Show every choice, not only the best {MOST}.")
@cards_option
@json_option
def command(
    file: Path,
    at: int | None,
    seconds: float,
    bots: list[str],
    whole: bool,
    cards: Path | None,
    as_json: bool,
) -> None:
    """Show how good each choice of the player to move is, at any point of the record FILE.

    \b
    yegg advise my.game             who is to move now
    yegg advise my.game --at 12     after event 12
    yegg advise my.game --bots hard,mybots:Bold

    With more than two players, the chance to win is the expected share of the win.  The interval
    covers the noise of the thinking: it is narrower if the choice was tried more often.  It does
    not cover how far the judgement of positions is off; yegg calibrate measures that.
    """
    from yegg.coach.advice import advise, cold, no_choice
    from yegg.engine import notation
    from yegg.players.thinking.plan import Plan

    match = position(file, at, cards)
    if why := no_choice(match):
        asked = [at for at, then in enumerate(notation.steps(match)) if not no_choice(then)]
        where = f"; the last choice before is at --at {asked[-1]}" if asked else ""
        raise click.UsageError(f"nobody has a choice here: {why}{where}")
    with compiling(match.game.title, lambda: cold(match)):
        advice = advise(match, Plan(seconds=seconds))
    chosen = {bot: would_choose(match, bot) for bot in bots}
    if as_json:
        click.echo(json.dumps(as_data(match, advice) | {"bots": chosen}, indent=2))
    else:
        show(match, advice, most=len(advice.words) if whole else MOST)
        if len(advice.words) > MOST and not whole:
            say("--all lists them all.")
        for bot, text in chosen.items():
            say(f"{bot} would choose: {text}")


def would_choose(match: "Match", bot: str) -> str:
    """A bot's choice for the current player, or why it gave none."""
    from yegg.engine import Failed
    from yegg.players import Bot

    try:
        return match.say(Bot(bot).choose(match.view()))
    except Failed as failure:
        return f"nothing: it {failure.why}"


def as_data(match: "Match", advice: "Advice") -> dict[str, Any]:
    """The advice for ``--json``; null for a choice that was never tried."""
    return {
        "player": match.names[advice.seat],
        "seat": advice.seat + 1,
        "event": len(match.history),
        "iterations": advice.iterations,
        "sides": advice.sides,
        "alike": advice.alike,
        "choices": [
            asdict(word)
            | {
                "win": None if isnan(word.win.value) else word.win.value,
                "interval": None if isnan(word.win.value) else [word.win.low, word.win.high],
            }
            for word in advice.words
        ],
    }


def position(file: Path, at: int | None, cards: Path | None) -> "Match":
    """The match of a record after event ``at``, or at its end.  Raises BadRecord, UsageError."""
    from yegg import games
    from yegg.engine import notation
    from yegg.text.phrases import counted

    match = notation.read_file(file, games.find, cards=cards)
    events = len(match.history)
    if at is None:
        return match
    if at > events:
        raise click.UsageError(f"{file} has {counted(events, 'event')}; --at {at} is beyond")
    match.back(at)
    return match


def show(
    match: "Match", advice: "Advice", console: "Console | None" = None, *, most: int = MOST
) -> None:
    """Print the choices, the best first, each with its reason below it."""
    from rich.padding import Padding
    from rich.text import Text

    from yegg.coach.advice import FIRST_SIGHT
    from yegg.text.phrases import counted, times

    from .screen import Screen

    console = console or Screen()
    title = f"{match.names[advice.seat]} to move, after event {len(match.history)}"
    console.print(Text(title, "bold"))
    if advice.undecided:
        console.print(Text(advice.undecided))
    words = advice.words[:most]
    wide = max(len(word.text) for word in words)
    for word in words:
        line = Text(word.text.ljust(wide))
        if not isnan(word.win.value):
            line.append(f"  wins {word.win}")
        console.print(line)
        often = f"; worth playing {times(word.policy)}" if word.policy >= SELDOM else ""
        console.print(Padding(Text(f"{word.why}{often}", "dim"), (0, 0, 0, 4)))
    if len(advice.words) > most:
        console.print(f"… and {counted(len(advice.words) - most, 'choice')} more.")
    console.print(FIRST_SIGHT if advice.at_first_sight else COVERS, style="dim")
