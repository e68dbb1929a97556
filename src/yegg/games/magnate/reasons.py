"""What a player would speak of in a position of Magnate, as numbers; words: ``reasons.toml``."""

import numpy as np
from numpy.typing import NDArray

from yegg.engine.scratch import numbers
from yegg.parts.decktet import N_CARDS, N_SUITS, RANK

from .duchy import fits, on_deed
from .lore import properties, turns_left
from .pile import in_hand
from .state import COST, DISTRICTS, N_DISTRICTS, Phase, State
from .tokens import affords_deed

Numbers = NDArray[np.float64]
LONG = 40.0  # turns of both players
HIGH = 7  # a rank that pays often
SAFE = 5  # points of lead that are not soon made up


def reckon(s: State, seat: int, x: Numbers) -> None:
    """The numbers in the order of ``reasons.toml``; of each more is better for the seat."""
    lead = numbers(DISTRICTS)
    pays = properties(s, seat, lead, 1.0)
    paid = properties(s, 1 - seat, lead, -1.0)
    for district in range(N_DISTRICTS[s.districts]):
        ahead = lead[district]
        x[0] += ahead > 0
        x[1] -= ahead < 0
        x[2] += ahead >= SAFE
        x[2] -= ahead <= -SAFE
        x[3] += ahead
    if s.phase == Phase.OVER:  # nothing else counts any longer
        return
    x[-1] = min(1.0, turns_left(s) / LONG)
    for suit in range(N_SUITS):
        tokens = s.tokens[seat, suit]
        x[4] += tokens
        x[5] -= max(0, tokens - 1)
        x[6] -= s.tokens[1 - seat, suit]
    x[7] = pays if seat < s.players else 0.0
    x[8] = -paid if 1 - seat < s.players else 0.0  # the automa collects nothing
    for district in range(N_DISTRICTS[s.districts]):
        if s.deed[seat, district]:
            x[9] -= COST[s.last[seat, district]] - on_deed(s, seat, district)
    for card in range(N_CARDS):
        if in_hand(s, seat, card):
            x[10] += affords_deed(s, card) and fits_anywhere(s, seat, card)
            x[11] += RANK[card] >= HIGH


def fits_anywhere(s: State, seat: int, card: int) -> bool:
    """Whether a card can be built in some district of a seat."""
    for district in range(N_DISTRICTS[s.districts]):
        if fits(s, seat, card, district):
            return True
    return False
