"""Thinks a little: plays each decision on in its mind 1000 times."""

from yegg.engine import Game

from .tree.mind import Mind, Plan

PLAN = Plan(iterations=1000)


def sit(game: Game, _budget: str, seed: int) -> Mind:
    """A player of middling strength, for one seat of one match."""
    return Mind(game, PLAN, seed)
