"""Everybody's chances in a position, hidden things included: the mean of some futures.

A policy net has learned what a seat expects where that seat decides, and nowhere else.  So a future
is played by the policy until each seat has had its turn, and each is believed where it decides.
Without a net chance goes on to the next decision, and lore judges that position.
"""

from typing import NamedTuple

import numpy as np

from yegg.engine.curve import gain
from yegg.engine.record import CHANCE, NOBODY, SIDES, Ints, States
from yegg.engine.verbs import (
    Dice,
    Logits,
    actor,
    chances,
    hide,
    legal,
    play,
    policy,
    sides,
    win_share,
)
from yegg.players.policy_net.choices import sample
from yegg.players.policy_net.shares import add_up

from .iterations import by_chance
from .tree import Numbers

ALLOCATES_NOTHING = True
TURN = 2
"""A seat is believed at the first decision of this turn of its own, counted from the position."""
EVENTS = 1000  # in a future that is longer, who was not yet asked is asked where it is then


class Foresight(NamedTuple):
    """The memory that futures work in; `foresight` allocates it."""

    room: States
    """The position in the future, and what somebody knows of it."""
    out: Ints
    """The legal choices of the actor."""
    logits: Logits
    """Their log probabilities, by the policy net."""
    turns: Ints
    """By side: how many turns it has begun in this future."""
    u: Numbers
    """By side: its share of the win."""


def foresight(dtype: np.dtype[np.void], choices: int) -> Foresight:
    """Memory for the futures of a game."""
    return Foresight(
        room=np.zeros(2, dtype),
        out=np.zeros(choices, np.int32),
        logits=np.zeros(choices, np.float32),
        turns=np.zeros(SIDES, np.int32),
        u=np.zeros(SIDES),
    )


def foresee(root: States, on: Foresight, times: int, dice: Dice, total: Numbers) -> None:
    """Play so many futures of ``root``, and add everybody's share of the win to ``total``."""
    for _ in range(times):
        on.room[0] = root[0]
        future(on, dice)
        for q in range(total.size):
            total[q] += on.u[q]


def future(on: Foresight, dice: Dice) -> None:
    """Play on until every seat has been asked what it expects, or until the game is over."""
    s, out = on.room[0], on.out
    on.turns[:] = 0
    last, unasked = NOBODY, s.players
    for _ in range(EVENTS):
        a = actor(s)
        if a == NOBODY:
            gain(on.room[0], on.u)
            return
        if a == CHANCE:
            by_chance(s, out, dice)
            last = NOBODY if s.players == 1 else last  # it parts the turns of who plays alone
            continue
        k = legal(s, out)
        if k == 1:
            play(s, out[0])
            continue
        on.room[1] = s
        hide(on.room[1], a)
        if not policy(on.room[1], a, out, k, on.logits):
            chances(s, on.u)
            return
        if a != last:
            on.turns[a] += 1
            if on.turns[a] == TURN:
                on.u[a] = win_share(on.room[1], a)
                unasked -= 1
        if unasked == 0:
            break
        last = a
        play(s, out[sample(on.logits, k, 1.0, dice)])
    for q in range(s.players):
        if on.turns[q] < TURN:
            on.room[1] = s
            hide(on.room[1], q)
            on.u[q] = win_share(on.room[1], q)
    add_up(on.u, s.players, sides(s))
