"""A player of one of the levels: the tree where all is seen, futures where it is not."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass

import numpy as np

from yegg.engine import Game, States, kernels
from yegg.engine.dice import seeds

from .ahead import consider, desk
from .mind import Mind, Plan, engine


@dataclass(frozen=True)
class Depth:
    """How far a player looks ahead."""

    futures: float
    """Played on for one decision, all its choices together."""
    rounds: float = 1
    """Times that everybody else has decided before a future is judged."""
    width: float = 6
    """Choices that are tried at all, the likeliest by lore; of secret ones all."""
    ways: float = 1
    """Answers of chance that lore looks at within a future."""
    doubt: float = 1.0
    """Standard errors that something must be better than what lore likes best."""
    daring: float = 0.01
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

    def choose(self, view: States, seat: int, choices: Sequence[int]) -> int:
        """One of the legal choices of a seat that knows ``view``."""
        if len(choices) == 1:
            return choices[0]
        if self.open(view) and not self.mind.secret(view, seat, choices[0]):
            return self.mind.choose(view, seat, choices)
        k, depth = len(choices), np.array(astuple(self.depth))
        depth[1] = depth[1] * int(view[0]["players"]) - 1  # as often the turn passes on
        self.on.views[0], self.out[:k] = view[0], choices
        dice = seeds(self.seed, self.decisions, 1, 1)[0, 0]
        self.decisions += 1
        return choices[int(self.engine.kernel(consider)(self.on, seat, self.out, k, dice, depth))]

    def open(self, view: States) -> bool:
        """Whether everybody knows what this seat knows."""
        public = view.copy()
        for other in range(int(view[0]["players"])):
            self.engine.kernel(kernels.veil)(public, other)
        return public.tobytes() == view.tobytes()
