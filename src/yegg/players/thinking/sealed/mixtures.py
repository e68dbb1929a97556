"""Everybody's secret orders of a round, learnt against each other.

All seats fill in their sheets by their mixtures.  Then every other way to give one order of each
sheet is tried, the rest being as it was, and regret matching+ (Hart & Mas-Colell 2000, Tammelin
2014) makes an order likelier that would have done better.  The averages of the mixtures over all
iterations come close to a balance, where nobody gains by knowing the others' mixtures.

The n-th order of a seat has one mixture, whatever the orders before it on the sheet.  So the
memory stays small however many sheets there are.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from yegg.engine.record import CHANCE, NOBODY, SIDES, Ints, Record, States
from yegg.engine.verbs import Dice, actor, chances, legal, mix, play
from yegg.engine.dice import fraction, roll
from yegg.players.thinking.tree.iterations import Words, by_chance, copy, gain
from yegg.players.thinking.tree.regret import Numbers

ALLOCATES_NOTHING = True
ORDERS = 20  # of one sheet, at most


class Sealed(NamedTuple):
    """The memory of a round; `sealed` allocates it."""

    room: States
    """The position before each order of the round, and at the end room to try another order."""
    words: Words
    """The same memory as 64-bit words."""
    out: Ints
    """The legal choices."""
    regret: Numbers
    """By seat, number of the order and choice."""
    share: Numbers
    """The same: the sum of the mixtures so far."""
    line: NDArray[np.int64]
    """By event of the round: the seat, the number of its order, and the choice."""
    u: Numbers
    """By side: shares of the win."""
    value: Numbers
    """By choice: the seat's share of the win."""


def sealed(dtype: np.dtype[np.void], choices: int) -> Sealed:
    """Memory for the rounds of a game."""
    room = np.zeros(SIDES * ORDERS + 2, dtype)
    return Sealed(
        room=room,
        words=room.view(np.uint64).reshape(len(room), -1),
        out=np.zeros(choices, np.int32),
        regret=np.zeros((SIDES, ORDERS, choices)),
        share=np.zeros((SIDES, ORDERS, choices)),
        line=np.zeros((SIDES * ORDERS, 3), np.int64),
        u=np.zeros(SIDES),
        value=np.zeros(choices),
    )


def ponder(on: Sealed, root: Words, first: int, last: int, lore: float, dice: Dice) -> None:
    """Run the iterations ``first`` to ``last`` from ``root``.

    ``lore`` is how often a sheet of another seat is lore's.
    """
    for i in range(first, last):
        copy(root, on.words[0])
        while actor(on.room[0]) == CHANCE:
            by_chance(on.room[0], on.out, dice)
        events = fill_in(on, i, lore, dice)
        given = 0
        for q in range(SIDES):
            orders = 0
            for e in range(events):
                orders += on.line[e, 0] == q
            if orders == 0:
                continue
            piece = i % orders
            for e in range(events):
                if on.line[e, 0] == q and on.line[e, 1] == piece:
                    improve(on, e, events)


def fill_in(on: Sealed, i: int, lore: float, dice: Dice) -> int:
    """All seats fill in their sheets; return how many orders there are."""
    n, last, number = 0, -1, 0
    done = 0
    by_lore = False
    while n < SIDES * ORDERS - 1:
        s = on.room[n]
        a = actor(s)
        if a < 0 or (a != last and done >> a & 1):
            break
        if a != last:
            number = 0
            last = a
            done |= 1 << a
            by_lore = fraction(dice) < lore
        if number == ORDERS:
            break
        k = legal(s, on.out)
        j = order(on, a, number, k, float(i + 1), dice)
        if by_lore:
            drawn = mix(s, a, on.out, k, dice)
            if drawn >= 0:
                j = drawn
        on.line[n, 0], on.line[n, 1], on.line[n, 2] = a, number, on.out[j]
        copy(on.words[n], on.words[n + 1])
        play(on.room[n + 1], on.out[j])
        n += 1
        number += 1
    return n


def order(on: Sealed, a: int, number: int, k: int, weight: float, dice: Dice) -> int:
    """Draw an order by its mixture, and add the mixture to the average."""
    regret, share = on.regret[a, number], on.share[a, number]
    total = 0.0
    for j in range(k):
        total += regret[on.out[j]]
    x, drawn = fraction(dice), k - 1
    for j in range(k):
        p = regret[on.out[j]] / total if total > 0 else 1.0 / k
        share[on.out[j]] += weight * p
        x -= p
        if x < 0 and drawn == k - 1:
            drawn = j
            x = 2.0
    return drawn


def improve(on: Sealed, e: int, events: int) -> None:
    """Try every choice in place of order ``e``, and remember how much better each would be."""
    a, number = on.line[e, 0], on.line[e, 1]
    k = legal(on.room[e], on.out)
    if k == 1:
        return
    end = on.room.shape[0] - 1
    regret = on.regret[a, number]
    total = 0.0
    for j in range(k):
        total += regret[on.out[j]]
    mean = 0.0
    for j in range(k):
        c = on.out[j]
        copy(on.words[e], on.words[end])
        play(on.room[end], c)
        for f in range(e + 1, events):
            play(on.room[end], on.line[f, 2])
        judge(on.room[end : end + 1], on.u)
        on.value[j] = on.u[a]
        p = regret[c] / total if total > 0 else 1.0 / k
        mean += p * on.u[a]
    for j in range(k):
        c = on.out[j]
        regret[c] = max(regret[c] + on.value[j] - mean, 0.0)


def judge(room: States, u: Numbers) -> None:
    """Everybody's share of the win."""
    if actor(room[0]) == NOBODY:
        gain(room, u)
    else:
        chances(room[0], u)
