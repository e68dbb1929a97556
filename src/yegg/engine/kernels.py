"""The kernels: what the engine does with a game's verbs, compiled once for each game.

Every kernel takes ``states``, shape (games,), and changes them in place.  It writes choices to
``out``, an int32 array as long as the game's number of choices.
"""

import numpy as np
from numpy.typing import NDArray

from .dice import GOLD, pick, roll, stir
from .record import CHANCE, NOBODY, Ints, States
from .verbs import (
    Dice,
    actor,
    choose,
    count_end,
    deal,
    evaluate,
    hide,
    legal,
    n_legal,
    nth_legal,
    play,
    score,
    sides,
    special,
    standing,
)

ILLEGAL = -3  # what `advance` returns for a choice that is not legal
NO_DICE: Dice = np.zeros(0, np.uint64)  # for `advance`: chance does not act


def begin(states: States, out: Ints) -> None:
    """Deal every game."""
    for g in range(states.size):
        deal(states[g])


def options_of(states: States, out: Ints, who: Ints) -> int:
    """Write the first game's actor to ``who[0]`` and the legal choices to ``out``.

    Returns how many choices there are.
    """
    s = states[0]
    who[0] = actor(s)
    return legal(s, out) if who[0] != NOBODY else 0


def specials_of(states: States, out: Ints) -> int:
    """Write to ``out`` the choices that only a record may hold here; return how many."""
    s = states[0]
    return special(s, out) if actor(s) != NOBODY else 0


def among(choice: int, out: Ints, k: int) -> bool:
    """Whether a choice is one of the first k in ``out``."""
    for i in range(k):
        if out[i] == choice:
            return True
    return False


def advance(states: States, choice: int, dice: Dice, out: Ints, who: Ints) -> int:
    """Play one choice in the first game and return as `options_of`; ILLEGAL if it is not legal.

    With ``dice``, not an empty array, chance then acts until a player must: ``who[1]`` is how many
    choices it made, and these follow.  It stops where there is no more room for them.
    """
    s = states[0]
    if actor(s) == NOBODY or not among(choice, out, legal(s, out)):
        return ILLEGAL
    play(s, choice)
    k = options_of(states, out, who)
    if dice.size:
        n = 2
        while who[0] == CHANCE and n < who.size:
            who[n] = out[roll(dice, k)]
            play(s, who[n])
            k = options_of(states, out, who)
            n += 1
        who[1] = n - 2
    return k


def follow(states: States, choices: Ints, actors: Ints, out: Ints) -> int:
    """Play a record's choices in the first game and write who makes each to ``actors``.

    What only a record may hold (`special`) is played too.  Returns how many choices were played;
    the next one is not legal.
    """
    s = states[0]
    for i in range(choices.size):
        actors[i] = actor(s)
        if actors[i] == NOBODY:
            return i
        if not among(choices[i], out, legal(s, out)):
            if not among(choices[i], out, special(s, out)):
                return i
        play(s, choices[i])
    return choices.size


def veil(states: States, seat: int) -> None:
    """Hide from a seat, in every game, what it cannot know."""
    for g in range(states.size):
        hide(states[g], seat)


def result(states: States, scores: Ints, standings: NDArray[np.int64]) -> int:
    """Write scores and standings of the first game, by side; return the number of sides."""
    s = states[0]
    n = sides(s)
    for seat in range(n):
        scores[seat] = score(s, seat)
        standings[seat] = standing(s, seat)
    return n


def playouts(states: States, dice: Dice, limit: int, out: Ints) -> int:
    """Play every game to its end, all choices at random; return how many events there were."""
    total = 0
    seed = dice[0] + GOLD
    bits = stir(seed)  # drawn early, so that they are ready once the number of choices is known
    for g in range(states.size):
        s = states[g]
        n = 0
        while n < limit:
            if actor(s) == NOBODY:
                break
            choice = nth_legal(s, out, pick(bits, n_legal(s, out)))
            seed += GOLD
            bits = stir(seed)
            play(s, choice)
            n += 1
        total += n
    dice[0] = seed
    return total


def roam(states: States, dealt: States, dice: Dice, many: int, out: Ints) -> None:
    """Play so many events in every game, at random; a game that is over is ``dealt`` again."""
    for g in range(states.size):
        s = states[g]
        seed = dice[g] + GOLD
        bits = stir(seed)
        n = 0
        while n < many:
            if actor(s) == NOBODY:
                states[g] = dealt[0]
            choice = nth_legal(s, out, pick(bits, n_legal(s, out)))
            seed += GOLD
            bits = stir(seed)
            play(s, choice)
            n += 1
        dice[g] = seed - GOLD


def conclude(
    states: States, scores: Ints, standings: NDArray[np.int64], over: Ints, counts: Ints
) -> int:
    """Write scores and standings (games, sides) and whether each game is over; close the tallies.

    Returns the number of sides, which is the same in every game.
    """
    for g in range(states.size):
        s = states[g]
        over[g] = actor(s) == NOBODY
        for seat in range(sides(s)):
            scores[g, seat] = score(s, seat)
            standings[g, seat] = standing(s, seat)
        count_end(s, counts[g])
    return sides(states[0])


def decide(views: States, seat: int, k: int, dice: Dice, out: Ints) -> int:
    """What a player chooses among the k choices in ``out``; ``views[0]`` is what it may know.

    The choices are given because in a view it may be chance's turn: chance still has to deal the
    cards that this player cannot see.
    """
    return out[0] if k == 1 else out[choose(views, seat, out, k, dice)]


def evaluate_view(views: States, seat: int) -> float:
    """What a seat's prospects are worth; ``views[0]`` is what it may know."""
    return evaluate(views[0], seat)


def settle(states: States, dice: Dice, out: Ints) -> int:
    """Let chance act in the first game until a player has to, or the game is over; return who."""
    s = states[0]
    while True:
        who = actor(s)
        if who != CHANCE:
            return who
        play(s, out[roll(dice, legal(s, out))])


def make(states: States, choice: int) -> None:
    """Play one choice in the first game without checking it."""
    play(states[0], choice)
