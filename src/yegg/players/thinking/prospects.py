"""Everybody's chances in a position, hidden things included: the coach's curve is made of them.

They are told by what the game has learned, and by its lore if it has learned nothing.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from yegg.engine import Game, States
from yegg.engine.dice import seeds

from .knowledge import judged
from .tree.iterations import foresee, workspace


def prospects(
    game: Game, sides: int, times: int = 1
) -> Callable[[States, int], NDArray[np.float64]]:
    """A function of a position, shape (1,), and a seed: each side's expected share of the win.

    Where chance acts it goes on to the next decision ``times`` times, and takes the mean.  Where
    a player acts, once is enough.
    """
    room = np.zeros(2, game.state.dtype)
    on = workspace(room, game.choices, sides)
    run = judged(game).kernel(foresee)

    def judge(states: States, seed: int) -> NDArray[np.float64]:
        total = np.zeros(sides)
        run(states.view(np.uint64), on, times, seeds(seed, 0, 1, 1)[0, 0], total)
        return total / times

    return judge
