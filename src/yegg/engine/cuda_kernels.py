"""Kernels on a graphics card that run those of the processor, with a thread for each game.

Imported only where numba-cuda is.
"""

from collections.abc import Callable
from functools import cache

import numpy as np
from numba import cuda

from .kernels import roam
from .record import States
from .verbs import Dice


@cache
def roaming(room: int) -> Callable[..., None]:
    """`kernels.roam`, where there are ``room`` choices."""

    def roam_games(states: States, dealt: States, dice: Dice, many: int) -> None:
        g = cuda.grid(1)
        if g < states.size:
            out = cuda.local.array(room, np.int32)
            roam(states[g : g + 1], dealt, dice[g : g + 1], many, out)

    return roam_games
