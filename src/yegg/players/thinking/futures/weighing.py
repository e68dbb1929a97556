"""Values every choice by rollouts: all of them in the same futures, as long as there is time."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from yegg.engine import Game, States
from yegg.engine.dice import seeds
from yegg.players.thinking.knowledge import judged, sides_of
from yegg.players.thinking.plan import Evaluation, Plan, apart, in_slices

from .rollouts import attempt, rollouts

TURNS = 3
"""A future is judged after each player has had this many turns."""
DARING = 0.005
"""A choice whose share of the win is greater by this much is played e times as often."""
SLICES = 8
"""From so many slices of the futures on, what differs between them tells how sure values are."""


def weigh(
    game: Game, view: States, seat: int, choices: Sequence[int], plan: Plan, seed: int
) -> Evaluation:
    """Value every choice of a seat by rollouts.  One rollout of one choice is an iteration."""
    k, swaps = len(choices), float(TURNS * view[0]["players"])
    on, out = rollouts(game.state.dtype, game.choices), np.zeros(game.choices, np.int32)
    on.views[0], out[:k], on.order[:k] = view[0], choices, range(k)
    begin = seeds(seed, 0, 1, 1)[0, 0, 0]
    run = judged(game).kernel(attempt)
    futures = max(1, plan.iterations // k) if plan.iterations else 1 << 31
    ends, totals = [0], [np.zeros(k)]

    def think(done: int, upto: int) -> None:
        run(on, seat, out, k, begin, done, upto, swaps)
        ends.append(upto)
        totals.append(on.total[:k, seat].copy())

    done = in_slices(think, futures, plan.seconds or float("inf"))
    means = on.total[:k, : sides_of(game, view)] / done
    values = means[:, seat]
    spread = on.squares[:k] / done - values**2
    alike = values * (1 - values) / np.maximum(spread, 1e-9)  # won-or-lost games in a future
    sample, best = done * np.maximum(alike, 1.0), int(np.argmax(values))
    slices, gains = np.diff(ends), np.diff(totals, axis=0)
    paired = len(slices) >= SLICES
    doubts = in_pairs(slices, gains, best) if paired else apart(values, sample, best)
    return Evaluation(
        shares=np.exp((values - values.max()) / DARING),
        values=values,
        tries=np.full(k, done),
        sample=sample,
        doubts=doubts,
        worth=means[best],
        iterations=done * k,
    )


def in_pairs(
    slices: NDArray[np.int64], gains: NDArray[np.float64], best: int
) -> NDArray[np.float64]:
    """The standard errors of differences from the choice ``best``, tried in the same futures.

    ``slices``: how many futures each slice had; ``gains`` (slices, choices): what won in each.
    It is the error of a ratio of sums (Cochran 1977, 6.3).
    """
    more = gains - gains[:, [best]]
    total, n = slices.sum(), len(slices)
    off = more - slices[:, None] * more.sum(axis=0) / total
    doubts: NDArray[np.float64] = np.sqrt((off**2).sum(axis=0) * n / (n - 1)) / total
    return doubts
