"""Features of a position in Magnate: the inputs of its value net.

Districts stand in the order of one's lead there, suits in the order of one's tokens, the hand's
cards by rank, so that what is the same but for names looks the same.
"""

import numpy as np
from numpy.typing import NDArray

from yegg.engine import Ints
from yegg.engine.scratch import grid, int_grid, ints
from yegg.parts.decktet import KIND, N_CARDS, N_SUITS, RANK, SUIT_COUNT, SUITS, Kind

from .duchy import developed, fits, on_deed
from .lore import cards_to_come, pays_often
from .pile import in_hand
from .scoring import count
from .state import (
    ACES,
    COST,
    COURT,
    DISTRICTS,
    EACH,
    FALLBACK,
    FOUR,
    HAND,
    HARD,
    IGNORED,
    N_DISTRICTS,
    ONE,
    ONE_DIE,
    ONLY_ACES,
    SEATS,
    Phase,
    Place,
    State,
)

PLOT = 24  # numbers of each district
SUIT = DISTRICTS * PLOT  # where the suits' numbers begin
COIN = 10  # numbers of each suit
CARD = SUIT + N_SUITS * COIN
HELD = 8  # numbers of each card of the hand
TABLE = CARD + HAND * HELD
SENSES = TABLE + 46

Senses = NDArray[np.float32]
ALLOCATES_NOTHING = True  # see Compiler.lean
Numbers = NDArray[np.float64]


def sense(s: State, seat: int, x: Senses) -> None:
    """Fill ``x`` (SENSES,), which comes as zeros."""
    totals = int_grid(SEATS, DISTRICTS)
    income = grid(SEATS, N_SUITS)
    for card in range(N_CARDS):
        spot = s.where[card] - Place.ROW
        if spot >= 0:
            survey(s, card, spot // DISTRICTS, spot % DISTRICTS, totals, income)
    wanted, ahead = ints(N_SUITS), ints(2)
    hand(s, seat, totals, wanted, x)
    suits(s, seat, income, wanted, x)
    districts(s, seat, totals, ahead, x)
    table(s, seat, ahead, income, x)


def survey(s: State, card: int, seat: int, district: int, totals: Ints, income: Numbers) -> None:
    """Add a card of somebody's row to the totals, and what it pays at each roll by suit."""
    whole = developed(s, seat, card, district)
    if whole:
        totals[seat, district] += count(s, seat, card, district)
    if seat < s.players:
        often = pays_often(s, card)
        for i in range(SUIT_COUNT[card]):
            income[seat, SUITS[card, i]] += often if whole else often / SUIT_COUNT[card]


def points(card: int) -> int:
    """About what a card counts."""
    return COURT if KIND[card] == Kind.COURT else RANK[card]


def missing(s: State, seat: int, card: int) -> int:
    """Tokens that a seat lacks to develop a card; at least one for each suit that it has not."""
    there, none = 0, 0
    for i in range(SUIT_COUNT[card]):
        n = s.tokens[seat, SUITS[card, i]]
        there += n
        none += n == 0
    return max(COST[card] - there, none)


def hand(s: State, seat: int, totals: Ints, wanted: Ints, x: Senses) -> None:
    """One's cards, the highest first, and the suits that they want."""
    if seat >= s.players:
        return
    nth = 0
    for step in range(N_CARDS):
        card = N_CARDS - 1 - step
        if not in_hand(s, seat, card):
            continue
        place = 0
        for other in range(N_CARDS):
            if in_hand(s, seat, other):
                place += points(other) * 64 + other > points(card) * 64 + card
        at = CARD + HELD * place
        lacks, none, nth = missing(s, seat, card), 0, nth + 1
        for i in range(SUIT_COUNT[card]):
            wanted[SUITS[card, i]] += 1
            none += s.tokens[seat, SUITS[card, i]] == 0
        x[at] = 1
        x[at + 1] = points(card) / 9
        x[at + 2] = KIND[card] == Kind.ACE
        x[at + 3] = lacks == 0
        x[at + 4] = none == 0
        x[at + 5] = lacks / 5
        for district in range(N_DISTRICTS[s.districts]):
            if fits(s, seat, card, district):
                lead = totals[seat, district] - totals[1 - seat, district]
                x[at + 6] += 1 / 3
                x[at + 7] = max(x[at + 7], 1.0 if lead <= 0 and lead + points(card) > 0 else 0.3)


def suits(s: State, seat: int, income: Numbers, wanted: Ints, x: Senses) -> None:
    """Tokens, income and wants by suit, one's most numerous first."""
    for district in range(N_DISTRICTS[s.districts]):
        if s.deed[seat, district]:
            card = s.last[seat, district]
            for i in range(SUIT_COUNT[card]):
                wanted[SUITS[card, i]] += 1
    for suit in range(N_SUITS):
        mine, place = s.tokens[seat, suit] * 16 + wanted[suit], 0
        for other in range(N_SUITS):
            theirs = s.tokens[seat, other] * 16 + wanted[other]
            place += theirs > mine or (theirs == mine and other < suit)
        at = SUIT + COIN * place
        x[at] = s.tokens[seat, suit] / 4
        x[at + 1] = s.tokens[seat, suit] > 0
        x[at + 2] = s.tokens[seat, suit] > 2
        x[at + 3] = s.tokens[1 - seat, suit] / 4
        x[at + 4] = s.tokens[1 - seat, suit] > 0
        x[at + 5] = wanted[suit] / 2
        x[at + 6] = wanted[suit] > 0 and s.tokens[seat, suit] == 0
        x[at + 7] = income[seat, suit] * 3
        x[at + 8] = income[1 - seat, suit] * 3
        x[at + 9] = wanted[suit] > 0 and s.tokens[seat, suit] > 1


def districts(s: State, seat: int, totals: Ints, ahead: Ints, x: Senses) -> None:
    """The race in each district, one's best first; districts won by, and points in all."""
    n = N_DISTRICTS[s.districts]
    lead, deeds = ints(DISTRICTS), ints(DISTRICTS)
    for d in range(n):
        lead[d] = totals[seat, d] - totals[1 - seat, d]
        ahead[0] += (lead[d] > 0) - np.int32(lead[d] < 0)
        ahead[1] += lead[d]
        for side in range(SEATS):
            if s.deed[side, d]:
                deeds[d] += points(s.last[side, d]) * (1 if side == seat else -1)
    for d in range(n):
        mine, place = 2 * lead[d] + deeds[d], 0
        for other in range(n):
            theirs = 2 * lead[other] + deeds[other]
            place += theirs > mine or (theirs == mine and other < d)
        at = PLOT * place
        x[at] = 1
        x[at + 1] = lead[d] / 8
        x[at + 2] = totals[seat, d] / 12
        x[at + 3] = totals[1 - seat, d] / 12
        for i in range(3):
            x[at + 4 + i] = lead[d] > 4 * i
            x[at + 7 + i] = lead[d] < -4 * i
        for i in range(SEATS):
            side = seat if i == 0 else 1 - seat
            if s.deed[side, d]:
                deed(s, side, d, lead[d] if i == 0 else -lead[d], at + 10 + 6 * i, x)
        x[at + 22] = (lead[d] + deeds[d]) / 8
        x[at + 23] = lead[d] + deeds[d] > 0


def deed(s: State, seat: int, district: int, lead: int, at: int, x: Senses) -> None:
    """A deed: its points, what it still needs and can have, and whether it would turn the race."""
    card = s.last[seat, district]
    need, there = COST[card] - on_deed(s, seat, district), 0
    for i in range(SUIT_COUNT[card]):
        there += s.tokens[seat, SUITS[card, i]]
    x[at] = 1
    x[at + 1] = points(card) / 9
    x[at + 2] = need / 5
    x[at + 3] = there / 5
    x[at + 4] = there >= need
    x[at + 5] = lead <= 0 and lead + points(card) > 0


def table(s: State, seat: int, ahead: Ints, income: Numbers, x: Senses) -> None:
    """How far the game is, who is to act, who leads; and by which rules it goes."""
    left = cards_to_come(s) if s.final_turns == 0 else float(s.final_turns)
    mine, at = s.turn == seat, TABLE
    x[at + s.phase] = 1 if mine else 0.5  # ten phases
    at += 10
    x[at] = mine
    x[at + 1] = left / 30
    x[at + 2] = left < 3
    x[at + 3] = left < 6
    x[at + 4] = left < 12
    x[at + 5] = s.final_turns > 0
    x[at + 6] = s.final_turns == 1 and mine
    x[at + 7] = s.final_turns == 1 and not mine
    x[at + 8] = s.shuffled
    x[at + 9] = ahead[0] / 3
    x[at + 10] = ahead[0] > 0
    x[at + 11] = ahead[0] < 0
    x[at + 12] = ahead[1] / 20
    x[at + 13] = ahead[0] == 0 and ahead[1] > 0
    x[at + 14] = ahead[0] == 0 and ahead[1] < 0
    for suit in range(N_SUITS):
        x[at + 15] += income[seat, suit]
        x[at + 16] += income[1 - seat, suit]
        x[at + 17] += s.tokens[seat, suit] / 10
        x[at + 18] += s.tokens[1 - seat, suit] / 10
    x[at + 19] = mine and s.phase == Phase.CARD
    x[at + 20] = not mine and s.phase == Phase.CARD
    x[at + 21] = s.due / 5 if mine else -s.due / 5
    x[at + 22] = left * x[TABLE + 25] / 10  # income to come, which is a product
    x[at + 23] = left * x[TABLE + 26] / 10
    at += 24
    x[at] = s.courts
    x[at + 1] = s.districts == FOUR
    x[at + 2] = s.districts == ACES
    x[at + 3] = s.excuse_start == ONLY_ACES
    x[at + 4] = s.poorest == IGNORED
    x[at + 5] = s.income == FALLBACK
    x[at + 6] = s.income == ONE_DIE
    x[at + 7] = s.deed_suits == EACH
    x[at + 8] = s.ace_total == ONE
    x[at + 9] = s.automa > 0 and seat < s.players
    x[at + 10] = s.automa > 0 and seat >= s.players
    x[at + 11] = s.automa == HARD
