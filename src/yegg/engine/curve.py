"""The kernel of win probability along a game; it tells luck from decisions.

Chance's choices are equally likely, so what each changed of the chances, against the mean over all
that it could have been, has mean 0 whatever the chances are worth.  That is luck.  All the rest,
from what the game began with to what came of it, is due to decisions and to second thoughts.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .record import CHANCE, NOBODY, Ints, Record, States
from .verbs import actor, chances, expects, legal, n_legal, nth_legal, play, sides, standing

POINTS = 256  # of a curve at most; a longer game keeps every second turn, or every fourth …

Numbers = NDArray[np.float64]


class Curve(NamedTuple):
    """Win probabilities along one game, as arrays; all shares of the win are from 0 to 1."""

    points: Numbers
    """(POINTS, sides): the chances whenever another seat is to choose."""
    start: Numbers
    """(sides,): the chances before anything happened."""
    luck: Numbers
    """(sides,): what chance changed, added up."""
    decisions: Numbers
    """(sides,): everything else, added up."""
    turns: Ints
    """(2,): how many turns there were, and how many of them had no choice among several."""
    room: States
    """(1,): room to look at what chance could do."""
    u: Numbers
    """(4, sides): room for chances."""


def room(dtype: np.dtype[np.void], sides: int) -> Curve:
    """Memory for one game's curve, all zeros."""
    return Curve(
        np.zeros((POINTS, sides)),
        np.zeros(sides),
        np.zeros(sides),
        np.zeros(sides),
        np.zeros(2, np.int32),
        np.zeros(1, dtype),
        np.zeros((4, sides)),
    )


def calibrated(s: Record, heat: float, u: Numbers) -> None:
    """Everybody's chances in a position, calibrated: in proportion to p to the power of heat."""
    if not expects(s, u):
        chances(s, u)
    n, total = sides(s), 0.0
    for q in range(n):
        u[q] = max(u[q], 1e-12) ** heat
        total += u[q]
    for q in range(n):
        u[q] /= total


def leaf(s: Record, heat: float, u: Numbers) -> None:
    """The chances, or the shares of the win of a finished game."""
    if actor(s) != NOBODY:
        calibrated(s, heat, u)
    else:
        gain(s, u)


def gain(s: Record, u: Numbers) -> None:
    """Everybody's share of the win of a finished game, into ``u``; ties share it."""
    n, best, ties = sides(s), -np.inf, 0
    for q in range(n):
        u[q] = standing(s, q)
        best = max(best, u[q])
    for q in range(n):
        ties += u[q] == best
    for q in range(n):
        u[q] = 1.0 / ties if u[q] == best else 0.0


def ahead(states: States, heat: float, on: Curve, u: Numbers, out: Ints) -> None:
    """The chances; where chance is to act, their mean over all that it may do."""
    s, n = states[0], sides(states[0])
    if actor(s) != CHANCE:
        leaf(s, heat, u)
        return
    for q in range(n):
        u[q] = 0.0
    k = n_legal(s, out)
    for i in range(k):
        on.room[0] = s
        play(on.room[0], nth_legal(s, out, i))
        leaf(on.room[0], heat, on.u[3])
        for q in range(n):
            u[q] += on.u[3, q] / k


def along(states: States, choices: Ints, heat: float, luck: int, on: Curve, out: Ints) -> int:
    """Follow a log in the first game; return how many points the curve has.

    ``luck``: 1 to tell luck from decisions, which looks at all that chance could have done.
    """
    s, n = states[0], sides(states[0])
    before, after, drawn = on.u[0], on.u[1], on.u[2]
    many, step, last, chose = 0, 1, -1, 1
    if luck:
        ahead(states, heat, on, before, out)
        for q in range(n):
            on.start[q] = before[q]
    for i in range(choices.size):
        who = actor(s)
        if who >= 0:
            if who != last:
                on.turns[1] += chose == 0
                if on.turns[0] % step == 0:
                    if many == POINTS:
                        many, step = thinned(on, n), 2 * step
                    calibrated(s, heat, on.points[many])
                    many += 1
                on.turns[0] += 1
                last, chose = who, 0
            chose |= legal(s, out) > 1
        play(s, choices[i])
        if luck:
            ahead(states, heat, on, after, out)
            if who == CHANCE:
                leaf(s, heat, drawn)
                for q in range(n):
                    on.luck[q] += drawn[q] - before[q]
                    on.decisions[q] += after[q] - drawn[q]
            else:
                for q in range(n):
                    on.decisions[q] += after[q] - before[q]
            for q in range(n):
                before[q] = after[q]
    on.turns[1] += chose == 0
    return many


def thinned(on: Curve, n: int) -> int:
    """Keep every second point; return how many are left."""
    for i in range(POINTS // 2):
        for q in range(n):
            on.points[i, q] = on.points[2 * i, q]
    return POINTS // 2
