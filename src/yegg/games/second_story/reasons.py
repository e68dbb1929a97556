"""What a player would speak of in a position of Second Story, as numbers; see ``reasons.toml``."""

import numpy as np
from numpy.typing import NDArray

from yegg.engine.scratch import ints
from yegg.parts.decktet import N_SUITS

from .scoring import place_of
from .state import Phase, State

Numbers = NDArray[np.float64]


def reckon(s: State, seat: int, x: Numbers) -> None:
    """The numbers in the order of ``reasons.toml``; of each more is better for the seat."""
    by_place = ints(N_SUITS)
    for suit in range(N_SUITS):
        by_place[place_of(s, seat, suit)] = s.lair[seat, suit]
    theirs, loot = 0, 0
    for other in range(s.players):
        if other != seat:
            theirs = max(theirs, second(s, other))
            loot += s.lair[other].sum()
    x[0] = by_place[1]
    x[1] = by_place[0]
    x[2] = by_place[2]
    x[3] = s.lair[seat].sum()
    x[4] = -theirs
    if s.phase == Phase.OVER:
        return
    for suit in range(N_SUITS):
        x[-1] += s.bank[suit] / (N_SUITS * s.chips)
    x[6] = by_place[1] - by_place[0]
    x[7] = -loot / (s.players - 1)
    for suit in range(N_SUITS):
        x[8] += s.bank[suit] * (place_of(s, seat, suit) < 2)
    x[5] = s.owner == seat + 1


def second(s: State, seat: int) -> int:
    """SS-70: the number of chips in a lair's second most numerous suit."""
    for suit in range(N_SUITS):
        if place_of(s, seat, suit) == 1:
            return int(s.lair[seat, suit])
    return 0
