"""Arguments that several commands share, and the notice that a game is being compiled."""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from yegg.text.untrusted import quoted

if TYPE_CHECKING:
    from yegg.engine import Game

Command = TypeVar("Command", bound=Callable[..., Any])


class GameName(click.ParamType["Game"]):
    """The name of a game, or an unmistakable beginning of it."""

    name = "game"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> "Game":
        """The game itself."""
        from yegg import games
        from yegg.text.phrases import offered

        if not isinstance(value, str):
            game: Game = value
            return game
        there = games.names()
        begun = [name for name in there if name.startswith(value.lower())]
        if value not in there and len(begun) != 1:
            if value.endswith(".game"):
                why = f"to go on with a saved game, use --resume {value}"
                raise click.UsageError(f"{quoted(value)} is no game's name: {why}")
            raise click.UsageError(f"there is no game {quoted(value)}; {offered(value, there)}")
        return games.find(value if value in there else begun[0])


def names(ctx: click.Context, param: click.Parameter, value: str | None) -> list[str]:
    """A list written with commas."""
    return [name.strip() for name in value.split(",")] if value else []


def enrolled(names: Sequence[str]) -> list[str]:
    """Players by name; ``module:Class`` is imported, from this folder too.  Raises Refused."""
    from yegg import players

    if any(":" in name for name in names) and os.getcwd() not in sys.path:  # noqa: PTH109
        sys.path.insert(0, os.getcwd())  # noqa: PTH109
    return [players.enrol(name) for name in names]


def bot_names(ctx: click.Context, param: click.Parameter, value: str | None) -> list[str]:
    """Players written with commas; from here on, they are found by their names."""
    return enrolled(names(ctx, param, value))


game_argument = click.argument("game", type=GameName(), is_eager=True)
seed_option = click.option(
    "--seed",
    type=click.IntRange(0),
    metavar="N",
    help="The same number gives the same dice, cards and bots.",
)
players_option = click.option(
    "--players", "-p", type=int, metavar="N", help="How many players; by default as many as usual."
)
threads_option = click.option(
    "--threads",
    type=click.IntRange(1),
    metavar="N",
    help="How many threads; by default one for each core.",
)
json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object, for programs."
)


cards_option = click.option(
    "--cards",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The file of a deck of your own, for a game that takes one; "
    "also needed to read the record of a game that was played with it.",
)


def many_games(
    usual: int, *, games: str, bots: str, needs_bots: bool = False
) -> Callable[[Command], Command]:
    """The argument and the options of every command that plays many games.

    ``usual`` is the default number of games; ``games`` and ``bots`` are the help of these options.
    """
    from .options import options_option

    number = click.option(
        "-n",
        "games",
        type=click.IntRange(1),
        default=usual,
        show_default=True,
        metavar="N",
        help=games,
    )
    named = click.option(
        "--bots", callback=bot_names, required=needs_bots, metavar="A,B,…", help=bots
    )
    return taking(
        game_argument,
        number,
        players_option,
        named,
        options_option,
        cards_option,
        seed_option,
        threads_option,
    )


def taking(*options: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """Give a command arguments and options, in the order in which its help tells them."""

    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def player_count(game: "Game", players: int | None, options: dict[str, str], listed: int) -> int:
    """How many play: the number given, or the bots listed, or the usual number for the options."""
    if players is not None:
        return players
    if listed > 1:
        return listed
    return game.usual_players(options)


@contextmanager
def compiling(title: str, is_cold: Callable[[], bool]) -> Iterator[None]:
    """Say so on screen when the first call of a game has to compile it."""
    if not is_cold():
        yield
        return
    from rich.text import Text

    from .screen import Screen

    said = Text(f"Compiling {title} for this machine (only this once) …")
    with Screen(stderr=True).status(said):
        yield
