"""``yegg lab columns`` and ``yegg lab measures``: what an experiment can measure of a game."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from yegg.text.untrusted import say

from .options import game_argument, json_option, players_option
from .output import emit

if TYPE_CHECKING:
    from yegg.engine import Game


@click.command()
@game_argument
@players_option
@json_option
def columns(game: "Game", players: int | None, as_json: bool) -> None:
    """List the columns of GAME that measures can be made of: the kind and meaning of each."""
    from yegg.lab.game_frame import columns_of
    from yegg.lab.usual_measures import meaning

    kinds = columns_of(game, players or game.usual_players({}))
    told = [
        {"name": name, "kind": kind.value, "says": meaning(game, name)}
        for name, kind in kinds.items()
    ]
    emit(lambda: {"columns": told}, lambda: _table(told), as_json=as_json)


def _table(told: Sequence[dict[str, str]]) -> None:
    wide = max(len(one["name"]) for one in told)
    for one in told:
        say(f"{one['name']:{wide}}  {one['kind']:6}  {one['says']}".rstrip())


@click.command()
@game_argument
@json_option
def measures(game: "Game", as_json: bool) -> None:
    """List the usual questions about GAME, which a file asks by name, without an expression.

    \b
    [measure]
    length = "length-in-minutes"
    fence = "first-purchase:fence"
    """
    from yegg.lab.usual_measures import listed, usual_measures

    every = list(listed(usual_measures([game])))
    emit(lambda: {"measures": every}, lambda: _questions(every), as_json=as_json)


def _questions(every: Sequence[dict[str, Any]]) -> None:
    for one in every:
        needs = f" The file needs [{one['needs']}]." if one["needs"] else ""
        say(f"{one['name']}\n    {one['says']}{needs}")
        if one["among"]:
            say(f"    Behind the colon: {', '.join(one['among'])}.")
