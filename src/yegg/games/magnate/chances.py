"""How likely each merchant is to win: who leads in more districts when the deck is gone.

The numbers are fitted to 62,000 positions out of games between greedy merchants.
"""

import math

import numpy as np
from numpy.typing import NDArray

from yegg.parts.decktet import KIND, N_CARDS, N_SUITS, RANK, SUIT_COUNT, Kind

from .duchy import developed, on_deed
from .scoring import count
from .state import (
    COST,
    COURT,
    DISTRICTS,
    N_DISTRICTS,
    ONE_DIE,
    SEATS,
    Phase,
    Place,
    State,
)

COMING = 0.175  # tokens that a turn brings beside the income
KEPT = 1.13  # how much expected income counts: the tax takes some, what it buys brings more
PRESSING = 1.877  # each missing token takes this off the log odds of completing a deed
POINTS = 0.728  # points of lead that a spare token is worth
TO_MOVE = 1.0  # points of lead that the next roll is worth
SELLS = 0.5  # the share of the cards drawn that is sold, and comes again
NARROW, WIDE = 1.6, 1.8  # how far a district's lead may still move: now, and with turns
TIE_NARROW, TIE_WIDE = 2.7, 3.1  # the same for the sum of all leads (MG-62)


def chances(s: State, shares: NDArray[np.float64]) -> None:
    """How likely each seat is to win, by what lies on the table."""
    both = rolls_left(s)
    turns = both / SEATS
    leads = np.zeros(DISTRICTS)
    spare = 0.0
    for seat in range(SEATS):
        sign = 1.0 if seat == 0 else -1.0
        spare += sign * side(s, seat, both, leads, sign)
    to_move = TO_MOVE if (s.turn == 0) == (s.phase < Phase.REST) else -TO_MOVE
    ahead = more_districts(s, leads, POINTS * spare + to_move, turns)
    shares[0], shares[1] = ahead, 1.0 - ahead


def rolls_left(s: State) -> float:
    """Turns in which a card is still to be played, both players' together."""
    started = 0.0 if s.phase < Phase.REST else 1.0
    if s.final_turns > 0:
        return float(s.final_turns) - started
    return cards_to_come(s) + SEATS - started


def cards_to_come(s: State) -> float:
    """Cards still to be drawn, as far as one can tell: the discards come again (MG-50)."""
    left = float(s.pile)
    if not s.shuffled:
        for card in range(N_CARDS):
            left += s.where[card] == Place.DISCARD
        left += SELLS * s.pile
    return left


def side(s: State, seat: int, both: float, leads: NDArray[np.float64], sign: float) -> float:
    """Add a seat's points to the leads; return the tokens that its deeds will leave it."""
    income = 0.0
    for card in range(N_CARDS):
        spot = s.where[card] - Place.ROW - DISTRICTS * seat
        if 0 <= spot < DISTRICTS:
            whole = developed(s, seat, card, spot)
            income += (SUIT_COUNT[card] if whole else 1) * pays_often(s, card)
            if whole:
                leads[spot] += sign * count(s, seat, card, spot)
    tokens = COMING * both / SEATS + KEPT * income * both
    if seat >= s.players:
        return 0.0
    for suit in range(N_SUITS):
        tokens += s.tokens[seat, suit]
    there = tokens
    for district in range(N_DISTRICTS[s.districts]):
        if s.deed[seat, district]:
            card = s.last[seat, district]
            need = COST[card] - on_deed(s, seat, district)
            likely = 1.0 / (1.0 + math.exp(PRESSING * need - there))
            leads[district] += sign * likely * (COURT if KIND[card] == Kind.COURT else RANK[card])
            tokens -= likely * need
    return tokens


def pays_often(s: State, card: int) -> float:
    """How often a roll pays a property (MG-12 … MG-15)."""
    if KIND[card] == Kind.COURT:
        return 0.0
    return 0.1 if s.income == ONE_DIE else (2 * RANK[card] - 1) / 100


def more_districts(s: State, leads: NDArray[np.float64], spare: float, turns: float) -> float:
    """How likely seat 0 ends ahead in more districts, or level and with more points in all."""
    n = N_DISTRICTS[s.districts]
    by = np.zeros(2 * DISTRICTS + 3)  # how likely it is that so many more are won than lost
    middle = DISTRICTS + 1
    by[middle] = 1.0
    moves, total = NARROW + WIDE * math.sqrt(turns), 0.0
    for district in range(n):
        lead = leads[district] + spare / n
        total += lead
        won, lost = normal((lead - 0.5) / moves), normal((-lead - 0.5) / moves)
        before = 0.0
        for i in range(middle - n, middle + n + 1):
            here = by[i]
            by[i] = here * (1.0 - won - lost) + before * won + by[i + 1] * lost
            before = here
    ahead = by[middle] * normal(total / (TIE_NARROW + TIE_WIDE * math.sqrt(turns)))
    for i in range(middle + 1, middle + n + 1):
        ahead += by[i]
    return ahead


def normal(x: float) -> float:
    """The share of a normal distribution below x."""
    return 0.5 + 0.5 * math.erf(x / math.sqrt(2.0))
