"""Kernels on a graphics card: what `steps` and `encode` do, with a thread for each game.

Imported only where numba-cuda is.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numba import cuda

from yegg.engine.record import Ints, States
from yegg.observations.encode import Look, look

from .steps import Slots, step


@cache
def stepping(room: int) -> Callable[..., None]:
    """`steps.step_many`, where there are ``room`` choices.

    Every thread has room of its own for them.  A bot's ``views`` are nobody's: only one that is
    blind plays here.
    """

    def step_games(t: Slots, actions: Ints, mode: int, rounds: int) -> None:
        g = cuda.grid(1)
        if g < actions.size:
            out = cuda.local.array(room, np.int32)
            step(Slots(*t[:-1], out), g, actions[g], mode, rounds - 1)

    return step_games


def look_games(v: Look, states: States, seats: Ints, x: Any) -> None:
    """`encode.look_many`, where each game has a place of its own in ``seen`` and ``extra``."""
    g = cuda.grid(1)
    if g < seats.size and seats[g] >= 0:
        q = g if v.secret else 0
        e = g if v.extra.size > 1 else 0
        own = (v.seen[q : q + 1], v.seen_words[q : q + 1])
        counted = (v.extra[e : e + 1], v.extra_words[e : e + 1])
        look(
            Look(*(v[:1] + own + counted + v[5:])), states[g], v.words[g], seats[g], v.secret, x[g]
        )


def take(given: Any, most: int, actions: Ints) -> None:
    """Whole numbers of any kind as actions; what is below 0 or above ``most`` is none."""
    g = cuda.grid(1)
    if g < actions.size:
        actions[g] = -1
        if given[g] >= 0 and given[g] <= most:
            actions[g] = given[g]


def reseed(marked: Ints, own: Any, luck: Any, seeds: Any, numbers: Any, sampled: Any) -> None:
    """Give the games that are marked seeds, and generators of what is sampled."""
    g = cuda.grid(1)
    if g < marked.size and marked[g] != 0:
        seeds[g] = own[g]
        numbers[g] = 0
        sampled[g, 0] = luck[g, 0]
