"""What several commands take: a game, its options, and a word while compiling."""

import difflib
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from yegg.engine import Game


def nearest(word: str, there: Sequence[str]) -> str:
    """Which of the words that there are was probably meant."""
    close = difflib.get_close_matches(word, there, 1, 0.5)
    hint = f"did you mean {close[0]!r}? " if close else ""
    return f"{hint}there are: {', '.join(there)}"


class GameName(click.ParamType["Game"]):
    """The name of a game, or an unmistakable beginning of it."""

    name = "game"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> "Game":
        """The game itself."""
        from yegg import games

        if not isinstance(value, str):
            game: Game = value
            return game
        there = games.names()
        begun = [name for name in there if name.startswith(value)]
        if value not in there and len(begun) != 1:
            self.fail(f"there is no game {value!r}; {nearest(value, there)}", param, ctx)
        return games.find(value if value in there else begun[0])


def _options(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    chosen: dict[str, str] = {}
    for value in values:
        key, equals, what = value.partition("=")
        if not equals:
            raise click.BadParameter(f"{value!r} is not NAME=VALUE", ctx, param)
        if key in chosen:
            raise click.BadParameter(f"option {key!r} is given twice", ctx, param)
        chosen[key] = what
    return chosen


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
    """Players written with commas, known from here on."""
    return enrolled(names(ctx, param, value))


game_argument = click.argument("game", type=GameName(), is_eager=True)
options_option = click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    callback=_options,
    help="Change a rule (again for more): see `yegg rules GAME` or `yegg` for what there is.",
)
seed_option = click.option("--seed", type=click.IntRange(0), help="For chance and bots.")
players_option = click.option(
    "--players", "-p", type=int, metavar="N", help="How many play; else as usual for the game."
)


def _cards(ctx: click.Context, param: click.Parameter, value: Path | None) -> Path | None:
    """Hand a variant of the cards to the game, before its rules are imported."""
    game = ctx.params.get("game")
    if value is None:
        return None
    if game is None:
        raise click.UsageError("--cards needs the game's name", ctx)
    from importlib import import_module

    use = getattr(import_module(game.package), "use_cards", None)
    if use is None:
        raise click.UsageError(f"the cards of {game.title} cannot be changed", ctx)
    use(value)
    return value


cards_option = click.option(
    "--cards",
    type=click.Path(path_type=Path),
    callback=_cards,
    metavar="FILE",
    help="Play with the cards of this file: a variant of the game's own, where it has one.",
)


def player_count(game: "Game", players: int | None, options: dict[str, str], listed: int) -> int:
    """How many play: as said, as listed, or as usual with these options."""
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
    from rich.console import Console

    console = Console(stderr=True)
    with console.status(f"Compiling {title} for this machine (only this once) …"):
        yield
