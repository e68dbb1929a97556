"""The laboratory's kernels: players compete in many games at once, which are counted and logged.

Every kernel takes ``states``, shape (games,), and changes them in place, as those of `kernels` do.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .dice import GOLD, pick, roll, stir
from .record import CHANCE, NOBODY, Ints, Record, States
from .verbs import Dice, actor, choose, count_event, hide, legal, n_legal, nth_legal, play, prefer

INLINE = ("by_chance", "met")  # see Compiler.compiled
LOWEST = -(2**30)  # below every rank
AFTER, NTH = np.uint64(1 << 16), np.uint64(1 << 24)  # a ticket's choice is below, NTH above both
STRAYED = -1  # what `upto` returns if chance drew something else than the log has


class Tracks(NamedTuple):
    """What is counted of every game of an experiment, and the lots by which chance draws."""

    acted: Ints
    """(games, 2 * seats): by seat its forced choices, then its choices among several."""
    turns: Ints
    """(games, 2): how often a seat took over from another, and 1 + the seat that acted last."""
    lots: Ints
    """(games, choices, 2 + seats): how often each lot was drawn; (games, 0, 0) without lots.

    Of a card the first number is 1 + how often it was dealt, of all else it is 0.  Of a die the
    others, at its lowest face, are how often it was rolled before anybody had acted, and after
    each seat.
    """


class Habits(NamedTuple):
    """Habits of players as arrays: they choose as they like within what these leave them."""

    of: Ints
    """(games, seats): a player's row in ``ranks`` and ``numbers``, or -1."""
    ranks: Ints
    """(rows, choices): only legal choices of the highest rank are put to the player."""
    numbers: NDArray[np.float64]
    """(rows, most numbers): what a plan of one's own goes by, see `prefer`."""
    barred: Ints
    """(games,), or empty: a choice that is not made at the next decision; -1: none."""


def ticket(fate: np.uint64, choice: int, after: int, nth: int) -> np.uint64:
    """Random bits that are the same in the same game, for the same choice and the same time."""
    lot = np.uint64(1 + choice) + np.uint64(after) * AFTER + np.uint64(nth) * NTH
    return stir(fate + lot * GOLD)


def by_lot(s: Record, out: Ints, fate: np.uint64, after: int, lots: Ints) -> int:
    """What chance does, the same wherever the same is drawn: of the cards that with the top ticket.

    A card has a new ticket once it has been dealt.  So the tickets are the order of a deck, and
    those of a shuffled deck are all new.  A die has a ticket for each roll of each seat.
    """
    k = n_legal(s, out)
    best = nth_legal(s, out, 0)
    if lots[best, 0] == 0:
        nth = lots[best, 1 + after]
        lots[best, 1 + after] += 1
        return nth_legal(s, out, pick(ticket(fate, best, after, nth), k))
    top = ticket(fate, best, 0, lots[best, 0])
    for i in range(1, k):
        card = nth_legal(s, out, i)
        mine = ticket(fate, card, 0, lots[card, 0])
        if mine > top:
            best = card
            top = mine
    lots[best, 0] += 1
    return best


def by_chance(s: Record, g: int, out: Ints, dice: Dice, course: Tracks | None) -> int:
    """A choice of chance in game g: every one is equally likely."""
    if course is not None:  # compiled only where there is one
        if course.lots.shape[1] > 0:
            return by_lot(s, out, dice[0], course.turns[g, 1], course.lots[g])
    return nth_legal(s, out, roll(dice, n_legal(s, out)))


def met(course: Tracks, g: int, who: int, k: int) -> None:
    """Count, in game g, that a seat has to choose among k choices."""
    course.acted[g, 2 * who + (k > 1)] += 1
    course.turns[g, 0] += course.turns[g, 1] != 1 + who
    course.turns[g, 1] = 1 + who


def without(choice: int, out: Ints, k: int) -> int:
    """Take a choice out of the k in ``out``; return how many are left."""
    left = 0
    for i in range(k):
        if out[i] != choice:
            out[left] = out[i]
            left += 1
    return left


def keep_highest(s: Record, seat: int, habits: Habits, row: int, out: Ints, k: int) -> int:
    """Keep those of the k choices that rank highest, in their order; return how many.

    ``s`` is what the seat may know.
    """
    top = LOWEST
    numbers = habits.numbers[row]
    left = 0
    for i in range(k):
        rank = habits.ranks[row, out[i]] + prefer(s, seat, out[i], numbers)
        if rank > top:
            top = rank
            left = 0
        if rank == top:
            out[left] = out[i]
            left += 1
    return left


def bounded(
    states: States, views: States, g: int, who: int, habits: Habits, out: Ints, k: int
) -> int:
    """Take out of the k choices what the seat is bound not to choose; return how many are left."""
    if habits.barred.size > 0:
        if habits.barred[g] >= 0 and k > 1:
            k = without(habits.barred[g], out, k)
            habits.barred[g] = -1
    if habits.ranks.shape[0] > 0 and k > 1:
        row = habits.of[g, who]
        if row >= 0:
            views[0] = states[g]
            hide(views[0], who)
            k = keep_highest(views[0], who, habits, row, out, k)
    return k


def compete(
    states: States,
    views: States,
    dice: Dice,
    mine: Ints,
    events: Ints,
    limit: int,
    log: Ints,
    counts: Ints,
    course: Tracks | None,
    habits: Habits | None,
    out: Ints,
) -> int:
    """Let one player and chance act wherever it is their turn; return how many games go on.

    ``mine`` (games, seats): 1 where the player has the seat.  ``dice`` (games, 1 + seats, 1):
    generators of chance and of each seat.  ``events`` (games,): how many there were so far; a
    game stops at ``limit``.  ``log`` (games, limit or 0): the choices made.  ``counts`` (games,
    counters): the game's tally.  ``views[0]`` gets what the player may see, and the rest of
    ``views`` is room for the player to think.
    """
    going = 0
    for g in range(states.size):
        s = states[g]
        while True:
            who = actor(s)
            if who == NOBODY or events[g] >= limit:
                break
            if who == CHANCE:
                choice = by_chance(s, g, out, dice[g, 0], course)
            elif not mine[g, who]:
                going += 1
                break
            else:
                k = legal(s, out)
                if course is not None:
                    met(course, g, who, k)
                if habits is not None:
                    k = bounded(states, views, g, who, habits, out, k)
                if k == 1:
                    choice = out[0]
                else:
                    views[0] = s
                    hide(views[0], who)
                    choice = out[choose(views, who, out, k, dice[g, 1 + who])]
            count_event(s, choice, counts[g])
            if log.shape[1] > 0:
                log[g, events[g]] = choice
            play(s, choice)
            events[g] += 1
    return going


def enact(
    states: States,
    choice: int,
    events: Ints,
    log: Ints,
    counts: Ints,
    course: Tracks | None,
    out: Ints,
) -> None:
    """Play one choice of a seat in the first game, with all that `compete` keeps."""
    s = states[0]
    if course is not None:
        met(course, 0, actor(s), legal(s, out))
    count_event(s, choice, counts[0])
    if log.shape[1] > 0:
        log[0, events[0]] = choice
    play(s, choice)
    events[0] += 1


def upto(
    states: States, dice: Dice, choices: Ints, counts: Ints, course: Tracks | None, out: Ints
) -> int:
    """Play the choices of a log in the first game; chance's generator and lots go along.

    Returns how many were played, or STRAYED if chance would have drawn something else.
    """
    s = states[0]
    for i in range(choices.size):
        who = actor(s)
        if who == CHANCE:
            if by_chance(s, 0, out, dice[0, 0], course) != choices[i]:
                return STRAYED
        elif course is not None:
            met(course, 0, who, legal(s, out))
        count_event(s, choices[i], counts[0])
        play(s, choices[i])
    return choices.size


def openings(states: States, choices: Ints, wanted: Ints, found: Ints, out: Ints) -> int:
    """Follow a log in the first game and list where a wanted choice could be made.

    ``wanted`` (choices,): 1 for those in question.  ``found`` (n, 2) gets the event and the
    choice of the first n; returns how many there are in all.  A decision counts where a seat has
    several choices.
    """
    s = states[0]
    n = 0
    for i in range(choices.size):
        if actor(s) >= 0:
            k = legal(s, out)
            for j in range(k):
                if k > 1 and wanted[out[j]]:
                    if n < found.shape[0]:
                        found[n, 0] = i
                        found[n, 1] = out[j]
                    n += 1
        play(s, choices[i])
    return n
