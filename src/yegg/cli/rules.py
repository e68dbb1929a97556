"""``yegg rules``: the rules page of a game, or one clause of it."""

import re
from typing import TYPE_CHECKING

import click

from yegg.cli.arguments import game_argument, nearest

if TYPE_CHECKING:
    from yegg.engine import Game

CLAUSE = re.compile(r"^- \*\*([A-Z]{2}-\d+)\*\*", re.MULTILINE)


@click.command()
@game_argument
@click.argument("clause", required=False)
def command(game: "Game", clause: str | None) -> None:
    """Show the rules of GAME, or one CLAUSE of them (`SS-23`, or just `23`)."""
    from rich.console import Console
    from rich.markdown import Markdown

    text = (game.folder / "RULES.md").read_text(encoding="utf-8")
    if clause:
        text = find_clause(text, clause).removeprefix("- ")
    console = Console()
    if not clause and console.is_terminal:
        text += "\n" + options_table(game)
    console.print(Markdown(text))


def find_clause(page: str, wanted: str) -> str:
    """The text of one clause.  Raises click.UsageError naming those that exist."""
    found = list(CLAUSE.finditer(page))
    numbers = [match[1] for match in found]
    full = wanted.upper() if "-" in wanted else f"{numbers[0][:2]}-{wanted}"
    if full not in numbers:
        raise click.UsageError(f"there is no clause {wanted!r}; {nearest(full, numbers)}")
    start = found[numbers.index(full)].start()
    rest = page[start:]
    end = re.search(r"\n(?=- \*\*|#|\n)", rest)
    return rest[: end.start()] if end else rest


def options_table(game: "Game") -> str:
    """The options as commands take them."""
    lines = ["## Options of the commands", "", "| option | values | says |", "|---|---|---|"]
    lines += [
        f"| `{name}` | {' '.join(made.values)} | {made.says} |"
        for name, made in game.options.items()
    ]
    return "\n".join(lines)
