"""Exact expected shares of the win, over every way that the rest of the game can go.

This is expectimax with a transposition table; with more than two sides it is max^n (Luckhardt &
Irani 1986): every seat makes the choice that is best for itself, the first of equal ones.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from yegg.engine.curve import gain
from yegg.engine.record import CHANCE, NOBODY, Ints, States
from yegg.engine.verbs import actor, legal, play

from .iterations import Words, copy
from .tree import ONE, Numbers, key_of

ALLOCATES_NOTHING = True
EVENTS = 400  # of one line, at most
SOLVED, TOO_MANY, TOO_LONG = 0, 1, 2


class Book(NamedTuple):
    """The positions solved so far, and the line being followed; `book` allocates it."""

    keys: NDArray[np.uint64]
    """Hash table with linear probing: the positions solved."""
    known: Numbers
    """By slot and side: shares of the win."""
    used: NDArray[np.int64]
    """How many positions are solved."""
    room: States
    """The positions of the line; the last two are free for other use."""
    words: Words
    """The same memory as 64-bit words."""
    out: Ints
    """By level: the legal choices."""
    many: NDArray[np.int64]
    """By level: how many choices there are, how many are done, and whose they are."""
    share: Numbers
    """By level and side: the mean so far where chance acts, else the best so far."""


def book(positions: int, dtype: np.dtype[np.void], choices: int, sides: int) -> Book:
    """An empty book for so many positions."""
    slots = 1 << (2 * positions - 1).bit_length()
    room = np.zeros(EVENTS + 2, dtype)
    return Book(
        keys=np.zeros(slots, np.uint64),
        known=np.zeros((slots, sides)),
        used=np.zeros(1, np.int64),
        room=room,
        words=room.view(np.uint64).reshape(EVENTS + 2, -1),
        out=np.zeros((EVENTS, choices), np.int32),
        many=np.zeros((EVENTS, 3), np.int64),
        share=np.zeros((EVENTS + 1, sides)),
    )


def solve(root: Words, on: Book, values: Numbers) -> int:
    """Write everybody's share of the win after each choice of the root to ``values`` (k, sides).

    Returns SOLVED; TOO_MANY if the book has no room for more positions; TOO_LONG if a line has
    more than ``EVENTS`` events.
    """
    copy(root, on.words[0])
    on.many[0, 0], on.many[0, 1], on.many[0, 2] = legal(on.room[0], on.out[0]), 0, CHANCE
    level = 0
    while True:
        k, at = on.many[level, 0], on.many[level, 1]
        if at == k:
            if level == 0:
                return SOLVED
            if not keep(on, level):
                return TOO_MANY
            level -= 1
            pass_up(on, level, level + 1, values)
            continue
        copy(on.words[level], on.words[level + 1])
        play(on.room[level + 1], on.out[level, at])
        if enter(on, level + 1):
            pass_up(on, level, level + 1, values)
        else:
            level += 1
            if level == EVENTS - 1:
                return TOO_LONG


def enter(on: Book, level: int) -> bool:
    """Value a position at once if that is possible, else list its choices; return which."""
    s, share = on.room[level], on.share[level]
    who = actor(s)
    if who == NOBODY:
        gain(on.room[level], share)
        return True
    slot = place(on, level)
    if on.keys[slot] != np.uint64(0):
        for q in range(share.size):
            share[q] = on.known[slot, q]
        return True
    k = legal(s, on.out[level])
    on.many[level, 0], on.many[level, 1], on.many[level, 2] = k, 0, who
    if who != CHANCE and wins(on, level, who, k):
        return True
    for q in range(share.size):
        share[q] = 0.0 if who == CHANCE else -1.0
    return False


def wins(on: Book, level: int, who: int, k: int) -> bool:
    """Whether a choice ends the game with a win that is not shared; its shares are kept."""
    for i in range(k):
        copy(on.words[level], on.words[EVENTS])
        play(on.room[EVENTS], on.out[level, i])
        if actor(on.room[EVENTS]) == NOBODY:
            gain(on.room[EVENTS], on.share[level])
            if on.share[level, who] == 1.0:
                return True
    return False


def pass_up(on: Book, level: int, below: int, values: Numbers) -> None:
    """Add a choice's value to the mean of its level, or keep it if it is the best so far."""
    k, at, who = on.many[level, 0], on.many[level, 1], on.many[level, 2]
    on.many[level, 1] = at + 1
    for q in range(on.share.shape[1]):
        if level == 0:
            values[at, q] = on.share[below, q]
        elif who == CHANCE:
            on.share[level, q] += on.share[below, q] / k
    if level > 0 and who != CHANCE and on.share[below, who] > on.share[level, who]:
        for q in range(on.share.shape[1]):
            on.share[level, q] = on.share[below, q]
        if on.share[level, who] >= 1.0:
            on.many[level, 1] = k  # no choice can be better


def place(on: Book, level: int) -> int:
    """The slot of a position, or the empty slot that it would take."""
    key = key_of(on.words[level], 0)
    mask = np.uint64(on.keys.size - 1)
    slot = key & mask
    while on.keys[slot] != np.uint64(0) and on.keys[slot] != key:
        slot = (slot + ONE) & mask
    return np.int64(slot)  # type: ignore[return-value]


def keep(on: Book, level: int) -> bool:
    """Keep a solved position; return whether there was room for it."""
    if 2 * on.used[0] >= on.keys.size:
        return False
    slot = place(on, level)
    on.keys[slot] = key_of(on.words[level], 0)
    on.used[0] += 1
    for q in range(on.share.shape[1]):
        on.known[slot, q] = on.share[level, q]
    return True
