"""Kernels that take random play apart: what copying, asking for choices and playing them costs.

Each goes through positions many times.  What one takes more than another is what its verb takes.
"""

from yegg.engine.dice import GOLD, pick, stir
from yegg.engine.record import CHANCE, NOBODY
from yegg.engine.verbs import actor, n_legal, nth_legal, play


def sample(states, dice, out, every, kept, choices, places, chance):
    """Play games at random; keep every so-many-th position, its choice, and if chance acts.

    ``places`` gets the choice's place among all that are legal.

    Returns how many were kept.  ``kept`` (positions,) is filled from the start, until it is full.
    """
    n, met = 0, 0
    seed = dice[0]
    for g in range(states.size):
        s = states[g]
        while actor(s) != NOBODY:
            seed += GOLD
            place = pick(stir(seed), n_legal(s, out))
            choice = nth_legal(s, out, place)
            met += 1
            if met % every == 0:
                if n == kept.size:
                    return n
                kept[n] = s
                choices[n] = choice
                places[n] = place
                chance[n] = actor(s) == CHANCE
                n += 1
            play(s, choice)
    return n


def copying(states, scratch, rounds):
    """Copy each position."""
    for _ in range(rounds):
        for i in range(states.size):
            scratch[0] = states[i]
    return 0


def playing(states, scratch, choices, rounds):
    """Copy each position, and play its choice in the copy."""
    for _ in range(rounds):
        for i in range(states.size):
            scratch[0] = states[i]
            play(scratch[0], choices[i])
    return 0


def asking(states, places, out, rounds):
    """Ask who acts in each position, how many choices there are, and for one by its place."""
    total = 0
    for _ in range(rounds):
        for i in range(states.size):
            s = states[i]
            if actor(s) != NOBODY:
                total += n_legal(s, out) + nth_legal(s, out, places[i])
    return total
