"""Thief's Market, a game of split loot and stolen piles, by Dave Chalker."""

from yegg.engine import Game

from .variant import use_cards

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

__all__ = ["GAME", "use_cards"]
