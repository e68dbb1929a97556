"""``yegg advise``, ``yegg review``, ``yegg calibrate``: advice, reviews of games, calibration."""

from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from yegg.text.phrases import change, counted, listing, percent, times
from yegg.text.untrusted import say

from .failing import debug_at
from .options import (
    PlayOptions,
    cards_option,
    file_argument,
    flag,
    json_option,
    many_games,
    names_option,
    number,
    seconds_option,
)
from .output import compiling, draw, emit, headline, progress, table
from .records import position

if TYPE_CHECKING:
    from rich.console import RenderableType

    from yegg.coach.advice import Advice
    from yegg.coach.review import Review
    from yegg.engine import Match
    from yegg.lab.batch import Matchup
    from yegg.stats.calibration import Calibration

COVERS = """The intervals cover the noise of this thinking, not what its judgement is off by.
What speaks for a choice is counted some turns later, on the average of all futures."""
NAMED = {"policy": "the policy net", "lore": "lore"}
"""Judges in words."""
MOST = 12  # choices shown, unless all are asked for
SELDOM = 0.05  # the share is not shown for a choice that is worth playing less often
BARS = " ▁▂▃▄▅▆▇█"
WIDTH = 36
LABELS = 42  # columns of the table that hold neither names nor curves
LEGEND = """luck: what dice and cards changed; decisions: what everybody's choices changed.
Both count wins in 100 games.  How true the curve is, yegg calibrate measures.
The costliest choices are those that were worse by more than the noise of the thinking.
"""
CALIBRATED = """The mean gap is the mean distance between said and came.  Even if every chance were
true, so few games would show a gap of about {}.
"""


@click.command()
@file_argument
@number("--at", "After event N, or the last.", least=0)
@seconds_option(0.2, "How long to think.")
@names_option("--bots", "Also show what these would choose.")
@flag("--all whole", f"Show every choice, not only the best {MOST}.")
@flag("--debug", "With --bots: ask them in Python's debugger, where they fail or step by step.")
@cards_option
@json_option
def advise(
    file: Path,
    at: int | None,
    seconds: float,
    bots: list[str],
    whole: bool,
    debug: bool,
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
    from yegg.coach import advice as coach
    from yegg.engine import notation
    from yegg.players.thinking.plan import Plan

    match = position(file, at, cards)
    if debug:
        if not bots:
            raise click.UsageError("whom? --debug asks those of --bots, as --bots mybots:Bold")
        for bot in bots:
            debug_at(match, bot)
        return
    if why := coach.no_choice(match):
        steps = enumerate(notation.steps(match))
        last = max((event for event, then in steps if not coach.no_choice(then)), default=None)
        where = "" if last is None else f"; the last choice before is at --at {last}"
        raise click.UsageError(f"nobody has a choice here: {why}{where}")
    with compiling(match.game.title, lambda: coach.cold(match)):
        advice = coach.advise(match, Plan(seconds=seconds))
    chosen = {bot: _would_choose(match, bot) for bot in bots}

    def show() -> None:
        draw(choices_table(match, advice, most=len(advice.words) if whole else MOST))
        if len(advice.words) > MOST and not whole:
            say("--all lists them all.")
        for bot, text in chosen.items():
            say(f"{bot} would choose: {text}")

    emit(lambda: _to_dict(match, advice) | {"bots": chosen}, show, as_json=as_json)


def _would_choose(match: "Match", bot: str) -> str:
    """A bot's choice for the current player, or why it gave none."""
    from yegg.engine import Failed
    from yegg.players import Bot

    try:
        return match.say(Bot(bot).choose(match.view()))
    except Failed as failure:
        return f"nothing: it {failure.why}\n{failure.trace}".rstrip()


def _to_dict(match: "Match", advice: "Advice") -> dict[str, Any]:
    """The advice for ``--json``; null for a choice that was never tried."""
    return {
        "player": match.names[advice.seat],
        "seat": advice.seat + 1,
        "event": len(match.history),
        "judge": advice.judge,
        "iterations": advice.iterations,
        "sides": advice.sides,
        "alike": advice.alike,
        "choices": [
            {
                "choice": word.choice,
                "text": word.text,
                "win": None if isnan(word.win.value) else word.win.value,
                "policy": word.policy,
                "odds": word.odds,
                "why": word.why,
                "alike": word.alike,
                "interval": None if isnan(word.win.value) else [word.win.low, word.win.high],
            }
            for word in advice.words
        ],
    }


def choices_table(match: "Match", advice: "Advice", *, most: int = MOST) -> "RenderableType":
    """The choices, the best first, each with its reason below it."""
    from rich.console import Group
    from rich.padding import Padding
    from rich.text import Text

    from yegg.coach.advice import FIRST_SIGHT

    title = f"{match.names[advice.seat]} to move, after event {len(match.history)}"
    lines: list[RenderableType] = [Text(title, "bold")]
    if advice.undecided:
        lines.append(Text(advice.undecided))
    words = advice.words[:most]
    wide = max(len(word.text) for word in words)
    for word in words:
        wins = "" if isnan(word.win.value) else f"  wins {word.win}"
        often = f"; worth playing {times(word.policy)}" if word.policy >= SELDOM else ""
        lines.append(Text(f"{word.text.ljust(wide)}{wins}"))
        lines.append(Padding(Text(f"{word.why}{often}", "dim"), (0, 0, 0, 4)))
    if len(advice.words) > most:
        lines.append(Text(f"… and {counted(len(advice.words) - most, 'choice')} more."))
    said = FIRST_SIGHT if advice.at_first_sight else COVERS
    lines.append(Text(f"{said}\nJudged by {NAMED[advice.judge]}.", "dim"))
    return Group(*lines)


@click.command()
@file_argument
@seconds_option(0.2, "How long to think about each decision.")
@cards_option
@json_option
def review(file: Path, seconds: float, cards: Path | None, as_json: bool) -> None:
    """Look back on the record FILE: everybody's chances, costly choices, luck and skill.

    \b
    yegg review my.game                 a minute or two
    yegg review my.game --seconds 0.02  quick and rough

    The cost of a choice is judged by what its player could know at that moment.  The curve,
    luck and decisions are judged by the whole position, hidden things included.
    """
    from yegg.coach.advice import advise, cold
    from yegg.coach.review import review, to_dict
    from yegg.engine import notation
    from yegg.players.thinking.plan import Plan

    match = position(file, None, cards)
    then = zip(notation.steps(match), match.history, strict=False)
    if first := next((at for at, choice in then if at.decides(choice)), None):
        with compiling(match.game.title, lambda: cold(first)):
            advise(first, Plan(iterations=1))
    with progress("Thinking it over", len(match.history) + 1, quiet=as_json) as update:
        found = review(match, Plan(seconds=seconds), lambda: update(advance=1))
    emit(lambda: to_dict(match, found), lambda: show_review(match, found), as_json=as_json)


def show_review(match: "Match", found: "Review") -> None:
    """Curves, luck and decisions, and the costliest choices."""
    from rich.table import Table

    from .screen import Screen

    console = Screen()
    names = max(map(len, found.sides))
    wide = min(WIDTH, max(8, console.width - names - LABELS))
    columns = "", "from the first event to the last", "at the end", "luck", "decisions"
    chances = Table(*columns, title=f"{match.game.title}: chances to win", title_justify="left")
    for side, name in enumerate(found.sides):
        values = found.curve[:, side].tolist()
        luck, decisions = change(found.luck[side]), change(found.decisions[side])
        chances.add_row(name, _curve(values, wide), percent(values[-1]), luck, decisions)
    told = "event", "player", "chosen", "better", "cost", "what speaks for it"
    costly = Table(*told, title="The costliest choices", title_justify="left")
    for slip in found.slips:
        chosen, better = slip.chosen_called or slip.chosen, slip.better_called or slip.better
        costly.add_row(str(slip.event), slip.player, chosen, better, slip.percent, slip.speaks)
    console.print(chances)
    console.print(f"{LEGEND}Judged by {NAMED[found.judge]}.\n", style="dim")
    console.print(costly)


def _curve(values: list[float], wide: int = WIDTH) -> str:
    """Shares of the win as a line of bars."""
    step = max(1.0, len(values) / wide)
    picked = [values[int(i * step)] for i in range(int(len(values) / step))]
    picked[-1:] = values[-1:]
    return "".join(BARS[round(value * (len(BARS) - 1))] for value in picked)


@click.command()
@many_games(
    100,
    games="How many games.",
    bots="Who plays: one name for all seats, or one for each. [default: medium]",
)
@json_option
def calibrate(play: PlayOptions, as_json: bool) -> None:
    """Play GAME many times, and compare the coach's chances with who won.

    \b
    yegg calibrate secrets                      are the chances true between medium bots?
    yegg calibrate second-story --bots hard -n 50 --json

    The chances are those of the curve that yegg review shows, hidden things included, at
    every decision.  When it says 30 %, that side should win 30 times in 100.  Intervals are
    95 % ones over whole games, since all positions of one game end with the same result.
    """
    from yegg.lab.calibration import calibrate, to_dict

    from .simulate import compile_for, shown

    setting = play.setting("medium")
    compile_for(setting)
    found = shown(calibrate, setting, play, quiet=as_json)
    emit(lambda: to_dict(setting, found), lambda: _show_bins(setting, found), as_json=as_json)


def _show_bins(setting: "Matchup", found: "Calibration") -> None:
    """A row for each bin, and what they come to."""
    from yegg.players.judges import by_net_or_lore

    bots = listing(list(dict.fromkeys(setting.lineup)))
    played = f"{counted(setting.players, 'player')}, {counted(found.games, 'game')} of {bots}"
    judge = by_net_or_lore(setting.game, setting.players, setting.options)
    headline(setting.game.title, f", {played}")
    figures = "chance", "how often", "said", "came"
    bins = table(*figures, right=figures)
    for chances in found.bins:
        if chances.seats:
            span = f"{chances.low * 100:.0f} to {percent(chances.high)}"
            row = str(chances.seats), percent(chances.said, 1), str(chances.came)
            bins.add_row(span, *row)
    draw(bins)
    draw(f"Judged by {NAMED[judge]}")
    draw(f"Mean gap {found.mean_gap}")
    mean = f"always saying the mean has {found.brier_of_mean:.4f}"
    draw(f"Brier score {found.brier.value:.4f}; {mean}")
    draw(CALIBRATED.format(percent(found.chance_gap, 1)), style="dim")
