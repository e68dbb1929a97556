"""Thinks for up to a second, by rollouts, a search tree or mixtures of orders: the strongest."""

from yegg.engine import Game
from yegg.players.thinking.plan import Plan

from .thinking.planner import Planner

PLAN = Plan(iterations=1500, seconds=0.9)
FUTURES = 400


def sit(game: Game, _budget: str, seed: int) -> Planner:
    """A strong player, for one seat of one match."""
    return Planner(game, PLAN, FUTURES, seed)
