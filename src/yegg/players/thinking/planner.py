"""A player of one of the levels: a tree, or futures where it is thin."""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from yegg.engine import Game, States
from yegg.engine.dice import fraction, seeds
from yegg.engine.verbs import Dice
from yegg.players.thinking.futures.weighing import DARING, TURNS
from yegg.players.thinking.knowledge import engine, futures_wanted, way
from yegg.players.thinking.plan import Plan
from yegg.players.thinking.tree.mind import Mind

from .futures.rollouts import attempt, likeliest, rollouts

CHUNK = 30  # futures between two looks at the clock


@dataclass(frozen=True)
class Depth:
    """How far a player looks ahead."""

    futures: int
    """Played on for one decision, all its choices together, where lore does not say how many."""
    seconds: float
    """For one decision at most; for a secret choice, one of many in a turn, a third of it."""
    turns: int = TURNS
    width: int = 12
    """Choices that are tried at all, the likeliest by lore; of secret ones all."""
    doubt: float = 0.5
    """Standard errors that something must be better than what lore likes best."""
    daring: float = DARING


class Planner:
    """Grows a tree; tries choices in futures where something is hidden, or lore says so."""

    def __init__(self, game: Game, plan: Plan, depth: Depth, seed: int) -> None:
        """The same seed, plan, depth and views give the same choices, if there is time enough."""
        self.game, self.depth, self.seed = game, depth, seed
        self.engine = engine(game)
        self.mind = Mind(game, plan, seed)
        self.futures = futures_wanted(game) or depth.futures
        self.on = rollouts(game.state.dtype, game.choices)
        self.out = np.zeros(game.choices, np.int32)
        self.decisions = 0
        self.open = False

    def choose(self, view: States, seat: int, choices: Sequence[int]) -> int:
        """One of the legal choices of a seat that knows ``view``."""
        if len(choices) == 1:
            return choices[0]
        if self.decisions == 0:  # what the game is like does not change
            self.open = way(self.game, view, view, seat, choices[0]) == "tree"
        dice = seeds(self.seed, self.decisions, 1, 2)[0]
        self.decisions += 1
        if self.open:
            return self.mind.choose(view, seat, choices)
        k, players = len(choices), int(view[0]["players"])
        self.on.views[0], self.out[:k] = view[0], choices
        likely = self.engine.kernel(likeliest)
        left = int(likely(self.on, seat, self.out, k, self.depth.width, dice[0]))
        if left < 0:
            seconds = self.depth.seconds / 3
            left, tried = self.halve(seat, -left, 4, players - 1, dice[0, 0], seconds)
            return choices[self.softly(left, tried, dice[1])]
        swaps = self.depth.turns * players
        _, tried = self.halve(seat, left, 2, swaps, dice[0, 0], self.depth.seconds)
        return choices[self.surely(tried)]

    def halve(
        self, seat: int, left: int, last: int, swaps: int, begin: np.uint64, seconds: float
    ) -> tuple[int, int]:
        """Try choices, and the better half of them longer and longer, down to ``last``.

        Returns how many are left and in how many futures all these were tried.
        """
        attempts, tried, until = self.engine.kernel(attempt), 0, math.inf
        rounds = 1 + max(0, math.ceil(math.log2(left / last)))
        for r in range(rounds):
            end = tried + max(1, self.futures // (rounds * left))
            while tried < end and time.monotonic() < until:
                upto = min(end, tried + max(1, CHUNK // left))
                attempts(self.on, seat, self.out, left, begin, tried, upto, float(swaps))
                if tried == 0:  # from here on nothing is left to be compiled
                    until = time.monotonic() + seconds
                tried = upto
            self.sort(left)
            if r < rounds - 1:
                left = (left + 1) // 2
        return left, tried

    def sort(self, left: int) -> None:
        """Bring the best to the front, but for the first, which lore likes best."""
        rest = self.on.order[1:left]
        rest[:] = rest[np.argsort(-self.on.more[rest], kind="stable")]

    def surely(self, tried: int) -> int:
        """The place of the best, unless what lore likes best may well be better."""
        on = self.on
        first, best = on.order[:2]
        mean = on.more[best] / tried
        spread = max(on.square[best] / tried - mean * mean, 1e-12)
        return int(best if mean > self.depth.doubt * math.sqrt(spread / tried) else first)

    def softly(self, left: int, tried: int, dice: Dice) -> int:
        """The place of one of the best, so that nobody can tell which: see `Depth.daring`."""
        places = self.on.order[:left]
        more = self.on.more[places] / tried
        shares = np.cumsum(np.exp((more - more.max()) / self.depth.daring))
        with np.errstate(over="ignore"):
            at = np.searchsorted(shares, fraction(dice) * shares[-1], side="right")
        return int(places[min(int(at), left - 1)])
