"""A player of a level: it grows a search tree, tries choices in futures, or mixes its orders."""

import math
import time
from collections.abc import Sequence

import numpy as np

from yegg.engine import Game, States
from yegg.engine.dice import seeds
from yegg.players.thinking.futures.weighing import TURNS
from yegg.players.thinking.knowledge import engine, futures_wanted, way
from yegg.players.thinking.plan import Plan
from yegg.players.thinking.sealed.orders import Orders
from yegg.players.thinking.tree.mind import Mind

from .futures.rollouts import attempt, likeliest, rollouts

CHUNK = 30  # rollouts between two looks at the clock
WIDTH = 12  # choices that are tried at all, the best by lore
DOUBT = 0.5  # standard errors by which a choice must be better than the one that lore likes best


class Planner:
    """Grows a tree, tries choices in futures, or mixes secret orders, as `knowledge.way` says.

    It is asked at the first decision of a match.
    """

    def __init__(self, game: Game, plan: Plan, futures: int, seed: int) -> None:
        """``plan`` bounds the tree and the secret orders of a round; its seconds the futures too.

        ``futures``: how many rollouts a decision gets, all its choices together, if the game's
        lore does not say.  The same seed and views give the same choices, if time allows.
        """
        self.game, self.plan, self.seed = game, plan, seed
        self.engine = engine(game)
        self.mind = Mind(game, plan, seed)
        self.orders = Orders(game, plan, seed)
        self.futures = futures_wanted(game) or futures
        self.on = rollouts(game.state.dtype, game.choices)
        self.out = np.zeros(game.choices, np.int32)
        self.decisions = 0
        self.way = "futures"

    def choose(self, view: States, seat: int, choices: Sequence[int]) -> int:
        """One of the legal choices of a seat that knows ``view``."""
        if len(choices) == 1:
            return choices[0]
        if self.decisions == 0:  # it is the same at every decision of a match
            self.way = way(self.game, view, view, seat, choices[0])
        dice = seeds(self.seed, self.decisions, 1, 2)[0]
        self.decisions += 1
        if self.way == "tree":
            return self.mind.choose(view, seat, choices)
        if self.way == "secret":
            return self.orders.choose(view, seat, choices)
        k, players = len(choices), int(view[0]["players"])
        self.on.views[0], self.out[:k] = view[0], choices
        likely = self.engine.kernel(likeliest)
        left = int(likely(self.on, seat, self.out, k, WIDTH, dice[0]))
        turns = TURNS * players
        _, tried = self.halve(seat, left, 2, turns, dice[0, 0], self.plan.seconds)
        return choices[self.best(tried)]

    def halve(
        self, seat: int, left: int, last: int, turns: int, begin: np.uint64, seconds: float
    ) -> tuple[int, int]:
        """Try the choices, then the better half of them again, until ``last`` are left.

        ``turns``: after how many a future is judged.  Returns how many choices are left, and in
        how many futures each of these was tried.
        """
        attempts, tried, until = self.engine.kernel(attempt), 0, math.inf
        rounds = 1 + max(0, math.ceil(math.log2(left / last)))
        for r in range(rounds):
            end = tried + max(1, self.futures // (rounds * left))
            while tried < end and time.monotonic() < until:
                upto = min(end, tried + max(1, CHUNK // left))
                attempts(self.on, seat, self.out, left, begin, tried, upto, float(turns))
                if tried == 0:  # from here on nothing is left to be compiled
                    until = time.monotonic() + seconds
                tried = upto
            self.sort(left)
            if r < rounds - 1:
                left = (left + 1) // 2
        return left, tried

    def sort(self, left: int) -> None:
        """Bring the best to the front, but keep the one that lore likes best at the very front."""
        rest = self.on.order[1:left]
        rest[:] = rest[np.argsort(-self.on.more[rest], kind="stable")]

    def best(self, tried: int) -> int:
        """The index of the best choice, or of what lore likes best unless it is clearly worse."""
        on = self.on
        first, best = on.order[:2]
        mean = on.more[best] / tried
        spread = max(on.square[best] / tried - mean * mean, 1e-12)
        return int(best if mean > DOUBT * math.sqrt(spread / tried) else first)
