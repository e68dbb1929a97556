"""Regret matching for secret orders: everybody's mixed orders of a round, learnt together.

All seats fill in their sheets by their mixtures.  Then every other way to give one order of each
sheet is tried, the rest being as it was, and regret matching+ (Hart & Mas-Colell 2000, Tammelin
2014) makes an order likelier that would have done better.  The averages of the mixtures over all
iterations come close to a balance, where nobody gains by knowing the others' mixtures.

The n-th order of a seat has one mixture, whatever the orders before it on the sheet, but for
this: an order that the sheet holds already counts as another one.  So the memory stays small
however many sheets there are, and two spies learn not to meet.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from yegg.engine.curve import gain
from yegg.engine.dice import GOLD, stir
from yegg.engine.record import CHANCE, NOBODY, SIDES, Ints, States
from yegg.engine.verbs import Dice, actor, chances, legal, play, sample_choice

from .iterations import Words, by_chance, copy
from .rollouts import SEALED, Rollouts, compare
from .tree import Numbers, draw

ALLOCATES_NOTHING = True
ORDERS = 20  # of one sheet, at most, that are no forced ones
NOTHING = 1e-9  # regrets that are no greater come from rounding
FORCED = -1  # in place of the number of an order


class Sealed(NamedTuple):
    """The memory of a round; `sealed` allocates it."""

    room: States
    """The position before each order of the round, and at the end room to try another order."""
    words: Words
    """The same memory as 64-bit words."""
    out: Ints
    """The legal choices."""
    later: Ints
    """The same of the same seat's next order."""
    at: NDArray[np.int64]
    """By place in ``out``: the choice, or the choice plus all choices if the sheet holds it."""
    regret: Numbers
    """By seat, number of the order, and ``at``."""
    share: Numbers
    """The same: the sum of the mixtures so far."""
    line: NDArray[np.int64]
    """By event of the round: the seat, the number of its order or FORCED, and the choice."""
    u: Numbers
    """By side: shares of the win."""
    pi: Numbers
    """By place in ``out``: the mixture."""
    value: Numbers
    """By place in ``out``: the seat's share of the win."""


def last_round(room: States, out: Ints, dice: Dice) -> bool:
    """Whether the game is over once all have had a turn from ``room[0]`` on, which is used up."""
    s, had, last = room[0], 0, NOBODY
    while actor(s) != NOBODY:
        a = actor(s)
        if a == CHANCE:
            by_chance(s, out, dice)
            continue
        if a != last and had & (1 << a):
            return False
        had |= 1 << a
        last = a
        legal(s, out)
        play(s, out[0])
    return True


def sealed(dtype: np.dtype[np.void], choices: int) -> Sealed:
    """Memory for the rounds of a game."""
    room = np.zeros(SIDES * ORDERS + 2, dtype)
    return Sealed(
        room=room,
        words=room.view(np.uint64).reshape(len(room), -1),
        out=np.zeros(choices, np.int32),
        later=np.zeros(choices, np.int32),
        at=np.zeros(choices, np.int64),
        regret=np.zeros((SIDES, ORDERS, 2 * choices)),
        share=np.zeros((SIDES, ORDERS, 2 * choices)),
        line=np.zeros((SIDES * ORDERS, 3), np.int64),
        u=np.zeros(SIDES),
        pi=np.zeros(choices),
        value=np.zeros(choices),
    )


def ponder(on: Sealed, root: Words, first: int, last: int, dice: Dice) -> None:
    """Run the iterations ``first`` to ``last`` from ``root``, the first position of the round.

    Each improves one order of every sheet, in turn.
    """
    for i in range(first, last):
        begin_round(on, root, dice)
        events = fill_in(on, float(i + 1), dice)
        for seat in range(SIDES):
            orders = 0
            for e in range(events):
                if on.line[e, 0] == seat:
                    orders = max(orders, on.line[e, 1] + 1)
            for e in range(events):
                if orders > 0 and on.line[e, 0] == seat and on.line[e, 1] == i % orders:
                    improve(on, e, events)


def attempt_sealed(
    on: Rollouts,
    by: Sealed,
    root: Words,
    seat: int,
    out: Ints,
    left: int,
    begin: Any,
    first: int,
    last: int,
    turns: float,
) -> None:
    """As `attempt`, where the others fill in their sheets by the mixtures that ``by`` has learnt.

    ``root`` is the first position of the round.
    """
    for i in range(first, last):
        seed = begin + np.uint64(i + 1) * GOLD
        on.dice[0] = stir(seed)
        begin_round(by, root, on.dice)
        for a in range(SIDES):
            on.script[a, 0] = 0
        for e in range(fill_in(by, 0.0, on.dice)):
            a = by.line[e, 0]
            if by.line[e, 1] != FORCED and on.script[a, 0] < SEALED:
                on.script[a, 0] += 1
                on.script[a, on.script[a, 0]] = by.line[e, 2]
        compare(on, seat, out, left, seed, turns)


def begin_round(on: Sealed, root: Words, dice: Dice) -> None:
    """Set up the round: what the seat cannot know is dealt."""
    copy(root, on.words[0])
    while actor(on.room[0]) == CHANCE:
        by_chance(on.room[0], on.out, dice)


def fill_in(on: Sealed, weight: float, dice: Dice) -> int:
    """All seats fill in their sheets; return how many events that takes.

    The round is over when a seat would begin a second sheet, when chance acts or at the end.
    """
    last, number, had = -1, 0, 0
    for e in range(on.line.shape[0]):
        s = on.room[e]
        a = actor(s)
        if a < 0 or (a != last and had >> a & 1):
            return e
        if a != last:
            last, number = a, 0
            had |= 1 << a
        k = legal(s, on.out)
        on.line[e, 0], on.line[e, 1], on.line[e, 2] = a, FORCED, on.out[0]
        if k > 1:
            if number == ORDERS:
                return e
            on.line[e, 1] = number
            on.line[e, 2] = on.out[order(on, e, number, k, weight, dice)]
            number += 1
        copy(on.words[e], on.words[e + 1])
        play(on.room[e + 1], on.line[e, 2])
    return on.line.shape[0]


def order(on: Sealed, e: int, number: int, k: int, weight: float, dice: Dice) -> int:
    """Draw one of the k orders in ``on.out``, and add the mixture to the sum with this weight.

    As long as no order is better than another, lore draws.  Weight 0: draw by the average.
    """
    seat = on.line[e, 0]
    if weight == 0:
        mixture(on, on.share, e, number, k)
        return draw(on.pi, k, dice)
    if not mixture(on, on.regret, e, number, k):
        drawn = sample_choice(on.room[e], seat, on.out, k, dice)
        if drawn >= 0:
            on.share[seat, number, on.at[drawn]] += weight
            return drawn
    for j in range(k):
        on.share[seat, number, on.at[j]] += weight * on.pi[j]
    return draw(on.pi, k, dice)


def mixture(on: Sealed, weights: Numbers, e: int, number: int, k: int) -> bool:
    """Write the mixture of the k orders in ``on.out`` to ``on.pi``: by their weights, or even.

    The weights are the regrets, or the averages.  Returns whether there are any.
    """
    seat = on.line[e, 0]
    for j in range(k):
        on.at[j] = on.out[j]
        for f in range(e):
            if on.line[f, 0] == seat and on.line[f, 1] != FORCED and on.line[f, 2] == on.out[j]:
                on.at[j] = on.out[j] + on.out.size
    weight, total = weights[seat, number], 0.0
    for j in range(k):
        total += weight[on.at[j]]
    for j in range(k):
        on.pi[j] = weight[on.at[j]] / total if total > NOTHING else 1.0 / k
    return total > NOTHING


def improve(on: Sealed, e: int, events: int) -> None:
    """Try every order in place of the one of event ``e``, and learn from what each brings."""
    seat, number, spare = on.line[e, 0], on.line[e, 1], on.room.shape[0] - 1
    k = legal(on.room[e], on.out)
    mixture(on, on.regret, e, number, k)
    mean = 0.0
    for j in range(k):
        copy(on.words[e], on.words[spare])
        play(on.room[spare], on.out[j])
        for f in range(e + 1, events):
            repeat_event(on, f, seat)
        win_shares(on.room[spare : spare + 1], on.u)
        on.value[j] = on.u[seat]
        mean += on.pi[j] * on.u[seat]
    regret = on.regret[seat, number]
    for j in range(k):
        regret[on.at[j]] = max(regret[on.at[j]] + on.value[j] - mean, 0.0)


def repeat_event(on: Sealed, f: int, seat: int) -> None:
    """Repeat event ``f``; if the seat's other order made it illegal, the first legal one."""
    s, choice = on.room[on.room.shape[0] - 1], on.line[f, 2]
    if on.line[f, 0] == seat:
        k, found = legal(s, on.later), False
        for j in range(k):
            found = found or on.later[j] == choice
        if not found:
            choice = on.later[0]
    play(s, choice)


def win_shares(room: States, u: Numbers) -> None:
    """Everybody's share of the win."""
    if actor(room[0]) == NOBODY:
        gain(room[0], u)
    else:
        chances(room[0], u)
