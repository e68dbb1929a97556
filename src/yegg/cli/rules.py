"""``yegg rules``: the rules page of a game, or one clause of it."""

import re
from typing import TYPE_CHECKING

import click

from yegg.cli.arguments import game_argument
from yegg.cli.options import listed
from yegg.outside import quoted

if TYPE_CHECKING:
    from yegg.engine import Game

CLAUSE = re.compile(r"^- \*\*([A-Z]{2}-\d+)\*\*", re.MULTILINE)


@click.command()
@game_argument
@click.argument("clause", required=False)
def command(game: "Game", clause: str | None) -> None:
    """Show the rules of GAME and its options, or one CLAUSE of them.

    \b
    yegg rules second-story         the whole page
    yegg rules second-story SS-23   one clause
    yegg rules second-story 23      the same
    """
    from rich.markdown import Markdown

    from .screen import Screen

    text = (game.folder / "RULES.md").read_text(encoding="utf-8")
    if clause:
        text = find_clause(text, clause).removeprefix("- ")
    screen = Screen()
    screen.print(Markdown(text))
    if not clause:
        screen.print()
        screen.print(listed(game))


def find_clause(page: str, wanted: str) -> str:
    """The text of one clause.  Raises click.UsageError naming those that exist."""
    from yegg.engine.prose import offered

    found = list(CLAUSE.finditer(page))
    numbers = [match[1] for match in found]
    full = wanted.upper() if "-" in wanted else f"{numbers[0][:2]}-{wanted}"
    if full not in numbers:
        raise click.UsageError(f"there is no clause {quoted(wanted)}; {offered(full, numbers)}")
    start = found[numbers.index(full)].start()
    rest = page[start:]
    end = re.search(r"\n(?=- \*\*|#|\n)", rest)
    return rest[: end.start()] if end else rest
