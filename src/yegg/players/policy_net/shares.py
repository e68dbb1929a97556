"""Shares of the win that several seats expect, each for itself."""

import numpy as np
from numpy.typing import NDArray

ALLOCATES_NOTHING = True


def add_up(shares: NDArray[np.float64], players: int, n: int) -> None:
    """Make the shares of the first ``players`` of n sides add up to one, with those of all others.

    Sides that nobody plays have what is left.
    """
    total = 0.0
    for side in range(players):
        total += shares[side]
    for side in range(players, n):
        shares[side] = max(1.0 - total, 0.0) / (n - players)
    total = 0.0
    for side in range(n):
        total += shares[side]
    for side in range(n):
        shares[side] = shares[side] / total if total > 0 else 1.0 / n
