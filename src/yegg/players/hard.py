"""Thinks hard: plays each decision on in its mind 20,000 times, or for 0.9 seconds at most."""

from yegg.engine import Game

from .tree.mind import Mind, Plan

PLAN = Plan(iterations=20_000, seconds=0.9)


def sit(game: Game, _budget: str, seed: int) -> Mind:
    """A strong player, for one seat of one match."""
    return Mind(game, PLAN, seed)
