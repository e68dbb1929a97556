"""Thinks as hard does, but seven times as long, about a second: the strongest."""

from yegg.engine import Game

from .thinking.planner import Planner

TIMES, SECONDS = 7, 2.0


def sit(game: Game, _budget: str, seed: int) -> Planner:
    """The strongest player, for one seat of one match."""
    return Planner(game, seed, TIMES, SECONDS)
