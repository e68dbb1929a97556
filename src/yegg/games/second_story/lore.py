"""What a sensible burglar knows: what a lair is worth, and when a bag is in danger."""

import numpy as np

from yegg.engine import Ints
from yegg.parts.decktet import KIND, N_SUITS, SUIT_COUNT, SUITS, Kind

from .rules import SIDES, Choice, Phase, State, needed

WEIGHTS = np.array([1.0, 10.0, 4.0, 2.0, 1.0, 0.5])
"""Of a chip of the most numerous suit, the second, … the sixth."""


def treasure(lair: Ints, bag: Ints) -> float:
    """What chips are worth: the second suit scores, the others break ties or may become it."""
    left = np.empty(N_SUITS, np.int32)
    for suit in range(N_SUITS):
        left[suit] = lair[suit] + bag[suit]
    left.sort()
    total = 0.0
    for i in range(N_SUITS):
        total += WEIGHTS[i] * left[N_SUITS - 1 - i]
    return total


def chance(house: int, plan: int) -> float:
    """How likely a job succeeds."""
    miss = (needed(house, plan) - 1) / SIDES
    return 1 - miss * miss if plan == Choice.QUICK else 1 - miss


def loot(s: State, plan: int) -> Ints:
    """A bag as it would be after a job well done, the most wanted chips chosen."""
    bag = s.bag.copy()
    wanted = 1
    if plan == Choice.THOROUGH or plan == Choice.SEVERAL_FLATS:
        wanted = 2
    elif plan == Choice.ALL_FLATS:
        wanted = 3
    for _ in range(wanted):
        best, at = -1.0, -1
        for i in range(SUIT_COUNT[s.house]):
            suit = SUITS[s.house, i]
            if s.bank[suit] > 0 and bag[suit] == s.bag[suit]:
                bag[suit] += 1
                value = treasure(s.lair[s.turn], bag)
                bag[suit] -= 1
                if value > best:
                    best, at = value, suit
        if at >= 0:
            bag[at] += 1
    return bag


def prospects(s: State) -> float:
    """What the night is worth to the burglar who plays it, wherever it stands."""
    lair = s.lair[s.turn]
    home, lost = treasure(lair, s.bag), treasure(lair, s.bag - s.bag)
    if s.phase == Phase.PLAN:
        flats = KIND[s.house] >= Kind.PAWN
        first = Choice.ONE_FLAT if flats else Choice.THOROUGH
        best = 0.0
        for plan in range(first, first + (3 if flats else 2)):
            p = chance(s.house, plan)
            best = max(best, p * treasure(lair, loot(s, plan)) + (1 - p) * lost)
        return best
    if s.phase == Phase.JAM:
        p = chance(s.house, s.plan)
        return p * home + (1 - p) * lost
    if s.phase == Phase.ROLL:
        p = chance(s.house, s.plan)
        if s.best >= needed(s.house, s.plan):
            p = 1.0
        return p * treasure(lair, loot(s, s.plan)) + (1 - p) * lost
    return home


def worth(s: State, seat: int) -> float:
    """Own treasure, the night's prospects in it, against the best of the others'.

    On a last turn that has been played only the places count.
    """
    mine, rival = 0.0, 0.0
    for who in range(s.players):
        value = treasure(s.lair[who], s.lair[who] - s.lair[who])
        if who == s.turn and s.phase != Phase.OVER:
            value = prospects(s)
        if who == seat:
            mine = value
        else:
            rival = max(rival, value)
    return mine - 0.3 * rival
