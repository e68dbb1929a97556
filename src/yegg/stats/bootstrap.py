"""The cluster bootstrap: games or deals drawn again, since what belongs to one depends on it."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from .intervals import Figure, like, proportion
from .p_values import Floats

DRAWS, PARTS = 2000, 1000  # of means; groups of deals at most, each drawn as a whole


def drawn_again(clusters: int, draws: int, seed: int = 0) -> NDArray[np.int64]:
    """How often each of some clusters counts, (1 + draws, clusters); in the first row once.

    Each further row draws as many clusters as there are, with the same chance (Efron 1979).
    """
    dice = np.random.default_rng(seed)
    again = dice.multinomial(clusters, np.full(clusters, 1 / clusters), draws)
    return np.vstack([np.ones(clusters, np.int64), again])


def around(values: Floats, *, percent: bool = False) -> Figure:
    """The first value, with an interval by the others, which games drawn again gave.

    It is the basic bootstrap (Davison & Hinkley 1997, 5.2): drawing again moves a gap up as much
    as chance had moved it up already.
    """
    value = float(values[0])
    low, high = (2 * value - np.quantile(values[1:], (0.975, 0.025))).tolist()
    return Figure(value, max(0.0, min(low, value)), min(1.0, max(high, value)), percent)


def around_share(values: Floats, games: int) -> Figure:
    """As `around`, for a share that comes from ``games`` games; NaN if from none."""
    if not games:
        return proportion(0, 0)
    return like(float(values[0]), float(np.nanvar(values[1:])), games)


def means_again(values: Floats) -> Floats:
    """Means over deals drawn again, (draws, …), with a fixed seed.

    ``values`` (deals, …) are NaN where a deal has none.  Of very many deals neighbours are drawn
    together.
    """
    deals = len(values)
    groups = min(deals, PARTS)
    group = np.arange(deals) * groups // deals
    known = ~np.isnan(values)
    sums, counts = (np.zeros((groups, *values.shape[1:])) for _ in range(2))
    np.add.at(sums, group, np.where(known, values, 0))
    np.add.at(counts, group, known)
    weights, flat = _weights(groups), (groups, -1)
    with np.errstate(invalid="ignore"):
        means: Floats = (weights @ sums.reshape(flat)) / (weights @ counts.reshape(flat))
    return means.reshape(DRAWS, *values.shape[1:])


@lru_cache(1)  # up to 16 MB
def _weights(groups: int) -> Floats:
    """How often each group is drawn, (draws, groups)."""
    return drawn_again(groups, DRAWS)[1:].astype(float)
