"""What a sensible merchant knows: races for districts, income, the tax, the end of the deck.

Everything is counted in points of rank in a district that is still open; a token is
worth about one as long as there are turns left to spend it in.
"""

import math

import numpy as np

from yegg.engine import Ints
from yegg.parts.decktet import (
    KIND,
    N_CARDS,
    N_SUITS,
    RANK,
    SUIT_COUNT,
    SUITS,
    Kind,
)

from .chances import cards_to_come, chances, pays_often
from .duchy import developed, fits, on_deed
from .pile import in_hand
from .scoring import count, grand_total, score, standing
from .state import (
    COST,
    COURT,
    DISTRICTS,
    N_DISTRICTS,
    SEATS,
    Phase,
    Place,
    State,
)
from .trade import affords, affords_deed

__all__ = ["chances", "spread", "worth"]

FUTURES = 260
"""How many futures are played out for a decision: games are long, and `expert` has a second."""
STAKE = 11.0  # points that a district won for certain is worth, against one that is level
TOKEN = 0.75  # points that a token is worth while it can still be spent well
TAX = 0.19 / 6  # how often the dice tax a certain suit (MG-11)
OFTEN = 3.0  # rolls that a token waits before it is spent


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


def side(s: State, seat: int, totals: Ints) -> None:
    """A seat's totals of all districts (MG-60)."""
    for card in range(N_CARDS):
        spot = s.where[card] - Place.ROW - DISTRICTS * seat
        if 0 <= spot < DISTRICTS and developed(s, seat, card, spot):
            totals[spot] += count(s, seat, card, spot)


def estate(s: State, seat: int, rolls: float, value: float) -> float:
    """Income to come from a seat's properties and deeds."""
    if seat >= s.players:
        return 0.0
    total = 0.0
    for card in range(N_CARDS):
        spot = s.where[card] - Place.ROW - DISTRICTS * seat
        if 0 <= spot < DISTRICTS:
            tokens = SUIT_COUNT[card] if developed(s, seat, card, spot) else 1
            total += tokens * pays_often(s, card)
    return 0.8 * total * rolls * value


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
        income = 0.8 * pays_often(s, card) * rolls * value
        for district in range(N_DISTRICTS[s.districts]):
            if fits(s, seat, card, district):
                more = lead(diffs[district] + rank, turns) - lead(diffs[district], turns)
                if full:
                    best = max(best, more + suits * income - COST[card] * value)
    return best


def worth(s: State, seat: int) -> float:
    """Districts, income to come and tokens, mine less theirs; at the end who has won."""
    if s.phase == Phase.OVER:
        mine, theirs = standing(s, seat), standing(s, 1 - seat)
        return 1000.0 * (mine > theirs) - 1000.0 * (mine < theirs)
    both = turns_left(s)
    turns = both / s.players
    value = token_value(turns)
    totals = np.zeros((SEATS, DISTRICTS), np.int32)
    result = 0.0
    for who in range(SEATS):
        side(s, who, totals[who])
        sign = 1 if who == seat else -1
        result += sign * estate(s, who, both, value)
        if who < s.players:
            result += sign * tokens_worth(s, who, wants(s, who), value)
    diffs = np.zeros(DISTRICTS)
    for district in range(N_DISTRICTS[s.districts]):
        diff = float(totals[seat, district] - totals[1 - seat, district])
        diffs[district] = diff
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


def spread(s: State) -> float:
    """A seat that is better by this much wins e times as often; fitted to greedy merchants."""
    return 26.0
