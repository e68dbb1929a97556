"""Arguments and options that several commands share, and a game's own options."""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from yegg.text.phrases import listing, meant, offered
from yegg.text.untrusted import quoted

if TYPE_CHECKING:
    from rich.console import RenderableType

    from yegg.engine import Game
    from yegg.lab.batch import Setting

Command = TypeVar("Command", bound=Callable[..., Any])
PATH = click.Path(path_type=Path)
FILE = click.Path(path_type=Path, dir_okay=False)
FOLDER = click.Path(path_type=Path, file_okay=False)
THREADS, CLUSTER = "threads", "cluster"
NOTHING = ""  # what --option means with nothing after it


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
        names = games.names()
        begun = [name for name in names if name.startswith(value.lower())]
        if value not in names and len(begun) != 1:
            if value.endswith(".game"):
                why = f"to go on with a saved game, use --resume {value}"
                raise click.UsageError(f"{quoted(value)} is no game's name: {why}")
            raise click.UsageError(f"there is no game {quoted(value)}; {offered(value, names)}")
        return games.find(value if value in names else begun[0])


def names_of(ctx: click.Context, param: click.Parameter, value: str | None) -> list[str]:
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
    return enrolled(names_of(ctx, param, value))


def number(
    *names: str,
    least: int = 1,
    most: int | None = None,
    usual: int | None = None,
    shown: bool = True,
    says: str,
) -> Callable[[Command], Command]:
    """An option that takes a whole number from ``least`` on, by default ``usual``."""
    return click.option(
        *names,
        type=click.IntRange(least, most),
        default=usual,
        show_default=shown and usual is not None,
        metavar="N",
        help=says,
    )


def taking(*options: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """Give a command arguments and options, in the order in which its help tells them."""

    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


# A game's options


def _chosen(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    game: Game | None = ctx.params.get("game")
    if NOTHING in values:
        _list_and_leave(ctx, game)
    chosen: dict[str, str] = {}
    for value in values:
        key, equals, what = value.partition("=")
        if not equals:
            raise click.UsageError(_no_value(game, value), ctx)
        if key in chosen:
            raise click.UsageError(f"option {quoted(key)} is given twice", ctx)
        chosen[key] = what
    return chosen


def _list_and_leave(ctx: click.Context, game: "Game | None") -> None:
    if game is None:
        raise click.UsageError(
            "which game's options? Name the game, as in: yegg play magnate --option", ctx
        )
    from .output import draw

    draw(listed(game))
    ctx.exit()


def _no_value(game: "Game | None", word: str) -> str:
    """What is wrong with an option that has no value."""
    known = game.options if game else {}
    if word in known:
        values = known[word].values
        ends = values if len(values) <= 4 else (values[0], values[-1])
        return f"option {word} needs a value: {' or '.join(f'--option {word}={v}' for v in ends)}"
    close = meant(word, list(known))
    hint = f"; did you mean {close}=…?" if close else ""
    return f"{quoted(word)} is not NAME=VALUE{hint}; --option with nothing after it lists them"


def listed(game: "Game") -> "RenderableType":
    """The options of a game as commands take them."""
    from rich.console import Group
    from rich.text import Text

    from .output import table

    if not game.options:
        return Text(f"{game.title} has no options.")
    drawn = table("option", "values", "published", "what it means", fold=True)
    published = game.defaults(game.usual)
    example = ""
    for name, option in game.options.items():
        values = option.values
        span = f"{values[0]} to {values[-1]}" if len(values) > 4 else ", ".join(values)
        drawn.add_row(name, span, published[name], option.says)
        others = [f"{name}={value}" for value in values if value != published[name]]
        example = example or next(iter(others), "")
    how = f"Type them as --option {example}, with one --option for each." if example else ""
    title = Text.assemble("Options of ", (game.title, "bold"))
    return Group(title, Text(), drawn, Text(), Text(how))


def checked(game: "Game", players: int, options: Mapping[str, str], seats: str) -> None:
    """Refuse players or options that the game does not allow, and say what to type instead.

    ``seats`` is how the command takes a number of players: ``--players {}``.
    """
    from yegg.engine import Refused

    try:
        game.setup(players, options)
    except Refused as error:
        way_out = _way_out(game, players, options, seats)
        raise click.UsageError(f"{error}{'; type ' if way_out else ''}{way_out}") from None


def _way_out(game: "Game", players: int, options: Mapping[str, str], seats: str) -> str:
    """What would make it possible: one more option, or another number of players."""
    from yegg.engine import Refused

    try:
        codes = game.codes(players, options)
    except Refused:
        return ""  # the reason names what there is
    full = game.texts(codes)
    if players not in game.players:
        return ""
    changes = [
        f"--option {name}={value}"
        for name, option in game.options.items()
        if name not in options
        for value in option.values
        if game.objection(players, {**full, name: value}) is None
    ]
    if not changes:
        changes = [seats.format(fit) for fit in game.seats(options)[:2]]
    return listing(changes[:2], "or") if changes else ""


# What several commands take

game_argument = click.argument("game", type=GameName(), is_eager=True)
optional_game_argument = click.argument("game", type=GameName(), required=False, is_eager=True)
file_argument = click.argument("file", type=PATH)
SEED = "The same number gives the same dice, cards and bots."
seed_option = number("--seed", least=0, says=SEED)
players_option = click.option(
    "--players", "-p", type=int, metavar="N", help="How many players; by default as many as usual."
)
threads_option = number("--threads", says="How many threads; by default one for each core.")
json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object, for programs."
)
cards_option = click.option(
    "--cards",
    type=PATH,
    metavar="FILE",
    help="The file of a deck of your own, for a game that takes one; "
    "also needed to read the record of a game that was played with it.",
)
options_option = click.option(
    "--option",
    "options",
    multiple=True,
    is_flag=False,
    flag_value=NOTHING,
    metavar="[NAME=VALUE]",
    callback=_chosen,
    help="Change a rule: --option courts=yes; repeat it for more. "
    "With nothing after it, list what can be changed.",
)
on_option = click.option(
    "--on",
    type=click.Choice([THREADS, CLUSTER]),
    default=THREADS,
    show_default=True,
    help="Who plays: this machine's threads, or the Ray cluster that RAY_ADDRESS names; "
    "without one, a cluster of this machine alone.  The games are the same.",
)


def seconds_option(usual: float, says: str) -> Callable[[Command], Command]:
    """How long to think."""
    return click.option(
        "--seconds",
        type=click.FloatRange(0.01),
        default=usual,
        show_default=True,
        metavar="S",
        help=says,
    )


# Commands that play many games


@dataclass(frozen=True)
class PlayOptions:
    """What a command that plays many games was given; each field is an option of that name."""

    game: "Game"
    games: int
    players: int | None
    bots: list[str]
    options: dict[str, str]
    cards: Path | None
    seed: int
    threads: int | None

    def seated(self, listed: int = 0) -> "tuple[Game, int, dict[str, str]]":
        """The game with its cards, how many play, and its options.  Raises UsageError.

        ``listed``: how many bots have a seat of their own, if more than one.
        """
        game = self.game.with_cards(self.cards)
        count = self.players if self.players is not None else listed if listed > 1 else None
        count = game.usual_players(self.options) if count is None else count
        checked(game, count, self.options, "--players {}")
        return game, count, self.options

    def setting(self, usual: str, max_events: int | None = None) -> "Setting":
        """Games between these bots, or ``usual`` ones, as the laboratory plays them."""
        from yegg.lab.batch import MAX_EVENTS, Setting
        from yegg.lab.simulation import line_up

        game, count, options = self.seated(len(self.bots))
        lineup = line_up(game, count, options, self.bots or [usual])
        return Setting(game, count, options, lineup, self.seed, max_events or MAX_EVENTS)


def many_games(
    usual: int, *, games: str, bots: str, needs_bots: bool = False
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the argument and the options of `PlayOptions`, which it gets as ``play``.

    ``usual`` is the default number of games; ``games`` and ``bots`` are the help of these options.
    """
    give = taking(
        game_argument,
        number("-n", "games", usual=usual, says=games),
        players_option,
        click.option("--bots", callback=bot_names, required=needs_bots, metavar="A,B,…", help=bots),
        options_option,
        cards_option,
        number("--seed", least=0, usual=0, shown=False, says=SEED),
        threads_option,
    )
    return lambda command: give(gathered(PlayOptions, "play", command))


def gathered(kind: type[Any], name: str, command: Callable[..., None]) -> Callable[..., None]:
    """The command with the options that a class has as fields given as one object."""

    @wraps(command)
    def gather(**given: Any) -> None:
        values = {field.name: given.pop(field.name) for field in fields(kind)}
        command(**{name: kind(**values)}, **given)

    return gather
