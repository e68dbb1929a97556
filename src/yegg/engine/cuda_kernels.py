"""Kernels on a graphics card that run those of the processor, with a thread for each game.

Imported only where numba-cuda is.
"""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np
from numba import cuda
from numpy.typing import NDArray

from .contest import compete
from .kernels import begin, conclude, roam
from .record import Ints, States
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


class Rows(NamedTuple):
    """Games that are played at once, a row for each: what they need, and what is kept of them."""

    states: States
    views: States
    dice: Dice
    events: Ints
    counts: Ints
    scores: Ints
    standings: NDArray[np.int64]
    over: Ints


@cache
def playing(room: int) -> Callable[..., None]:
    """A whole game, from the deal to its result, by one player who has all seats.

    It is what `kernels.begin`, `contest.compete` and `kernels.conclude` do, from ``blank``.
    """

    def play_games(t: Rows, blank: States, mine: Ints, limit: int, log: Ints) -> None:
        g = cuda.grid(1)
        if g < t.states.size:
            out = cuda.local.array(room, np.int32)
            h = g + 1
            states, views, dice = t.states[g:h], t.views[g:h], t.dice[g:h]
            events, counts = t.events[g:h], t.counts[g:h]
            states[0] = blank[0]
            begin(states, out)
            events[0] = 0
            for i in range(counts.shape[1]):
                counts[0, i] = 0
            compete(states, views, dice, mine, events, limit, log, counts, None, None, out)
            conclude(states, t.scores[g:h], t.standings[g:h], t.over[g:h], counts)

    return play_games
