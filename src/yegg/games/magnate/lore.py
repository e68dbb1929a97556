"""Heuristic evaluation of Magnate: races for districts, income, the tax, the end of the deck.

Everything is counted in points of rank in a district that is still open; a token is worth about
one as long as there are turns left to spend it in.
"""

import math

import numpy as np
from numpy.typing import NDArray

from yegg.engine import Ints
from yegg.parts.decktet import KIND, N_CARDS, N_SUITS, RANK, SUIT_COUNT, SUITS, Kind

from .duchy import developed, fits, on_deed
from .pile import in_hand
from .scoring import count, grand_total, score, standing
from .state import COST, COURT, DISTRICTS, N_DISTRICTS, ONE_DIE, SEATS, Phase, Place, State
from .tokens import affords, affords_deed

STAKE = 11.0  # points that a district won for certain is worth, against one that is level
TOKEN = 0.75  # points that a token is worth while it can still be spent well
TAX = 0.19 / 6  # how often the dice tax a certain suit (MG-11)
OFTEN = 3.0  # rolls that a token waits before it is spent
KEPT = 0.8  # the share of the income that the tax leaves
SELLS = 0.5  # the share of the cards drawn that is sold, and comes again


def cards_to_come(s: State) -> float:
    """Cards still to be drawn, as far as one can tell: the discards come again (MG-50)."""
    left = float(s.pile)
    if not s.shuffled:
        for card in range(N_CARDS):
            left += s.where[card] == Place.DISCARD
        left += SELLS * s.pile
    return left


def properties(s: State, seat: int, leads: NDArray[np.float64], sign: float) -> float:
    """Add what a seat's properties count to the leads; return what they pay at a roll (MG-12)."""
    income = 0.0
    for card in range(N_CARDS):
        spot = s.where[card] - Place.ROW - DISTRICTS * seat
        if 0 <= spot < DISTRICTS:
            whole = developed(s, seat, card, spot)
            income += (SUIT_COUNT[card] if whole else 1) * pays_often(s, card)
            if whole:
                leads[spot] += sign * count(s, seat, card, spot)
    return income


def pays_often(s: State, card: int) -> float:
    """How often a roll pays a property (MG-12 … MG-15)."""
    if KIND[card] == Kind.COURT:
        return 0.0
    return 0.1 if s.income == ONE_DIE else (2 * RANK[card] - 1) / 100


def turns_left(s: State) -> float:
    """Turns still to be begun, both players' together, as far as one can tell."""
    if s.final_turns > 0:
        return float(s.final_turns - (s.phase != Phase.ROLL))
    return cards_to_come(s) + s.players - (s.phase != Phase.ROLL)


def token_value(turns: float) -> float:
    """What a token is worth to a seat with so many turns left to spend it."""
    return 0.02 + TOKEN * turns / (turns + 1.5)


def lead(diff: float, turns: float) -> float:
    """What it is worth to be ahead in a district by so many points."""
    return STAKE * math.tanh(diff / (1.2 + 0.9 * math.sqrt(turns)))


def tokens_worth(s: State, seat: int, wanted: Ints, value: float) -> float:
    """What tokens are worth: more in useful suits, less in a hoard, which is taxed (MG-11)."""
    total = 0.0
    for suit in range(N_SUITS):
        n = s.tokens[seat, suit]
        use = 1.0 if wanted[suit] > 0 else 0.6
        total += value * use * (n - 0.03 * n * n) - value * OFTEN * TAX * max(n - 1, 0)
    return total


def wants(s: State, seat: int) -> Ints:
    """How many of a seat's deeds, and of its cards that are known, need each suit."""
    wanted = np.zeros(N_SUITS, np.int32)
    seen = False
    for card in range(N_CARDS):
        if in_hand(s, seat, card):
            seen = True
            for i in range(SUIT_COUNT[card]):
                wanted[SUITS[card, i]] += 1
    for district in range(N_DISTRICTS[s.districts]):
        if s.deed[seat, district]:
            card = s.last[seat, district]
            for i in range(SUIT_COUNT[card]):
                wanted[SUITS[card, i]] += 1
    if not seen:
        wanted[:] = 1
    return wanted


def completion(s: State, seat: int, district: int, turns: float) -> float:
    """How likely the deed at a district is completed in time."""
    card = s.last[seat, district]
    need = COST[card] - on_deed(s, seat, district)
    there = 0.0
    for i in range(SUIT_COUNT[card]):
        there += s.tokens[seat, SUITS[card, i]]
    if s.turn != seat or s.phase == Phase.ROLL:
        there *= 0.9
    coming = there + 1.2 * max(turns, 0.0)
    return min(1.0, coming / (need + 1.0)) if coming < need else 0.97


def play_gain(s: State, seat: int, diffs: np.ndarray, turns: float, value: float) -> float:
    """MG-10: what the best card of the hand still brings this turn."""
    best = 0.0
    rolls = turns * SEATS
    for card in range(N_CARDS):
        if not in_hand(s, seat, card):
            continue
        suits = SUIT_COUNT[card]
        best = max(best, 0.8 * value * max(suits, 2))
        if not affords_deed(s, card):
            continue
        full = affords(s, card)
        rank = COURT if KIND[card] == Kind.COURT else RANK[card]
        income = KEPT * pays_often(s, card) * rolls * value
        for district in range(N_DISTRICTS[s.districts]):
            if fits(s, seat, card, district):
                more = lead(diffs[district] + rank, turns) - lead(diffs[district], turns)
                if full:
                    best = max(best, more + suits * income - COST[card] * value)
    return best


def evaluate(s: State, seat: int) -> float:
    """Districts, income to come and tokens, mine less theirs; at the end who has won."""
    if s.phase == Phase.OVER:
        mine, theirs = standing(s, seat), standing(s, 1 - seat)
        return 1000.0 * (mine > theirs) - 1000.0 * (mine < theirs)
    both = turns_left(s)
    turns = both / s.players
    value = token_value(turns)
    diffs = np.zeros(DISTRICTS)
    result = 0.0
    for who in range(SEATS):
        sign = 1.0 if who == seat else -1.0
        income = properties(s, who, diffs, sign)
        if who < s.players:  # the automa collects nothing
            result += sign * KEPT * income * both * value
            result += sign * tokens_worth(s, who, wants(s, who), value)
    for district in range(N_DISTRICTS[s.districts]):
        diff = diffs[district]
        result += 0.05 * diff
        for who in range(SEATS):
            if s.deed[who, district]:
                sign = 1 if who == seat else -1
                card = s.last[who, district]
                rank = COURT if KIND[card] == Kind.COURT else RANK[card]
                likely = completion(s, who, district, turns)
                need = COST[card] - on_deed(s, who, district)
                result -= sign * likely * need * value
                diff += sign * likely * rank
        result += lead(diff, turns)
    if s.phase == Phase.CARD and s.turn == seat:
        result += play_gain(s, seat, diffs, turns, value)
    if both < 2:
        result += 2.0 * (score(s, seat) - score(s, 1 - seat))
        result += 0.05 * (grand_total(s, seat) - grand_total(s, 1 - seat))
    return result


def value_scale(s: State) -> float:
    """A seat that is better by this much wins e times as often; fitted to greedy merchants."""
    return 26.0
