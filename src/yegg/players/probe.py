"""Probe."""

import numpy as np
from yegg.engine.dice import seeds


class Probe:
    def __init__(self, game, budget, seed):
        from .tree import ahead
        from .tree.mind import engine

        par = dict(x.split("=") for x in (budget or "futures=400").split("/"))
        self.run = engine(game).kernel(ahead.consider)
        self.dice = seeds(seed, 0, 1, 1)[0, 0]
        self.out = np.zeros(game.choices, np.int32)
        self.on = ahead.desk(game.state.dtype, game.choices)
        self.prm = np.array(
            [
                float(par.get(n, d))
                for n, d in (
                    ("futures", 400),
                    ("swaps", 4),
                    ("most", 6),
                    ("ways", 40),
                    ("z", 1.0),
                    ("tau", 0.01),
                )
            ]
        )

    def choose(self, view, seat, choices):
        if len(choices) == 1:
            return choices[0]
        k = len(choices)
        self.on.views[0], self.out[:k] = view[0], choices
        return choices[int(self.run(self.on, seat, self.out, k, self.dice, self.prm))]


def check(budget):
    return budget


def sit(game, budget, seed):
    return Probe(game, budget, seed)
