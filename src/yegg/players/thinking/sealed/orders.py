"""A player's secret orders: drawn from the mixtures that were learnt for the round."""

from collections.abc import Sequence

import numpy as np

from yegg.engine import Game, States
from yegg.engine.dice import fraction, seeds
from yegg.engine.verbs import Dice
from yegg.players.thinking.knowledge import engine, known_to_all
from yegg.players.thinking.plan import Plan, in_slices

from .mixtures import ORDERS, ponder, sealed

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
        shares, every = np.zeros(len(choices)), self.game.choices
        if number < ORDERS:
            at = [choice + every * (choice in self.given) for choice in choices]
            shares += self.on.share[seat, number, at]
        shares[shares < RARE * shares.max()] = 0
        if not shares.any():
            shares += 1
        upto = np.cumsum(shares)
        with np.errstate(over="ignore"):
            place = np.searchsorted(upto, fraction(dice[1]) * upto[-1], side="right")
        self.given.append(choices[min(int(place), len(choices) - 1)])
        return self.given[-1]

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
