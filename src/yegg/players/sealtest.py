"""Experiment."""
import os
import numpy as np
from yegg.engine.dice import seeds
from .thinking.knowledge import engine, known_to_all
from .thinking.sealed.mixtures import ponder, sealed

class S:
    def __init__(self, game, budget, seed):
        n, lore, thr = budget.split("x")
        self.n, self.lore, self.thr = int(n), float(lore), float(thr)
        self.game, self.seed, self.rounds = game, seed, 0
        self.public, self.seat = b"", -1
        self.run = engine(game).kernel(ponder)
        self.on = sealed(game.state.dtype, game.choices)
    def choose(self, view, seat, choices):
        public = known_to_all(self.game, view)
        dice = seeds(self.seed, self.rounds, 1, 2)[0]
        if public != self.public or seat != self.seat or len(self.history) >= 20:
            self.public, self.seat, self.number = public, seat, 0
            self.history = []
            self.rounds += 1
            self.on.regret[:] = 0
            self.on.share[:] = 0
            self.run(self.on, view.view(np.uint64), 0, self.n, self.lore, dice[0])
        used = len(self.history)
        k = len(choices)
        # number of the order: found by legal mask
        p = self.on.share[seat, used][choices]
        if not p.any():
            p = np.ones(k)
        p = p / p.sum()
        if self.thr < 0:
            for c in self.history:
                p[np.asarray(choices) == c] = 0
        p[p < abs(self.thr) * p.max()] = 0
        p = p / p.sum()
        x = np.random.default_rng(int(dice[1, 0]) + used).random()
        j = min(int(np.searchsorted(np.cumsum(p), x, side="right")), k - 1)
        self.history.append(choices[j])
        return choices[j]

def sit(game, budget, seed):
    return S(game, budget, seed)
def check(budget):
    return None
