"""A player of one of the levels: the tree where all is seen, futures where it is not."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass

import numpy as np

from yegg.engine import Game, States
from yegg.engine.dice import seeds

from .ahead import consider, desk
from .mind import Mind, Plan, engine, known_to_all


@dataclass(frozen=True)
class Depth:
    """How far a player looks ahead."""

    futures: float
    """Played on for one decision, all its choices together."""
    swaps: float = 4
    """How often it becomes somebody else's turn to decide before a future is judged."""
    width: float = 8
    """Choices that are tried at all, the likeliest by lore; of secret ones all."""
    doubt: float = 0.5
    """Standard errors that something must be better than what lore likes best."""
    daring: float = 0.005
    """Secret choices are made e times as often for so much more of the win."""


class Planner:
    """Grows a tree where all is seen; tries choices in futures where something is hidden."""

    def __init__(self, game: Game, plan: Plan, depth: Depth, seed: int) -> None:
        """The same seed, plan in iterations, depth and views give the same choices."""
        self.game, self.depth, self.seed = game, depth, seed
        self.engine = engine(game)
        self.mind = Mind(game, plan, seed)
        self.on = desk(game.state.dtype, game.choices)
        self.out = np.zeros(game.choices, np.int32)
        self.decisions = 0
        self.open = False

    def choose(self, view: States, seat: int, choices: Sequence[int]) -> int:
        """One of the legal choices of a seat that knows ``view``."""
        if len(choices) == 1:
            return choices[0]
        if self.decisions == 0:  # what the game is like does not change
            all_seen = known_to_all(self.game, view) == view.tobytes()
            self.open = all_seen and not self.mind.secret(view, seat, choices[0])
        dice = seeds(self.seed, self.decisions, 1, 1)[0, 0]
        self.decisions += 1
        if self.open:
            return self.mind.choose(view, seat, choices)
        k = len(choices)
        self.on.views[0], self.out[:k] = view[0], choices
        best = self.engine.kernel(consider)
        return choices[int(best(self.on, seat, self.out, k, dice, np.array(astuple(self.depth))))]
