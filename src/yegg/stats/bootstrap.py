"""The cluster bootstrap: games or deals drawn again, since what belongs to one depends on it."""

import numpy as np
from numpy.typing import NDArray


def drawn_again(clusters: int, draws: int, seed: int = 0) -> NDArray[np.int64]:
    """How often each of some clusters counts, (1 + draws, clusters); in the first row once.

    Each further row draws as many clusters as there are, with the same chance (Efron 1979).
    """
    dice = np.random.default_rng(seed)
    again = dice.multinomial(clusters, np.full(clusters, 1 / clusters), draws)
    return np.vstack([np.ones(clusters, np.int64), again])
