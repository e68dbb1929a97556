"""Plays like a newcomer: looks one choice ahead, and often misjudges what it sees.

Every choice looks better or worse than it is by chance, so that small differences are
overlooked and great ones seldom.  It goes by what the game has learned, else by lore.
Of secret orders every other is given without a thought.
"""

import math

import numpy as np

from yegg.engine.dice import fraction, roll
from yegg.engine.record import Ints, States
from yegg.engine.verbs import Dice, mix, spread

from .greedy import CHANCE_EVENTS, ROOM, expected

__all__ = ["LEARNED", "ROOM", "choose"]

LEARNED = True
BLUR = 0.15  # what is misjudged, in log odds of a win; by lore as a part of its `spread`


def choose(views: States, seat: int, out: Ints, k: int, dice: Dice) -> int:
    """What looks best: each as likely as e to its worth over the blur (Gumbel's noise)."""
    drawn = mix(views[0], seat, out, k, dice)
    if drawn >= 0:
        return roll(dice, k) if roll(dice, 2) == 0 else drawn
    blur = BLUR * spread(views[0])
    best, at = -np.inf, 0
    answers = np.empty((CHANCE_EVENTS + 2, out.size), np.int32)
    for j in range(k):
        value = expected(views, seat, out[j], answers)
        value -= blur * math.log(-math.log(fraction(dice) + 1e-300) + 1e-300)
        if value > best:
            best, at = value, j
    return at
