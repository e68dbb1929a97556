"""Games that an experiment compares, as it compares options."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from yegg import games
from yegg.engine import Game, Refused
from yegg.lab.cells import Variant
from yegg.text.phrases import listing

from .decks import PUBLISHED, Decks
from .variants import varied


def games_of(name: str, names: Sequence[str], tables: Sequence[str]) -> list[Game]:
    """The game of a file, or those that it compares; its ``tables`` ask of one.  Raises Refused."""
    if bool(name) == bool(names):
        raise Refused('the file has either game = "…" or games = ["…", "…"]')
    found = [games.find(one) for one in names or [name]]
    if len(set(found)) < len(found):
        raise Refused("games: the same one stands there twice")
    if len(found) > 1 and tables:
        raise Refused(f"{tables[0]} asks of one game; write game in place of games")
    return found


def compared(
    every: Sequence[Game], vary: Mapping[str, Any], players: int | None, decks: Decks
) -> Iterator[Variant]:
    """The variants of all games: those of ``[vary]`` by the rules of each, called after it."""
    for game in every:
        for one in varied(game, vary, players, decks):
            name = game.name if one.name == PUBLISHED else f"{game.name}, {one.name}"
            more = "" if one.name == PUBLISHED else f", {one.called}"
            whole = replace(one, name=name, game=game.name, title=game.title + more)
            yield whole if len(every) > 1 else one


def usual_question(every: Sequence[Game]) -> str:
    """What a file asks that does not say it."""
    first, *others = (game.title for game in every)
    return (
        f"How does {first} compare with {listing(others)}?" if others else f"How does {first} go?"
    )
