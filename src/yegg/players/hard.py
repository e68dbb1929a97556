"""Thinks ahead for a moment, in imagined futures, a search tree or mixtures of orders."""

from yegg.engine import Game

from .thinking.planner import Planner

TIMES, SECONDS = 1, 0.9


def sit(game: Game, _budget: str, seed: int) -> Planner:
    """A strong player, for one seat of one match."""
    return Planner(game, seed, TIMES, SECONDS)
