"""Plays like a newcomer: sees no further than greedy does, and overlooks one choice in three.

A player with a game's `hint` follows it where all that is seen looks the same.
"""

import numpy as np

from yegg.engine.dice import roll
from yegg.engine.record import Ints, States
from yegg.engine.verbs import Dice, hint

from .greedy import DEEP, ROOM, expected

__all__ = ["ROOM", "choose"]


def choose(views: States, seat: int, out: Ints, k: int, dice: Dice) -> int:
    """The best of what is noticed; among equals any, or what the game's lore tries."""
    best, at, equals = -np.inf, -1, 0
    answers = np.empty((DEEP + 2, out.size), np.int32)
    tip = hint(views[0], out, k, dice)
    for j in range(k):
        if roll(dice, 3) == 0 and not (j == k - 1 and at < 0):
            continue
        value = expected(views, seat, out[j], answers)
        if value > best + 1e-9:
            best, at, equals = value, j, 1
        elif value > best - 1e-9:
            equals += 1
            if j == tip or (at != tip and roll(dice, equals) == 0):
                at = j
    return at
