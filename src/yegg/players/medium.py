"""Takes the likeliest choice of the game's policy net; without one it chooses as `greedy` does.

Secret orders are drawn from the policy.
"""

import numpy as np

from yegg.engine.record import Ints, States
from yegg.engine.verbs import Dice, draws, policy

from .greedy import ROOM
from .greedy import choose as look_ahead
from .policy_net.choices import likeliest, sample

__all__ = ["LEARNED", "ROOM", "choose"]

LEARNED = True


def choose(views: States, seat: int, out: Ints, k: int, dice: Dice) -> int:
    """The likeliest choice, or the one that looks best."""
    logits = np.empty(out.size, np.float32)
    if not policy(views[0], seat, out, k, logits):
        return look_ahead(views, seat, out, k, dice)
    return sample(logits, k, 1.0, dice) if draws(views[0]) else likeliest(logits, k)
