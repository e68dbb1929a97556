"""Logs of games played again, and each decision told as environments tell it; compiled."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from yegg.engine.record import Ints, States
from yegg.engine.verbs import actor, legal, play
from yegg.observations.encode import Look, look

ALLOCATES_NOTHING = True


class Logs(NamedTuple):
    """What happened in some games."""

    choices: Ints
    """(games, events)."""
    lengths: Ints
    """(games,): how many events each had."""


class Told(NamedTuple):
    """What is told of some games: E events, N decisions, A actions, C columns."""

    before: States
    """(E,): the state before each event."""
    actors: Ints
    """(E,): who acts there."""
    games: Ints
    """(N,): which of the games a decision is of."""
    events: Ints
    """(N,): how many events of its game came before it."""
    actions: Ints
    """(N,): the seat's action, see `yegg.observations.setting`."""
    observations: NDArray[np.int8]
    """(N, C): what the seat may know, as zeros at first."""
    masks: NDArray[np.int8]
    """(N, A): 1 for each legal action; zeros at first."""


def tell(v: Look, states: States, logs: Logs, actions: Ints, t: Told, out: Ints) -> int:
    """Play games that have just begun, by their logs; return how many decisions are told.

    A decision is a choice that a seat makes among two or more; there is room for N.  ``actions``
    (P, CHOICES) are choices as a seat's actions.
    """
    n = e = 0
    for g in range(states.size):
        s = states[g]
        for i in range(logs.lengths[g]):
            who = actor(s)
            t.before[e] = s
            t.actors[e] = who
            e += 1
            k = legal(s, out) if who >= 0 else 1
            if k > 1 and n < t.actions.size:
                t.games[n] = g
                t.events[n] = i
                t.actions[n] = actions[who, logs.choices[g, i]]
                for j in range(k):
                    t.masks[n, actions[who, out[j]]] = 1
                look(v, s, v.words[g], who, v.secret, t.observations[n])
                n += 1
            play(s, logs.choices[g, i])
    return n
