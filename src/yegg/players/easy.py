"""Plays like a newcomer: looks one choice ahead, and often misjudges what it sees.

Chance makes every choice look better or worse than it is, so small differences are overlooked
often and large ones seldom.  Every other secret order is drawn evenly.
Where the game's policy net covers the setting, it draws its choice from that instead.
"""

import math

import numpy as np

from yegg.engine.dice import fraction, roll
from yegg.engine.record import Ints, States
from yegg.engine.verbs import Dice, easy_temperature, policy, sample_choice, value_scale

from .greedy import LEVELS, ROOM, expected
from .policy_net.choices import sample

__all__ = ["LEARNED", "ROOM", "choose"]

LEARNED = True
BLUR = 0.15  # size of the errors, in log odds of a win: in units of lore's `value_scale`


def choose(views: States, seat: int, out: Ints, k: int, dice: Dice) -> int:
    """The choice that looks best.

    With Gumbel noise a choice is taken in proportion to exp(worth / blur).
    """
    logits = np.empty(out.size, np.float32)
    if policy(views[0], seat, out, k, logits):
        return sample(logits, k, easy_temperature(views[0]), dice)
    mixed = sample_choice(views[0], seat, out, k, dice)
    if mixed >= 0:
        return roll(dice, k) if roll(dice, 2) == 0 else mixed
    blur = BLUR * value_scale(views[0])
    best, at = -np.inf, 0
    answers = np.empty((LEVELS, out.size), np.int32)
    for j in range(k):
        value = expected(views, seat, out[j], answers)
        value -= blur * math.log(-math.log(fraction(dice) + 1e-300) + 1e-300)
        if value > best:
            best, at = value, j
    return at
