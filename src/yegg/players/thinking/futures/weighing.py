"""Values every choice by rollouts: all of them in the same futures, as long as there is time."""

from collections.abc import Sequence

import numpy as np

from yegg.engine import Game, States
from yegg.engine.dice import seeds
from yegg.players.thinking.knowledge import engine, sides_of
from yegg.players.thinking.plan import Evaluation, Plan, in_slices

from .rollouts import attempt, rollouts

TURNS = 3
"""A future is judged after each player has had this many turns."""
DARING = 0.005
"""A choice whose share of the win is greater by this much is played e times as often."""


def weigh(
    game: Game, view: States, seat: int, choices: Sequence[int], plan: Plan, seed: int
) -> Evaluation:
    """Value every choice of a seat by rollouts.  One rollout of one choice is an iteration."""
    k, swaps = len(choices), float(TURNS * view[0]["players"])
    on, out = rollouts(game.state.dtype, game.choices), np.zeros(game.choices, np.int32)
    on.views[0], out[:k], on.order[:k] = view[0], choices, range(k)
    begin = seeds(seed, 0, 1, 1)[0, 0, 0]
    run = engine(game).kernel(attempt)
    futures = max(1, plan.iterations // k) if plan.iterations else 1 << 31
    done = in_slices(
        lambda done, upto: run(on, seat, out, k, begin, done, upto, swaps),
        futures,
        plan.seconds or float("inf"),
    )
    means = on.total[:k, : sides_of(game, view)] / done
    values = means[:, seat]
    spread = on.squares[:k] / done - values**2
    alike = values * (1 - values) / np.maximum(spread, 1e-9)  # won-or-lost games in a future
    return Evaluation(
        shares=np.exp((values - values.max()) / DARING),
        values=values,
        tries=np.full(k, done),
        sample=done * np.maximum(alike, 1.0),
        worth=means[np.argmax(values)],
        iterations=done * k,
    )
