"""``yegg counter``: what somebody wins who knows how a bot mixes its secret orders."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .arguments import json_option, many_games, player_count
from .options import checked

if TYPE_CHECKING:
    from yegg.engine import Game
    from yegg.lab.policies.exploitability import Countered, Task


@click.command()
@many_games(
    1000,
    games="How many order sheets the bot fills in, all seats together.",
    bots="The bot that is answered, in all other seats.",
    needs_bots=True,
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
    as_json: bool,
) -> None:
    """Work out the best answer to the way a bot mixes its secret orders in GAME.

    \b
    yegg counter secrets -p 3 --option secrets=3 --option spies=1 --option turns=1 --bots hard

    The bot fills in its order sheet many times in the same position.  The best answer is found
    on half of these sheets and valued on the other half.  A bot that nobody can see through
    leaves it a fair share of the win.  The game must be over once everybody has given orders,
    and there may be at most 2,000 ways to give them.
    """
    from yegg.lab.policies.exploitability import Task, counter

    from .progress import progress

    if len(bots) != 1:
        raise click.UsageError("one bot is answered at a time, as in --bots hard")
    game = game.with_cards(cards)
    count = player_count(game, players, options, 0)
    checked(game, count, options, "--players {}")
    task = Task(game, count, options, bots[0], seed or 0)
    with progress(f"orders of {bots[0]}", games, quiet=as_json) as advance:
        found = counter(task, games, threads, advance)
    if as_json:
        click.echo(json.dumps(found.as_data(task), indent=2))
    else:
        _show(task, found)


def _show(task: "Task", found: "Countered") -> None:
    from rich.table import Table
    from rich.text import Text

    from yegg.text.phrases import counted, percent

    from .screen import Screen

    console = Screen()
    sheets = counted(found.orders, "order sheet")
    players = counted(task.players, "player")
    console.print(Text.assemble((task.game.title, "bold"), f", {players}; {sheets} of {task.bot}"))
    console.print(
        f"\nThe best answer wins {found.best_answer}; {percent(found.fair_share, 1)} is fair.\n"
    )
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("seat")
    table.add_column("share of wins", justify="right")
    table.add_column("the best answer")
    for answer in found.answers:
        table.add_row(str(answer.seat + 1), str(answer.share), Text(", ".join(answer.orders)))
    console.print(table)
