"""Looks one choice ahead, at everything that dice and cards may do then, and takes the best.

It takes the choice with the highest expected ``evaluate`` after chance has acted.  Where chance has
too many ways, a position is judged while chance still has to act.  So it is where hands are
hidden: chance would first deal these, in many ways that tell nothing.  Where orders are secret
others could guess the best one: there it draws from the lore's mixture.
"""

import numpy as np

from yegg.engine.dice import roll
from yegg.engine.record import CHANCE, Ints, States
from yegg.engine.scratch import ints
from yegg.engine.verbs import Dice, actor, evaluate, legal, play, sample_choice

CHANCE_EVENTS = 5  # that are looked at in a row
LEVELS = CHANCE_EVENTS + 2  # of a line: before a choice, after it, and after each of these
WAYS = 150  # for chance to act that are looked at
ROOM = CHANCE_EVENTS + 1


def choose(views: States, seat: int, out: Ints, k: int, dice: Dice) -> int:
    """The best of the choices; equal ones are equally likely."""
    drawn = sample_choice(views[0], seat, out, k, dice)
    if drawn >= 0:
        return drawn
    best, at, equals = -np.inf, 0, 0
    answers = np.empty((LEVELS, out.size), np.int32)
    for j in range(k):
        value = expected(views, seat, out[j], answers)
        if value > best + 1e-9:
            best, at, equals = value, j, 1
        elif value > best - 1e-9:
            equals += 1
            if roll(dice, equals) == 0:
                at = j
    return at


def expected(views: States, seat: int, choice: int, answers: Ints) -> float:
    """The expected worth after a choice; ``views[1:]`` hold the line being followed."""
    many = ints(LEVELS)  # choices of chance by level; 0: judge here
    tried = ints(LEVELS)
    ways = ints(LEVELS)
    ways[1] = 1
    views[1] = views[0]
    play(views[1], choice)
    many[1] = to_unfold(views, 1, 1, answers)
    total, level = 0.0, 1
    while level > 0:
        if many[level] == 0:
            total += evaluate(views[level], seat) / ways[level]
            level -= 1
        elif tried[level] == many[level]:
            level -= 1
        else:
            answer = answers[level, tried[level]]
            tried[level] += 1
            views[level + 1] = views[level]
            play(views[level + 1], answer)
            level += 1
            ways[level] = ways[level - 1] * many[level - 1]
            tried[level] = 0
            many[level] = to_unfold(views, level, ways[level], answers)
    return total


def to_unfold(views: States, level: int, ways: int, answers: Ints) -> int:
    """How many choices of chance to look at; 0 if there are too many or it is not its turn.

    In a view it can be chance's turn only because it has yet to deal what is hidden.
    """
    if actor(views[0]) == CHANCE or level > CHANCE_EVENTS or actor(views[level]) != CHANCE:
        return 0
    k = legal(views[level], answers[level])
    return k if ways * k <= WAYS else 0
