"""Kingmakers: players without hope who decide which of the others wins."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

KINGMAKER = "kingmaker"  # the column
HOPELESS = 0.05  # whoever has less cannot win
GIVEN = 0.2  # of the win: whose turns give the winner so much is a kingmaker


def kingmaker(p: Numbers, shares: Numbers, movers: Sequence[int]) -> int | None:
    """1 + the seat without hope whose turns gave the winner most; 0 if nobody's gave much.

    What a turn gave is what changed from one point to the next, with the dice that follow it.
    None where the win is shared, or the curve of a long game has not all turns.
    """
    if len(movers) != len(p) or (shares > 0).sum() != 1:
        return None
    winner = int(shares.argmax())
    gave = np.zeros(len(shares))
    for at, seat in enumerate(movers[:-1]):
        if seat != winner and p[at, seat] < HOPELESS:
            gave[seat] += p[at + 1, winner] - p[at, winner]
    return 1 + int(gave.argmax()) if gave.max() >= GIVEN else 0
