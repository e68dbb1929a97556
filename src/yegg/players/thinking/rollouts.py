"""Rollouts: every likely choice is tried in the same imagined futures.

In a future the hidden cards are dealt at random, and then everybody makes the choice that their
lore likes best, for some turns (Tesauro & Galperin 1996).  After some futures the worse half of
the choices is dropped (sequential halving: Karnin, Koren & Somekh 2013).  The choice that lore
likes best is given up only for one that is clearly better.

Where a policy net covers the game it takes lore's place: the likeliest choices are tried, everybody
draws from it, and each side's own expectation judges the end.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from yegg.engine.curve import gain
from yegg.engine.dice import GOLD, fraction, stir
from yegg.engine.record import CHANCE, NOBODY, SIDES, Ints, States
from yegg.engine.verbs import (
    Dice,
    Logits,
    actor,
    chances,
    draws,
    evaluate,
    expects,
    hide,
    legal,
    play,
    policy,
    reckon,
    sample_choice,
)
from yegg.players.greedy import LEVELS, expected
from yegg.players.policy_net.choices import sample

from .iterations import by_chance
from .tree import Numbers

ALLOCATES_NOTHING = True
FUTURE_EVENTS = 1000  # a future that is longer is judged where it is then
REASONS = 13  # at most, of a game; the last is how much of it is still to come
SEALED = 30  # secret choices of one seat that are kept


class Rollouts(NamedTuple):
    """The memory that rollouts work in; `rollouts` allocates it."""

    views: States
    """First what the player knows, then the future being played, then room for lore."""
    answers: Ints
    """The choices of chance that lore looks at."""
    out: Ints
    """The legal choices of whoever acts in the future."""
    dice: Dice
    u: Numbers
    """By side: the shares of the win at the end of the future."""
    order: NDArray[np.int64]
    """Indices of the choices: the one that lore likes best first, then the best so far."""
    more: Numbers
    """By choice: how much better it did than the first in ``order``, summed over the futures."""
    square: Numbers
    """By choice: the squares of these differences, summed."""
    total: Numbers
    """By choice and side: the shares of the win, summed."""
    squares: Numbers
    """By choice: the squares of the chooser's share of the win, summed."""
    reasons: Numbers
    """By choice and reason: what was reckoned at the ends of the futures, summed."""
    reckoned: Numbers
    """By reason: the same at the end of one future."""
    script: Ints
    """By seat: how many secret choices it made in this future, and then these choices."""
    used: Ints
    """By seat: how many of these it has made again for the choice being tried."""
    logits: Logits
    """The log probabilities of the choices in ``out``, by the policy net."""
    by_policy: Ints
    """(1,): whether all is done by the policy net; see `likeliest`."""


def rollouts(dtype: np.dtype[np.void], choices: int) -> Rollouts:
    """Memory for a game's rollouts."""
    return Rollouts(
        views=np.zeros(LEVELS, dtype),
        answers=np.zeros((LEVELS, choices), np.int32),
        out=np.zeros(choices, np.int32),
        dice=np.zeros(1, np.uint64),
        u=np.zeros(SIDES),
        order=np.zeros(choices, np.int64),
        more=np.zeros(choices),
        square=np.zeros(choices),
        total=np.zeros((choices, SIDES)),
        squares=np.zeros(choices),
        reasons=np.zeros((choices, REASONS)),
        reckoned=np.zeros(REASONS),
        script=np.zeros((SIDES, SEALED + 1), np.int32),
        used=np.zeros(SIDES, np.int32),
        logits=np.zeros(choices, np.float32),
        by_policy=np.zeros(1, np.int32),
    )


def likeliest(on: Rollouts, seat: int, out: Ints, k: int, most: int, dice: Dice) -> int:
    """Put the k choices in ``out`` into ``on.order``, those that lore likes best first.

    Or those that the policy net holds likeliest, if it covers the game; then it is gone by from
    here on.  Of secret orders one that is drawn comes first.  ``on.views[0]`` is what the seat
    knows.  Returns how many choices to try, at most ``most``.
    """
    order, more = on.order, on.more
    on.by_policy[0] = policy(on.views[0], seat, out, k, on.logits)
    for j in range(k):
        order[j] = j
        if on.by_policy[0]:
            more[j] = on.logits[j]
        else:
            more[j] = expected(on.views, seat, out[j], on.answers) + 1e-6 * fraction(dice)
    if on.by_policy[0] and draws(on.views[0]):
        more[sample(on.logits, k, 1.0, dice)] = np.inf
    tried = rank(order, more, k, most)
    for j in range(k):
        more[j] = on.square[j] = 0.0
    return tried


def attempt(
    on: Rollouts, seat: int, out: Ints, left: int, begin: Any, first: int, last: int, turns: float
) -> None:
    """Try the first ``left`` choices of ``on.order`` in the futures ``first`` to ``last``.

    ``begin`` seeds them all; a future is judged after so many ``turns``.
    """
    for i in range(first, last):
        for a in range(SIDES):
            on.script[a, 0] = 0
        compare(on, seat, out, left, begin + np.uint64(i + 1) * GOLD, turns)


def compare(on: Rollouts, seat: int, out: Ints, left: int, seed: Any, turns: float) -> None:
    """Try the first ``left`` choices of ``on.order`` in one future, all with the same dice.

    ``on.script`` has the secret choices of others that are settled already.
    """
    base = 0.0
    for c in range(left):
        j = on.order[c]
        on.dice[0] = stir(seed)
        for a in range(SIDES):
            on.used[a] = 0
        future(on, seat, out[j], turns)
        if c == 0:
            base = on.u[seat]
        on.more[j] += on.u[seat] - base
        on.square[j] += (on.u[seat] - base) ** 2
        on.squares[j] += on.u[seat] ** 2
        for side in range(SIDES):
            on.total[j, side] += on.u[side]
        on.reckoned[:] = 0.0
        reckon(on.views[1], seat, on.reckoned)
        for reason in range(REASONS):
            on.reasons[j, reason] += on.reckoned[reason]


def rank(order: NDArray[np.int64], value: Numbers, k: int, most: int) -> int:
    """Sort the best ``most`` of the first k to the front; return how many these are."""
    most = min(k, most)
    for i in range(most):
        for j in range(i + 1, k):
            if value[order[j]] > value[order[i]]:
                order[i], order[j] = order[j], order[i]
    return most


def future(on: Rollouts, seat: int, choice: int, turns: float) -> None:
    """Play a future: deal what is hidden, make the choice, play on, and judge the end.

    Lore judges after so many ``turns`` of all.  By the policy net they are those of the seat alone,
    up to a decision of its own: only there has the net learned what it may expect.
    """
    s, u = on.views[1], on.u
    on.views[1] = on.views[0]
    while actor(s) != seat:
        step(on, seat)
    play(s, choice)
    last, had, own, alone = seat, 0, 0, s["players"] == 1
    for _ in range(FUTURE_EVENTS):
        a = actor(s)
        if a == NOBODY:
            gain(on.views[1], u)
            return
        if alone and a == CHANCE:
            last = CHANCE  # chance parts the turns of a player without rivals
        if a >= 0 and a != last:
            had += 1
            own += a == seat
            last = a
            if had > turns and not on.by_policy[0]:
                break
        if a == seat and own >= turns and on.by_policy[0] and legal(s, on.out) > 1:
            break
        step(on, seat)
    if not on.by_policy[0] or not expects(s, u):
        chances(s, u)


def step(on: Rollouts, seat: int) -> None:
    """One event of a future: chance rolls, or the actor does what lore likes best.

    By the policy net the actor's choice is drawn.
    """
    s, out, dice = on.views[1], on.out, on.dice
    a = actor(s)
    if a == CHANCE:
        by_chance(s, out, dice)
        return
    k = legal(s, out)
    if k == 1:
        play(s, out[0])
        return
    if on.by_policy[0]:
        on.views[2] = s
        hide(on.views[2], a)
        policy(on.views[2], a, out, k, on.logits)
        play(s, out[sample(on.logits, k, 1.0, dice)])
        return
    if a != seat and repeat_order(on, a, k):
        return
    j = sample_choice(s, a, out, k, dice)
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
        value = evaluate(on.views[2], a)
        if value > best:
            best, j = value, i
    play(s, out[j])


def repeat_order(on: Rollouts, a: int, k: int) -> bool:
    """Make the secret choice that a seat made here when an earlier choice was tried.

    It must be the same one, for the seat cannot know which choice is being tried; and drawing
    another takes long.  Returns False where there is none, or where it is not legal.
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
