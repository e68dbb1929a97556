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


class Played(NamedTuple):
    """What a simulation keeps of its games, a row for each; the names say what they are."""

    events: Ints
    counts: Ints
    scores: Ints
    standings: NDArray[np.int64]
    over: Ints


@cache
def playing(room: int) -> Callable[..., None]:
    """A whole game, from the deal to its result, by one player who has all seats.

    It is what `kernels.begin`, `contest.compete` and `kernels.conclude` do.
    """

    def play_games(
        states: States,
        views: States,
        blank: States,
        dice: Dice,
        mine: Ints,
        limit: int,
        log: Ints,
        to: Played,
    ) -> None:
        g = cuda.grid(1)
        if g < states.size:
            out = cuda.local.array(room, np.int32)
            h = g + 1
            game, events, counts = states[g:h], to.events[g:h], to.counts[g:h]
            game[0] = blank[0]
            begin(game, out)
            events[0] = 0
            for i in range(counts.shape[1]):
                counts[0, i] = 0
            compete(
                game, views[g:h], dice[g:h], mine, events, limit, log, counts, None, None, out
            )
            conclude(game, to.scores[g:h], to.standings[g:h], to.over[g:h], counts)

    return play_games
