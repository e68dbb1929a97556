"""Thief's Market, a game of split loot and stolen piles, by Dave Chalker."""

from pathlib import Path

from yegg.engine import Game
from yegg.engine.decks import over_deck

from .deck import read

GAME = Game(
    package=__name__,
    title="Thief's Market",
    blurb="Split the night's loot, steal a pile that is too good, and spend yours on the market.",
    players=range(3, 6),
    usual=4,
    minutes=30,
    pace=(4.5, 1.5),
    version=2,
)


def own_deck() -> str:
    """The file of the published deck, with a remark on each column and each effect."""
    from .deck_file import text

    return text()


def use_cards(path: Path) -> Game:
    """The game with the cards of a file.  Raises Refused by line and column if it is no deck."""
    return over_deck(GAME, path, "chosen", CARDS=tuple(read(path)))
