"""``yegg rules``: the rules page of a game, or one clause of it."""

from typing import TYPE_CHECKING

import click

from yegg.text.untrusted import quoted

from .arguments import game_argument
from .options import listed

if TYPE_CHECKING:
    from yegg.engine import Game


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
        text = find_clause(text, clause)
    screen = Screen()
    screen.print(Markdown(text))
    if not clause:
        screen.print()
        screen.print(listed(game))


def find_clause(page: str, wanted: str) -> str:
    """The text of one clause.  Raises click.UsageError naming those that exist."""
    from yegg.engine.clauses import clauses, whole
    from yegg.text.phrases import offered

    there = clauses(page)
    full = whole(wanted.upper(), there)
    if full not in there:
        raise click.UsageError(f"there is no clause {quoted(wanted)}; {offered(full, list(there))}")
    return there[full]
