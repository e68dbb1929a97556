"""``yegg`` alone and ``yegg rules``: lists of games and bots, and the rules of a game."""

from typing import TYPE_CHECKING

import click

from yegg.text.phrases import offered
from yegg.text.untrusted import quoted, say

from .options import game_argument, listed
from .output import draw, headline, table

if TYPE_CHECKING:
    from rich.console import RenderableType

    from yegg.engine import Game


def welcome() -> None:
    """List games and bots, and what to do next."""
    from rich.text import Text

    from yegg import games, players

    drawn = table("name", "players", "minutes", "", title="Games", fold=True)
    for name in games.names():
        game = games.find(name)
        span = f"{game.players[0]}-{game.players[-1]}" if len(game.players) > 1 else "1"
        drawn.add_row(Text(name, "bold"), span, str(game.minutes), game.blurb)
    draw(drawn)
    warn()
    drawn = table("name", "", title="\nBots", fold=True)
    others = [name for name in players.names() if name not in players.LEVELS]
    for name in (*players.LEVELS, *others):
        drawn.add_row(Text(name, "bold"), players.about(name))
    draw(drawn, "")
    first = min(games.names(), key=lambda name: games.find(name).minutes)
    for command, says in (
        (f"yegg learn {first}", "learn a game here, in a few minutes"),
        (f"yegg play {first}", "play here, against bots"),
        ("yegg serve --open", "play in the browser, with friends"),
        (f"yegg rules {first}", "read the rules"),
        (f"yegg play {first} --option", "see which rules can be changed"),
        (f"yegg sim {first}", "let bots play a thousand games"),
        ("yegg --help", "everything else"),
    ):
        headline(command.ljust(34), says)


def warn() -> None:
    """Say which games of other packages cannot be played, and why."""
    from yegg import games

    for name, why in games.faults().items():
        say(f"yegg: the game {quoted(name)} cannot be played: {why}", err=True)


@click.command()
@game_argument
@click.argument("clause", required=False)
def rules(game: "Game", clause: str | None) -> None:
    """Show the rules of GAME and its options, or one CLAUSE of them.

    \b
    yegg rules second-story         the whole page
    yegg rules second-story SS-23   one clause
    yegg rules second-story 23      the same
    """
    draw(clause_of(game, clause) if clause else page_of(game))


def page_of(game: "Game") -> "RenderableType":
    """The whole rules page of a game, and its options."""
    from rich.console import Group
    from rich.markdown import Markdown

    return Group(Markdown(_page(game)), "", listed(game))


def clause_of(game: "Game", wanted: str) -> "RenderableType":
    """One clause of the rules.  Raises click.UsageError naming those that exist."""
    from rich.markdown import Markdown

    from yegg.engine.voice import clauses, whole

    texts = clauses(_page(game))
    full = whole(wanted.upper(), texts)
    if full not in texts:
        raise click.UsageError(f"there is no clause {quoted(wanted)}; {offered(full, list(texts))}")
    return Markdown(texts[full])


def _page(game: "Game") -> str:
    return (game.folder / "RULES.md").read_text(encoding="utf-8")
