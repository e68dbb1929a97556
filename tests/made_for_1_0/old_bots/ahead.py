"""Takes the choice after which the position is worth most; it calls the verbs of version 1.0."""

import numpy as np

from yegg.engine.dice import roll
from yegg.engine.record import CHANCE, Ints, States
from yegg.engine.verbs import Dice, actor, mix, play, way, ways, worth

ROOM = 1


def choose(views: States, seat: int, out: Ints, k: int, dice: Dice) -> int:
    """One choice is tried after the other; a die that follows is rolled."""
    drawn = mix(views[0], seat, out, k, dice)
    if drawn >= 0:
        return drawn
    best, at = -np.inf, 0
    answers = np.empty(out.size, np.int32)
    for j in range(k):
        views[1] = views[0]
        play(views[1], out[j])
        while actor(views[1]) == CHANCE:
            n = ways(views[1], answers)
            play(views[1], way(views[1], answers, roll(dice, n)))
        value = worth(views[1], seat)
        if value > best:
            best, at = value, j
    return at
