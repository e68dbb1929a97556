"""Thinks for up to a second, hundreds of games ahead: the strongest."""

from yegg.engine import Game
from yegg.players.thinking.plan import Plan

from .thinking.planner import Depth, Planner

PLAN = Plan(iterations=1500, seconds=0.9)
DEPTH = Depth(futures=400, seconds=0.9)


def sit(game: Game, _budget: str, seed: int) -> Planner:
    """A strong player, for one seat of one match."""
    return Planner(game, PLAN, DEPTH, seed)
