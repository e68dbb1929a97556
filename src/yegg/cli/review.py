"""``yegg review``: a game looked back on."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .arguments import compiling

if TYPE_CHECKING:
    from yegg.engine import Match
    from yegg.lab.review import Review

BARS = " ▁▂▃▄▅▆▇█"
WIDTH = 36


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--seconds",
    type=click.FloatRange(0.01),
    default=0.2,
    show_default=True,
    help="To think about each decision.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(file: Path, seconds: float, as_json: bool) -> None:
    """Look back on the record FILE: everybody's chances, costly choices, luck and skill.

    A choice's cost is reckoned by what its player could know then.  The curve, and with it
    luck and decisions, is judged with everything in sight.
    """
    from rich.console import Console
    from rich.progress import Progress

    from yegg.cli.advise import position
    from yegg.lab.advise import advise, cold
    from yegg.lab.review import as_data, review
    from yegg.players.thinking.plan import Plan

    match = position(file, None)
    first = first_decision(match)
    if first:
        with compiling(match.game.title, lambda: cold(first)):
            advise(first, Plan(iterations=1))
    console = Console(stderr=True)
    with Progress(
        console=console, transient=True, disable=as_json or not console.is_terminal
    ) as bar:
        task = bar.add_task("Thinking it over", total=len(match.history) + 1)
        found = review(match, Plan(seconds=seconds), lambda: bar.advance(task))
    if as_json:
        click.echo(json.dumps(as_data(match, found), indent=2))
    else:
        show(match, found)


def first_decision(match: "Match") -> "Match | None":
    """The game where somebody first had a choice."""
    from yegg.engine import notation

    deciding = (at for at in notation.steps(match) if at.actor >= 0 and len(at.choices) > 1)
    return next(deciding, None)


def show(match: "Match", found: "Review") -> None:
    """Curves, luck and decisions, and the costliest choices."""
    from rich.console import Console
    from rich.table import Table

    table = Table(title=f"{match.game.title}: chances to win", title_justify="left")
    for column in ("", "from the first event to the last", "at last", "luck", "decisions"):
        table.add_column(column)
    for side, name in enumerate(found.sides):
        values = found.curve[:, side].tolist()
        table.add_row(
            name,
            curve(values),
            f"{values[-1]:.0%}",
            f"{found.luck[side]:+.0%}",
            f"{found.decisions[side]:+.0%}",
        )
    costly = Table(title="The costliest choices", title_justify="left")
    for column in ("event", "player", "chosen", "better", "cost"):
        costly.add_column(column)
    for of in found.slips:
        for slip in of:
            name = match.names[slip.seat]
            costly.add_row(str(slip.event), name, slip.chosen, slip.better, f"{slip.cost:.0%}")
    console = Console()
    console.print(table)
    console.print(costly)


def curve(values: list[float]) -> str:
    """Shares of the win as a line of bars."""
    step = max(1.0, len(values) / WIDTH)
    picked = [values[int(i * step)] for i in range(int(len(values) / step))]
    return "".join(BARS[round(value * (len(BARS) - 1))] for value in picked)
