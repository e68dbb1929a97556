"""Thinks like hard, but seven times as long, for up to a second or so."""

from yegg.engine import Game

from .thinking.planner import Planner

TIMES, SECONDS = 7, 2.0


def sit(game: Game, _budget: str, seed: int) -> Planner:
    """A player that takes its time, for one seat of one match."""
    return Planner(game, seed, TIMES, SECONDS)
