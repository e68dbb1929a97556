"""What seats may know of many games, as rows of numbers; compiled."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from yegg.engine.record import Ints, Record, States
from yegg.engine.verbs import hide, more

from .columns import Plan, Plans

ALLOCATES_NOTHING = True
INLINE = ("look", "encode", "numbers", "codes", "row")
Row = NDArray[np.float32] | NDArray[np.int8]


class Look(NamedTuple):
    """What is needed to see a game; B games, C columns."""

    words: Ints
    """(B, words): the memory of the games' states."""
    seen: States
    """(1,): room for what a seat may know."""
    seen_words: Ints
    """(1, words): its memory."""
    extra: States
    """(1,): room for what `more` counts."""
    extra_words: Ints
    """(1, words): its memory; (1, 0) where nothing is counted."""
    plan: Plan
    more: Plan
    scale: Row
    """(C,): what a column's whole number is multiplied by; of the observations' type."""
    most: int
    """The largest whole number that is written."""
    secret: int
    """1: something is hidden from seats."""


def look(v: Look, s: Record, words: Ints, seat: int, secret: int, x: Row) -> None:
    """Write to ``x`` (C,) what a seat may know of a state, or all of it if not ``secret``."""
    x[:] = 0
    if secret:
        v.seen[0] = s
        s = v.seen[0]
        hide(s, seat)
        words = v.seen_words[0]
    encode(words, v.plan, seat, v.scale, v.most, x)
    if v.extra_words.shape[1] > 0:
        more(s, seat, v.extra[0])
        encode(v.extra_words[0], v.more, seat, v.scale, v.most, x)


def look_many(v: Look, states: States, seats: Ints, secret: int, x: Row) -> None:
    """Write to ``x`` (B, C) what a seat of each game may know; nothing where it is -1."""
    for g in range(seats.size):
        if seats[g] >= 0:
            look(v, states[g], v.words[g], seats[g], secret, x[g])


def encode(w: Ints, p: Plan, seat: int, scale: Row, most: int, x: Row) -> None:
    """Write the words of a state to ``x``, which comes as zeros."""
    numbers(w, p.numbers[seat], scale, most, x)
    codes(w, p.codes[seat], p.places, x)
    steps = p.bits[seat]
    for i in range(steps.shape[0]):
        x[steps[i, 1]] = np.uint32(w[steps[i, 0]]) >> steps[i, 2] & np.uint32(1)
    steps = p.cards[seat]
    for i in range(steps.shape[0]):
        value = np.uint32(w[steps[i, 0]])
        nth = steps[i, 5] if value == steps[i, 4] else value
        row(p.rows, steps[i, 2] + nth * steps[i, 3], steps[i, 3], steps[i, 1], scale, x)
    steps = p.piles[seat]
    for i in range(steps.shape[0]):
        first = steps[i, 0]
        for j in range(np.uint32(w[steps[i, 2]])):
            x[steps[i, 1] + np.uint32(w[first + j])] = 1
    steps = p.hands[seat]
    for i in range(steps.shape[0]):
        hand(w, steps[i], p.rows, scale, x)


def numbers(w: Ints, steps: Plans, scale: Row, most: int, x: Row) -> None:
    """Write numbers, several that stand in a row at once."""
    for i in range(steps.shape[0]):
        word, column, low = steps[i, 0], steps[i, 1], np.int32(steps[i, 3])
        for j in range(steps[i, 2]):
            x[column + j] = min(w[word + j] - low, most) * scale[column + j]


def codes(w: Ints, steps: Plans, places: Ints, x: Row) -> None:
    """Write 1 to one column of each code; without a branch, which could not be foreseen."""
    for i in range(steps.shape[0]):
        value = min(np.uint32(np.uint32(w[steps[i, 0]]) - steps[i, 3]), steps[i, 4])
        place = places[steps[i, 2] + value]
        x[steps[i, 1] + np.uint32(max(place, 0))] = place >= 0


def row(rows: Ints, at: int, wide: int, column: int, scale: Row, x: Row) -> None:
    """Write a row of a table."""
    for j in range(wide):
        x[column + j] = rows[at + j] * scale[column + j]


def hand(w: Ints, step: Plans, rows: Ints, scale: Row, x: Row) -> None:
    """Write the cards of a hand, slot by slot."""
    first, column, slots, wide = step[0], step[1], step[5], step[6]
    for j in range(step[2]):
        value = np.uint32(w[first + j])
        if (value == step[3] or value == step[4]) and slots > 0:
            row(rows, step[7] + j * wide, wide, column, scale, x)
            column += wide
            slots -= 1
