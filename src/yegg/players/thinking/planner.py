"""A player of a level: it grows a search tree, tries choices in futures, or mixes its orders."""

import math
import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from yegg.engine import Game, States
from yegg.engine.dice import seeds

from .futures.rollouts import attempt, likeliest, rollouts
from .futures.weighing import TURNS
from .knowledge import futures_wanted, judged, way
from .plan import Plan
from .sealed.orders import Orders
from .tree.mind import Mind

LINES = 1500  # of a tree, or rounds in which secret orders are learnt
FUTURES = 400  # that a decision gets, all its choices together, if the game's lore does not say
CHUNK = 30  # rollouts between two looks at the clock
WIDTH = 12  # choices that are tried at all: those that look best after one step
DOUBT = 0.5  # standard errors by which a choice must be better than the one that looks best


class Planner:
    """Grows a tree, tries choices in futures, or mixes secret orders, as `knowledge.way` says.

    It is asked at the first decision of a match.
    """

    def __init__(self, game: Game, seed: int, times: int, seconds: float) -> None:
        """Thinks ``times`` times as much as usual, but no longer than ``seconds``.

        The same seed and views give the same choices, if time allows.
        """
        self.game, self.seed, self.seconds = game, seed, seconds
        self.engine = judged(game)
        plan = Plan(LINES * times, seconds)
        self.mind = Mind(game, plan, seed)
        self.orders = Orders(game, plan, seed)
        self.futures = times * (futures_wanted(game) or FUTURES)
        self.on = rollouts(game.state.dtype, game.choices)
        self.out = np.zeros(game.choices, np.int32)
        self.decisions = 0
        self.way = "futures"

    def take_time(self) -> None:
        """Mind no clock any more: the same seed and views always give the same choices."""
        self.seconds = math.inf
        self.mind.plan = self.orders.plan = replace(self.mind.plan, seconds=0.0)

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
        _, tried = self.halve(seat, left, 2, TURNS * players, dice[0, 0])
        return choices[self.best(tried)]

    def halve(
        self, seat: int, left: int, last: int, turns: int, begin: np.uint64
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
                    until = time.monotonic() + self.seconds
                tried = upto
            self.sort(left)
            if r < rounds - 1:
                left = (left + 1) // 2
        return left, tried

    def sort(self, left: int) -> None:
        """Bring the best to the front, but keep the one that looked best at the very front."""
        rest = self.on.order[1:left]
        rest[:] = rest[np.argsort(-self.on.more[rest], kind="stable")]

    def best(self, tried: int) -> int:
        """The index of the best choice, or of the one that looked best unless clearly worse."""
        on = self.on
        first, best = on.order[:2]
        mean = on.more[best] / tried
        spread = max(on.square[best] / tried - mean * mean, 1e-12)
        return int(best if mean > DOUBT * math.sqrt(spread / tried) else first)
