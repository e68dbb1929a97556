"""The value net: one layer of units over a seat's features gives the log odds of a win.

Every game has a copy of this module with its own weights in it: see `value_function`.  Lore that is
put in front of the game's own, so every player can use it.
"""

import math

import numpy as np
from numpy.typing import NDArray

from yegg.engine.record import NOBODY, Ints, Record
from yegg.engine.scratch import floats, ints
from yegg.engine.verbs import Sensed, actor, sense, sides, standing

Floats = NDArray[np.float32]
ALLOCATES_NOTHING = True  # see Compiler.lean

SENSES, UNITS = 1, 1
W1, B1 = np.zeros((SENSES, UNITS), np.float32), np.zeros(UNITS, np.float32)
W2, B2 = np.zeros(UNITS, np.float32), np.zeros(1, np.float32)
HEAT = np.ones(1)  # log odds are divided by it where chances are told; a game's senses may say
CERTAIN = 40.0  # log odds of a finished game: surer than any net


def logit(
    x: Sensed, rows: Ints, h: Floats, w1: Floats, b1: Floats, w2: Floats, b2: Floats
) -> float:
    """Log odds of a win, from what is sensed; the units are left in ``h``.

    Four ``rows`` of ``w1`` at a time, which is room for their numbers: what is not sensed costs
    nothing, and no sum is ever reordered.
    """
    k = 0
    for i in range(x.size):
        rows[k] = i
        k += x[i] != 0
    for j in range(h.size):
        h[j] = b1[j]
    for i in range(0, k - 3, 4):
        a, b, c, d = rows[i], rows[i + 1], rows[i + 2], rows[i + 3]
        xa, xb, xc, xd = x[a], x[b], x[c], x[d]
        wa, wb, wc, wd = w1[a], w1[b], w1[c], w1[d]
        for j in range(h.size):
            h[j] = (((h[j] + xa * wa[j]) + xb * wb[j]) + xc * wc[j]) + xd * wd[j]
    for i in range(k - k % 4, k):
        xa, wa = x[rows[i]], w1[rows[i]]
        for j in range(h.size):
            h[j] += xa * wa[j]
    z = b2[0]
    for j in range(h.size):
        h[j] = max(h[j], np.float32(0))
        z += h[j] * w2[j]
    return z


def worth(s: Record, seat: int) -> float:
    """A seat's log odds of a win, as it sees them."""
    if actor(s) == NOBODY:
        return CERTAIN * (2 * share(s, seat) - 1)
    x, h = floats(SENSES), floats(UNITS)
    sense(s, seat, x)
    return logit(x, ints(SENSES), h, W1, B1, W2, B2)


def share(s: Record, seat: int) -> float:
    """A seat's share of the win of a finished game."""
    ties = 0
    for other in range(sides(s)):
        if standing(s, other) > standing(s, seat):
            return 0.0
        ties += standing(s, other) == standing(s, seat)
    return 1.0 / ties


def worths(s: Record, every: NDArray[np.float64]) -> None:
    """Everybody's log odds, each as that seat sees them."""
    for seat in range(sides(s)):
        every[seat] = worth(s, seat)


def spread(s: Record) -> float:
    """Log odds are told by e, but for what the net is too sure of."""
    return HEAT[0]


def foresees(s: Record) -> bool:
    """Positions in which chance is to act were learned like all others."""
    return True


def chances(s: Record, shares: NDArray[np.float64]) -> None:
    """Everybody's own opinion, made to add up to one."""
    total = 0.0
    for seat in range(sides(s)):
        shares[seat] = 1 / (1 + math.exp(-worth(s, seat) / HEAT[0]))
        total += shares[seat]
    for seat in range(sides(s)):
        shares[seat] /= total
