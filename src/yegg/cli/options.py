"""Arguments and options that several commands share, and a game's own options."""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click
from click.shell_completion import CompletionItem

from yegg.files import check_kind
from yegg.text.phrases import listing, meant, offered
from yegg.text.untrusted import quoted

from . import completion
from .numbers import SEEDS, Limit, Real, Whole

if TYPE_CHECKING:
    from rich.console import RenderableType

    from yegg.engine import Game
    from yegg.lab.batch import Matchup

Command = TypeVar("Command", bound=Callable[..., Any])
MOST = 1_000_000_000  # of anything that is counted
THREADS, CLUSTER = "threads", "cluster"
NOTHING = ""  # what --option means with nothing after it


class Named(click.Path):
    """A path, as Click takes it, of a file or a folder that has a name."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path.  Raises BadParameter for an empty one, and OSError for a pipe or a device."""
        if value == "":
            self.fail("a path has a name; . is this folder", param, ctx)
        check_kind(Path(value))
        return super().convert(value, param, ctx)


PATH = Named(path_type=Path)
FILE = Named(path_type=Path, dir_okay=False)
FOLDER = Named(path_type=Path, file_okay=False)


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
        if value in games.faults():
            return games.find(value)  # it says why it cannot be played
        begun = [name for name in names if name.startswith(value.lower())]
        if value not in names and len(begun) != 1:
            if value.endswith(".game"):
                why = f"to go on with a saved game, use --resume {value}"
                raise click.UsageError(f"{quoted(value)} is no game's name: {why}")
            raise click.UsageError(f"there is no game {quoted(value)}; {offered(value, names)}")
        return games.find(value if value in names else begun[0])

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The games whose names begin so."""
        return [CompletionItem(name) for name in completion.games(ctx, param, incomplete)]


def names_of(ctx: click.Context, param: click.Parameter, value: str | None) -> list[str]:
    """A list written with commas.  Raises UsageError for an empty name."""
    names = [] if value is None else [name.strip() for name in value.split(",")]
    if not all(names):
        raise click.UsageError(f"{param.opts[0]} has an empty name in {quoted(value or '')}", ctx)
    return names


def each_named(
    ctx: click.Context, param: click.Parameter, values: tuple[str, ...]
) -> tuple[str, ...]:
    """The values of an option that may be repeated.  Raises UsageError for an empty one."""
    if not all(map(str.strip, values)):
        raise click.UsageError(f"{param.opts[0]} has an empty value", ctx)
    return values


def enrolled(names: Sequence[str]) -> list[str]:
    """Players by name; ``module:Class`` is imported, from this folder too.  Raises Refused."""
    from yegg import players

    if any(":" in name for name in names) and os.getcwd() not in sys.path:  # noqa: PTH109
        sys.path.insert(0, os.getcwd())  # noqa: PTH109
    return [players.enrol(name) for name in names]


def bot_names(ctx: click.Context, param: click.Parameter, value: str | None) -> list[str]:
    """Players written with commas; from here on, they are found by their names."""
    names = names_of(ctx, param, value)
    return names if ctx.resilient_parsing else enrolled(names)


def option(
    names: str, says: str, kind: Any = None, usual: Any = None, **more: Any
) -> Callable[[Command], Command]:
    """An option by its ``names``: ``--records folder FOLDER`` is a parameter, and a metavar.

    It shows its default, if it has one.  ``more``: as for `click.option`.
    """
    parts = names.split()
    metavar = [part for part in parts if part.isupper()]
    more = {"show_default": usual is not None, "metavar": "".join(metavar) or None} | more
    declared = [part for part in parts if part not in metavar]
    return click.option(*declared, type=kind, default=usual, help=says, **more)


def flag(names: str, says: str, **more: Any) -> Callable[[Command], Command]:
    """An option without a value."""
    return click.option(*names.split(), is_flag=True, help=says, **more)


def number(
    names: str, says: str, usual: int | None = None, least: int = 1, most: int = MOST
) -> Callable[[Command], Command]:
    """An option that takes a whole number from ``least`` to ``most``."""
    return option(f"{names} N", says, Whole(least, most), usual)


def names_option(names: str, says: str, **more: Any) -> Callable[[Command], Command]:
    """An option that takes players, written with commas."""
    more = {"callback": bot_names, "shell_complete": completion.bots} | more
    return option(f"{names} A,B,…", says, **more)


def taking(*options: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """Give a command arguments and options, in the order in which its help tells them."""

    def decorate(command: Command) -> Command:
        for declare in reversed(options):
            command = declare(command)
        return command

    return decorate


def grouped(
    kind: Any, name: str, *options: Callable[[Callable[..., None]], Callable[..., None]]
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command options that are the fields of a named tuple; it gets them as one object."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def gather(**given: Any) -> None:
            values = {field: given.pop(field) for field in kind._fields}
            command(**{name: kind(**values)}, **given)

        return taking(*options)(gather)

    return decorate


# A game's options


def _chosen(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    game: Game | None = ctx.params.get("game")
    if ctx.resilient_parsing:  # Tab was pressed: nothing is printed
        return {}
    if NOTHING in values:
        from .output import draw

        if game is None:
            how = "yegg play magnate --option"
            raise click.UsageError(f"which game's options? Name the game, as in: {how}", ctx)
        draw(listed(game))
        ctx.exit()
    chosen: dict[str, str] = {}
    for value in values:
        key, equals, what = value.partition("=")
        if not equals:
            raise click.UsageError(_no_value(game, value), ctx)
        if key in chosen:
            raise click.UsageError(f"option {quoted(key)} is given twice", ctx)
        chosen[key] = what
    return chosen


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


def checked(
    game: "Game", players: int, options: Mapping[str, str], seats: str = "--players {}"
) -> None:
    """Refuse players or options that the game does not allow, and say what to type instead.

    ``seats`` is how the command takes a number of players.
    """
    from yegg.engine import Refused

    try:
        game.setup(players, options)
    except Refused as error:
        ways = _ways_out(game, players, options, seats)[:2]
        hint = f"; type {listing(ways, 'or')}" if ways else ""
        raise click.UsageError(f"{error}{hint}") from None


def _ways_out(game: "Game", players: int, options: Mapping[str, str], seats: str) -> list[str]:
    """What would make it possible: one more option, or another number of players."""
    from yegg.engine import Refused

    if players not in game.players:
        return []
    try:
        full = game.texts(game.codes(players, options))
    except Refused:
        return []  # the reason names what there is
    changes = [
        f"--option {name}={value}"
        for name, option in game.options.items()
        if name not in options
        for value in option.values
        if game.objection(players, {**full, name: value}) is None
    ]
    return changes or [seats.format(fit) for fit in game.seats(options)]


# What several commands take

game_argument = click.argument("game", type=GameName(), is_eager=True)
optional_game_argument = click.argument("game", type=GameName(), required=False, is_eager=True)
file_argument = click.argument("file", type=PATH)
SEED = "The same number gives the same dice, cards and bots."
seed_option = number("--seed", SEED, least=0, most=SEEDS)
players_option = option("--players -p N", "How many players; by default as many as usual.", Whole())
threads_option = number("--threads", "How many threads; by default one for each core.", most=1024)
json_option = flag("--json as_json", "Print one JSON object, for programs.")
cards_option = option(
    "--cards FILE",
    "The file of a deck of your own, for a game that takes one; "
    "also needed to read the record of a game that was played with it.",
    PATH,
)
options_option = click.option(
    "--option",
    "options",
    multiple=True,
    is_flag=False,
    flag_value=NOTHING,
    metavar="[NAME=VALUE]",
    callback=_chosen,
    shell_complete=completion.rule_options,
    help="Change a rule: --option courts=yes; repeat it for more. "
    "With nothing after it, list what can be changed.",
)
on_option = option(
    "--on",
    "Who plays: this machine's threads, or the Ray cluster that RAY_ADDRESS names; "
    "without one, a cluster of this machine alone.  The games are the same.",
    click.Choice([THREADS, CLUSTER]),
    THREADS,
)


records_option = option("--records FOLDER", "Write a record of each game into this folder.", FOLDER)
player_seconds_option = option(
    "--seconds S",
    "How long a player of your own may think about a choice, or none: as long as it likes.  "
    "What yegg compiles for it does not count.",
    Limit(0.001, 86_400),
    10,
)


def seconds_option(usual: float, says: str) -> Callable[[Command], Command]:
    """How long to think."""
    return option("--seconds S", says, Real(0.01, 86_400), usual)


# Commands that play many games


class PlayOptions(NamedTuple):
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
        checked(game, count, self.options)
        return game, count, self.options

    def setting(self, usual: str, max_events: int | None = None) -> "Matchup":
        """Games between these bots, or ``usual`` ones, as the laboratory plays them."""
        from yegg.lab.batch import MAX_EVENTS, Matchup
        from yegg.lab.simulation import line_up

        game, count, options = self.seated(len(self.bots))
        lineup = line_up(game, count, options, self.bots or [usual])
        return Matchup(game, count, options, lineup, self.seed, max_events or MAX_EVENTS)


def many_games(
    usual: int, *, games: str, bots: str, needs_bots: bool = False, most: int = 1_000_000
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the argument and the options of `PlayOptions`, which it gets as ``play``.

    ``usual`` is the default number of games, of ``most``; ``games`` and ``bots`` are the help of
    these options.
    """
    return grouped(
        PlayOptions,
        "play",
        game_argument,
        number("-n games", games, usual, most=most),
        players_option,
        names_option("--bots", bots, required=needs_bots),
        options_option,
        cards_option,
        option("--seed N", SEED, Whole(0, SEEDS), 0, show_default=False),
        threads_option,
    )
