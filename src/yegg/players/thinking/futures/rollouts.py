"""Thinking by playing on: every likely choice is tried in the same imagined futures.

A future is what a player cannot know, dealt at random, and then everybody playing as their
lore likes best for a while (rollouts: Tesauro & Galperin 1996).  Choices that do badly are
dropped by halves (sequential halving: Karnin, Koren & Somekh 2013), and what lore likes
best is left only for something that is clearly better.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from yegg.engine.dice import GOLD, fraction, stir
from yegg.engine.record import CHANCE, NOBODY, SIDES, Ints, States
from yegg.engine.verbs import Dice, actor, chances, legal, mix, play, worth
from yegg.players.greedy import CHANCE_EVENTS, expected
from yegg.players.thinking.tree.iterations import by_chance, gain

ALLOCATES_NOTHING = True
LONG = 1000  # events of a future at most
SEALED = 30  # secret choices of one seat that are kept

Numbers = NDArray[np.float64]


class Rollouts(NamedTuple):
    """Room to think in; see `rollouts`."""

    views: States
    """What is known; the future being played; and lore's look ahead."""
    answers: Ints
    out: Ints
    dice: Dice
    u: Numbers
    """By side: shares of the win."""
    order: NDArray[np.int64]
    """The choices still tried, what lore likes best before all others, then the best so far."""
    more: Numbers
    """By choice: its worth; then by how much it was better than the first, summed up."""
    square: Numbers
    total: Numbers
    """By choice and side: shares of the win, summed up."""
    squares: Numbers
    """By choice: the chooser's, squared."""
    script: Ints
    """By seat: the secret choices it made in this future, the first number how many."""
    used: Ints
    """By seat: how many of these were made again."""


def rollouts(dtype: np.dtype[np.void], choices: int) -> Rollouts:
    """Everything that thinking needs."""
    return Rollouts(
        views=np.zeros(CHANCE_EVENTS + 2, dtype),
        answers=np.zeros((CHANCE_EVENTS + 2, choices), np.int32),
        out=np.zeros(choices, np.int32),
        dice=np.zeros(1, np.uint64),
        u=np.zeros(SIDES),
        order=np.zeros(choices, np.int64),
        more=np.zeros(choices),
        square=np.zeros(choices),
        total=np.zeros((choices, SIDES)),
        squares=np.zeros(choices),
        script=np.zeros((SIDES, SEALED + 1), np.int32),
        used=np.zeros(SIDES, np.int32),
    )


def likeliest(on: Rollouts, seat: int, out: Ints, k: int, most: int, dice: Dice) -> int:
    """Order the k choices in ``out``, what lore likes best first; how many are to be tried.

    Less than 0: they are secret, and all of them, so many, are to be tried.
    ``on.views[0]`` is what is known.
    """
    order, more = on.order, on.more
    drawn = mix(on.views[0], seat, out, k, dice)
    for j in range(k):
        order[j] = j
        if drawn < 0:
            more[j] = expected(on.views, seat, out[j], on.answers) + 1e-6 * fraction(dice)
        else:
            more[j] = j == drawn
    tried = rank(order, more, k, most if drawn < 0 else k)
    for j in range(k):
        more[j] = on.square[j] = 0.0
    return tried if drawn < 0 else -tried


def attempt(
    on: Rollouts, seat: int, out: Ints, left: int, begin: Any, first: int, last: int, swaps: float
) -> None:
    """Try every choice that is left in the futures of these numbers."""
    for i in range(first, last):
        compare(on, seat, out, left, begin + np.uint64(i + 1) * GOLD, swaps)


def compare(on: Rollouts, seat: int, out: Ints, left: int, seed: Any, swaps: float) -> None:
    """Try every choice that is left in one future."""
    base = 0.0
    for a in range(SIDES):
        on.script[a, 0] = 0
    for c in range(left):
        j = on.order[c]
        on.dice[0] = stir(seed)
        for a in range(SIDES):
            on.used[a] = 0
        future(on, seat, out[j], swaps)
        if c == 0:
            base = on.u[seat]
        on.more[j] += on.u[seat] - base
        on.square[j] += (on.u[seat] - base) ** 2
        on.squares[j] += on.u[seat] ** 2
        for side in range(SIDES):
            on.total[j, side] += on.u[side]


def rank(order: NDArray[np.int64], value: Numbers, k: int, most: int) -> int:
    """Bring the best of the first k to the front, the very best first; return how many."""
    most = min(k, most)
    for i in range(most):
        for j in range(i + 1, k):
            if value[order[j]] > value[order[i]]:
                order[i], order[j] = order[j], order[i]
    return most


def future(on: Rollouts, seat: int, choice: int, swaps: float) -> None:
    """Deal what is hidden, play the choice and on, and judge where it ends."""
    s = on.views[1]
    on.views[1] = on.views[0]
    while actor(s) != seat:
        step(on, seat)
    play(s, choice)
    last, swapped = seat, 0
    for _ in range(LONG):
        a = actor(s)
        if a == NOBODY:
            gain(on.views[1:2], on.u)
            return
        if a >= 0 and a != last:
            swapped += 1
            last = a
            if swapped > swaps:
                break
        step(on, seat)
    chances(on.views[1], on.u)


def step(on: Rollouts, seat: int) -> None:
    """One event of a future: chance's, or what lore likes best."""
    s, out, dice = on.views[1], on.out, on.dice
    a = actor(s)
    if a == CHANCE:
        by_chance(s, out, dice)
        return
    k = legal(s, out)
    if k == 1:
        play(s, out[0])
        return
    if a != seat and again(on, a, k):
        return
    j = mix(s, a, out, k, dice)
    if j >= 0:
        if a != seat and on.script[a, 0] < SEALED:
            on.script[a, 0] += 1
            on.used[a] += 1
            on.script[a, on.script[a, 0]] = out[j]
        play(s, out[j])
        return
    best = -np.inf
    for i in range(k):
        on.views[2] = s
        play(on.views[2], out[i])
        value = worth(on.views[2], a)
        if value > best:
            best, j = value, i
    play(s, out[j])


def again(on: Rollouts, a: int, k: int) -> bool:
    """Make the secret choice that was made here when another of mine was tried.

    Nobody can know which it is; and to draw one takes long.
    """
    if on.used[a] >= on.script[a, 0]:
        return False
    choice = on.script[a, 1 + on.used[a]]
    for i in range(k):
        if on.out[i] == choice:
            on.used[a] += 1
            play(on.views[1], choice)
            return True
    return False
