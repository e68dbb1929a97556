"""What a player would speak of in a position of Magnate, as numbers; words: ``reasons.toml``."""

import numpy as np
from numpy.typing import NDArray

from yegg.engine.scratch import ints
from yegg.parts.decktet import N_CARDS, N_SUITS, RANK, SUIT_COUNT

from .duchy import developed, fits, on_deed
from .lore import pays_often, rolls_left
from .pile import in_hand
from .scoring import count
from .state import COST, DISTRICTS, N_DISTRICTS, Phase, Place, State
from .tokens import affords_deed

Numbers = NDArray[np.float64]
LONG = 40.0  # turns of both players
HIGH = 7  # a rank that pays often
SAFE = 5  # points of lead that are not soon made up


def reckon(s: State, seat: int, x: Numbers) -> None:
    """The numbers in the order of ``reasons.toml``; of each more is better for the seat."""
    mine, theirs = ints(DISTRICTS), ints(DISTRICTS)
    pays = estate(s, seat, mine)
    paid = estate(s, 1 - seat, theirs)
    for district in range(N_DISTRICTS[s.districts]):
        ahead = mine[district] - theirs[district]
        x[0] += ahead > 0
        x[1] -= ahead < 0
        x[2] += ahead >= SAFE
        x[2] -= ahead <= -SAFE
        x[3] += ahead
    if s.phase == Phase.OVER:  # nothing else counts any longer
        return
    x[-1] = min(1.0, rolls_left(s) / LONG)
    for suit in range(N_SUITS):
        tokens = s.tokens[seat, suit]
        x[4] += tokens
        x[5] -= max(0, tokens - 1)
        x[6] -= s.tokens[1 - seat, suit]
    x[7], x[8] = pays, -paid
    for district in range(N_DISTRICTS[s.districts]):
        if s.deed[seat, district]:
            x[9] -= COST[s.last[seat, district]] - on_deed(s, seat, district)
    for card in range(N_CARDS):
        if in_hand(s, seat, card):
            x[10] += affords_deed(s, card) and fits_anywhere(s, seat, card)
            x[11] += RANK[card] >= HIGH


def estate(s: State, seat: int, totals: NDArray[np.int32]) -> float:
    """Fill in what a seat's districts count; return what its cards pay at a roll (MG-12)."""
    pays = 0.0
    for card in range(N_CARDS):
        spot = s.where[card] - Place.ROW - DISTRICTS * seat
        if 0 <= spot < DISTRICTS:
            whole = developed(s, seat, card, spot)
            pays += (SUIT_COUNT[card] if whole else 1) * pays_often(s, card)
            if whole:
                totals[spot] += count(s, seat, card, spot)
    return pays if seat < s.players else 0.0


def fits_anywhere(s: State, seat: int, card: int) -> bool:
    """Whether a card can be built in some district of a seat."""
    for district in range(N_DISTRICTS[s.districts]):
        if fits(s, seat, card, district):
            return True
    return False
