"""Plays like a newcomer: sees no further than greedy does, and overlooks one choice in three.

Of secret orders one in three is given without a thought, the others as greedy would.
"""

import numpy as np

from yegg.engine.dice import roll
from yegg.engine.record import Ints, States
from yegg.engine.verbs import Dice, mix

from .greedy import DEEP, ROOM, expected

__all__ = ["ROOM", "choose"]


def choose(views: States, seat: int, out: Ints, k: int, dice: Dice) -> int:
    """The best of what is noticed; among equals any."""
    drawn = mix(views[0], seat, out, k, dice)
    if drawn >= 0:
        return roll(dice, k) if roll(dice, 3) == 0 else drawn
    best, at, equals = -np.inf, -1, 0
    answers = np.empty((DEEP + 2, out.size), np.int32)
    for j in range(k):
        if roll(dice, 3) == 0 and not (j == k - 1 and at < 0):
            continue
        value = expected(views, seat, out[j], answers)
        if value > best + 1e-9:
            best, at, equals = value, j, 1
        elif value > best - 1e-9:
            equals += 1
            if roll(dice, equals) == 0:
                at = j
    return at
