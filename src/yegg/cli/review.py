"""``yegg review``: look back on a game."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .arguments import cards_option, compiling, json_option

if TYPE_CHECKING:
    from yegg.coach.review import Review
    from yegg.engine import Match

BARS = " ▁▂▃▄▅▆▇█"
WIDTH = 36
LABELS = 42  # columns of the table that hold neither names nor curves
LEGEND = """luck: what dice and cards changed; decisions: what everybody's choices changed.
Both count wins in 100 games.  How true the curve is, yegg calibrate measures.
The costliest choices are those that were worse by more than the noise of the thinking.
"""


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--seconds",
    type=click.FloatRange(0.01),
    default=0.2,
    show_default=True,
    metavar="S",
    help="How long to think about each decision.",
)
@cards_option
@json_option
def command(file: Path, seconds: float, cards: Path | None, as_json: bool) -> None:
    """Look back on the record FILE: everybody's chances, costly choices, luck and skill.

    \b
    yegg review my.game                 a minute or two
    yegg review my.game --seconds 0.02  quick and rough

    The cost of a choice is judged by what its player could know at that moment.  The curve,
    luck and decisions are judged by the whole position, hidden things included.
    """
    from yegg.coach.advice import advise, cold
    from yegg.coach.review import as_data, review
    from yegg.players.thinking.plan import Plan

    from .advise import position
    from .progress import progress

    match = position(file, None, cards)
    first = first_decision(match)
    if first:
        with compiling(match.game.title, lambda: cold(first)):
            advise(first, Plan(iterations=1))
    with progress("Thinking it over", len(match.history) + 1, quiet=as_json) as advance:
        found = review(match, Plan(seconds=seconds), lambda: advance(1))
    if as_json:
        click.echo(json.dumps(as_data(match, found), indent=2))
    else:
        show(match, found)


def first_decision(match: "Match") -> "Match | None":
    """The game at the moment when somebody first had a choice; None if nobody ever had one."""
    from yegg.engine import notation

    then = zip(notation.steps(match), match.history, strict=False)
    deciding = (at for at, choice in then if at.decides(choice))
    return next(deciding, None)


def show(match: "Match", found: "Review") -> None:
    """Curves, luck and decisions, and the costliest choices."""
    from rich.table import Table

    from yegg.text.phrases import change, percent

    from .screen import Screen

    console = Screen()
    names = max(map(len, found.sides))
    wide = min(WIDTH, max(8, console.width - names - LABELS))
    table = Table(title=f"{match.game.title}: chances to win", title_justify="left")
    for column in ("", "from the first event to the last", "at the end", "luck", "decisions"):
        table.add_column(column)
    for side, name in enumerate(found.sides):
        values = found.curve[:, side].tolist()
        table.add_row(
            name,
            curve(values, wide),
            percent(values[-1]),
            change(found.luck[side]),
            change(found.decisions[side]),
        )
    costly = Table(title="The costliest choices", title_justify="left")
    for column in ("event", "player", "chosen", "better", "cost"):
        costly.add_column(column)
    for slip in found.slips:
        costly.add_row(str(slip.event), slip.player, slip.chosen, slip.better, slip.percent)
    console.print(table)
    console.print(LEGEND, style="dim")
    console.print(costly)


def curve(values: list[float], wide: int = WIDTH) -> str:
    """Shares of the win as a line of bars."""
    step = max(1.0, len(values) / wide)
    picked = [values[int(i * step)] for i in range(int(len(values) / step))]
    picked[-1:] = values[-1:]
    return "".join(BARS[round(value * (len(BARS) - 1))] for value in picked)
