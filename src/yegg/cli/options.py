"""A game's options on the command line: reads them, lists them, and says how to mend them."""

from typing import TYPE_CHECKING

import click

from yegg.text.untrusted import quoted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import RenderableType

    from yegg.engine import Game

NOTHING = ""  # what --option means with nothing after it


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
    from .screen import Screen

    Screen().print(listed(game))
    ctx.exit()


def _no_value(game: "Game | None", word: str) -> str:
    """What is wrong with an option that has no value."""
    from yegg.text.phrases import meant

    known = game.options if game else {}
    if word in known:
        values = " or ".join(f"--option {word}={value}" for value in ends(known[word].values))
        return f"option {word} needs a value: {values}"
    close = meant(word, list(known))
    hint = f"; did you mean {close}=…?" if close else ""
    return f"{quoted(word)} is not NAME=VALUE{hint}; --option with nothing after it lists them"


def ends(values: tuple[str, ...]) -> tuple[str, ...]:
    """All values; if there are many, only the first and the last."""
    return values if len(values) <= 4 else (values[0], values[-1])


def listed(game: "Game") -> "RenderableType":
    """The options of a game as commands take them."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for column in ("option", "values", "published", "what it means"):
        table.add_column(column, overflow="fold")
    published = game.defaults(game.usual)
    for name, made in game.options.items():
        many = len(made.values) > 4
        values = f"{made.values[0]} to {made.values[-1]}" if many else ", ".join(made.values)
        table.add_row(name, values, published[name], made.says)
    if not game.options:
        return Text(f"{game.title} has no options.")
    title = Text.assemble("Options of ", (game.title, "bold"))
    away = next(iter(away_from_published(game)), "")
    how = f"Type them as --option {away}, with one --option for each." if away else ""
    return Group(title, Text(), table, Text(), Text(how))


def away_from_published(game: "Game") -> list[str]:
    """Every option with a value that is not the published one."""
    published = game.defaults(game.usual)
    return [
        f"{name}={next(value for value in made.values if value != published[name])}"
        for name, made in game.options.items()
        if len(made.values) > 1
    ]


def checked(game: "Game", players: int, options: "Mapping[str, str]", seats: str) -> None:
    """Refuse players or options that the game does not allow, and say what to type instead.

    ``seats`` is how the command takes a number of players: ``--players {}``.
    """
    from yegg.engine import Refused

    try:
        game.setup(players, options)
    except Refused as error:
        way_out = _way_out(game, players, options, seats)
        raise click.UsageError(f"{error}{'; type ' if way_out else ''}{way_out}") from None


def _way_out(game: "Game", players: int, options: "Mapping[str, str]", seats: str) -> str:
    """What would make it possible: one more option, or another number of players."""
    from yegg.engine import Refused
    from yegg.text.phrases import listing

    try:
        codes = game.codes(players, options)
    except Refused:
        return ""  # the reason names what there is
    full = game.texts(codes)
    if players not in game.players:
        return ""
    found = [
        f"--option {name}={value}"
        for name, made in game.options.items()
        if name not in options
        for value in made.values
        if game.objection(players, {**full, name: value}) is None
    ]
    if not found:
        found = [seats.format(fit) for fit in game.seats(options)[:2]]
    return listing(found[:2], "or") if found else ""


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
