"""Bots of a level: tree search, rollouts or mixed orders, whichever suits the decision."""

import math
import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from yegg.engine import Game, States
from yegg.engine.dice import fraction, seeds
from yegg.engine.verbs import Dice
from yegg.players.policy_net.policy_function import covered
from yegg.players.search import Mind

from .evaluation import TURNS
from .knowledge import Way, engine, futures_wanted, judged, known_to_all, method, turns_wanted
from .mixtures import ORDERS, last_round, ponder, sealed
from .plan import Plan, in_slices
from .rollouts import attempt, likeliest, rollouts

SHEETS = 4  # that a plan is meant for: with more players there are fewer rounds
RARE = 0.25  # an order that is less likely than so much of the likeliest one is never given


class Orders:
    """Gives the secret orders of one seat; it thinks once a round, about everybody's orders."""

    def __init__(self, game: Game, plan: Plan, seed: int) -> None:
        """``plan`` is for all orders of a round together."""
        self.game, self.plan, self.seed = game, plan, seed
        self.on = sealed(game.state.dtype, game.choices)
        self.decisions = 0
        self.seat, self.public = -1, b""
        self.asked: dict[bytes, int] = {}
        """By what the seat knew at an order of this round: the number of this order."""
        self.given: list[int] = []
        """The orders of this round so far."""

    def choose(self, view: States, seat: int, choices: Sequence[int]) -> int:
        """One of the legal choices of a seat that knows ``view``, drawn at random."""
        dice = seeds(self.seed, self.decisions, 1, 2)[0]
        self.decisions += 1
        public = known_to_all(self.game, view)
        if seat != self.seat or public != self.public:
            self.seat, self.public = seat, public
            self.think(view, dice[0])
        number = self.asked.setdefault(view.tobytes(), len(self.asked))
        del self.given[number:]  # those that were taken back
        shares = self.mixture(seat, self.given, choices)
        shares[shares < RARE * shares.max()] = 0
        if not shares.any():
            shares += 1
        upto = np.cumsum(shares)
        with np.errstate(over="ignore"):
            place = np.searchsorted(upto, fraction(dice[1]) * upto[-1], side="right")
        self.given.append(choices[min(int(place), len(choices) - 1)])
        return self.given[-1]

    def mixture(
        self, seat: int, given: Sequence[int], choices: Sequence[int]
    ) -> NDArray[np.float64]:
        """How often a seat gives each order next, not scaled; ``given`` are those before it."""
        shares, every = np.zeros(len(choices)), self.game.choices
        if len(given) < ORDERS:
            at = [choice + every * (choice in given) for choice in choices]
            shares += self.on.share[seat, len(given), at]
        return shares

    def think(self, view: States, dice: Dice) -> None:
        """Learn everybody's mixtures of a new round, which begins at ``view``."""
        run, root = engine(self.game).kernel(ponder), view.view(np.uint64)
        self.asked.clear()
        self.given.clear()
        self.on.regret[:] = 0
        self.on.share[:] = 0
        sheets = max(SHEETS, int(view[0]["players"]))
        wanted = (self.plan.iterations or 1 << 62) * SHEETS // sheets
        in_slices(
            lambda done, upto: run(self.on, root, done, upto, dice),
            wanted,
            self.plan.seconds or float("inf"),
        )


LINES = 1500  # of a tree, or rounds in which secret orders are learnt
FUTURES = 400  # that a decision gets, all its choices together, if the game's lore does not say
POLICY_FUTURES = 400  # the same where a policy net plays them
CHUNK = 30  # rollouts between two looks at the clock
WIDTH = 12  # choices that are tried at all: those that look best after one step
DOUBT = 1.5  # standard errors by which a choice must be better than the one that looks best
CLEAR = 1.0  # standard errors by which choices must differ to be tried no more
LEAST = 5  # futures in which each is tried before that


class Planner:
    """Grows a tree, tries choices in futures, or mixes secret orders, as `knowledge.method` says.

    It is asked at the first decision of a match.
    """

    def __init__(self, game: Game, seed: int, times: int, seconds: float) -> None:
        """Thinks ``times`` times as much as usual, but no longer than ``seconds``.

        The same seed and views give the same choices, if time allows.
        """
        self.game, self.seed, self.times, self.seconds = game, seed, times, seconds
        self.engine = judged(game)
        plan = Plan(LINES * times, seconds)
        self.mind = Mind(game, plan, seed)
        self.orders = Orders(game, plan, seed)
        self.futures = times * (futures_wanted(game) or FUTURES)
        self.turns = TURNS if times > 1 else turns_wanted(game) or TURNS  # expert looks further
        self.on = rollouts(game.state.dtype, game.choices)
        self.out = np.zeros(game.choices, np.int32)
        self.decisions = 0
        self.way: Way = "futures"
        self.by_policy = False
        """Whether a policy net plays the futures, and ``turns`` are its own."""
        self.mixes_last = False
        """Whether it also gives secret orders: those of the last round are mixed."""

    def take_time(self) -> None:
        """Mind no clock any more: the same seed and views always give the same choices."""
        self.seconds = math.inf
        self.mind.plan = self.orders.plan = replace(self.mind.plan, seconds=0.0)

    def choose(self, view: States, seat: int, choices: Sequence[int]) -> int:
        """One of the legal choices of a seat that knows ``view``."""
        if len(choices) == 1:
            return choices[0]
        if self.decisions == 0:  # it is the same at every decision of a match
            self.find_way(view, seat, choices[0])
        dice = seeds(self.seed, self.decisions, 1, 2)[0]
        self.decisions += 1
        if self.way == "tree":
            return self.mind.choose(view, seat, choices)
        if self.way == "secret" or self.mixes(view):
            return self.orders.choose(view, seat, choices)
        k, players = len(choices), int(view[0]["players"])
        self.on.views[0], self.out[:k] = view[0], choices
        likely = self.engine.kernel(likeliest)
        left = int(likely(self.on, seat, self.out, k, WIDTH, dice[0]))
        turns = self.turns * (1 if self.by_policy else players)
        _, tried = self.halve(seat, left, 2, turns, dice[0, 0])
        return choices[self.best(tried)]

    def find_way(self, view: States, seat: int, choice: int) -> None:
        """How to think in this match; where a policy net covers it, in futures that it plays."""
        self.way = method(self.game, view, view, seat, choice)
        if covered(self.game, int(view[0]["players"]), self.game.options_of(view)):
            self.by_policy, self.mixes_last = True, self.way == "secret"
            self.turns = 1 if self.mixes_last and self.times == 1 else TURNS
            self.way, self.futures = "futures", self.times * POLICY_FUTURES

    def mixes(self, view: States) -> bool:
        """Whether secret orders end the game: then mixtures of them are learnt by who would win."""
        if not self.mixes_last:
            return False
        last = self.engine.kernel(last_round)
        return bool(last(view.copy(), self.out, np.zeros(1, np.uint64)))

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
            while tried < end and time.monotonic() < until and not self.settled(left, tried):
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

    def settled(self, left: int, tried: int) -> bool:
        """Whether all others are clearly worse than the first, or the only other one better."""
        if tried < LEAST:
            return False
        better, error = self.compared(left, tried)
        return bool((better < -CLEAR * error).all() or (left == 2 and better[0] > CLEAR * error[0]))

    def best(self, tried: int) -> int:
        """The index of the best choice, or of the one that looked best unless clearly worse."""
        better, error = self.compared(2, tried)
        return int(self.on.order[1 if better[0] > DOUBT * error[0] else 0])

    def compared(self, left: int, tried: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """How much better than the first in ``order`` the next ones are; the standard errors."""
        others = self.on.order[1:left]
        better = self.on.more[others] / tried
        spread = np.maximum(self.on.square[others] / tried - better * better, 1e-12)
        return better, np.sqrt(spread / tried)
