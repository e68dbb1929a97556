"""Scoring of Magnate: ranks in each district, districts won, and what breaks a tie."""

from yegg.parts.decktet import KIND, N_CARDS, N_SUITS, RANK, SUITS, Kind, has_suit

from .duchy import developed
from .state import COURT, IGNORED, N_DISTRICTS, ONE, State

ALLOCATES_NOTHING = True  # see Compiler.lean


def count(s: State, seat: int, card: int, district: int) -> int:
    """MG-60: what a developed property counts in its district."""
    if KIND[card] == Kind.COURT:
        return COURT
    if KIND[card] != Kind.ACE:
        return int(RANK[card])
    same = 0
    for other in range(N_CARDS):
        if has_suit(other, SUITS[card, 0]) and developed(s, seat, other, district):
            same += 1
    return same


def total(s: State, seat: int, district: int) -> int:
    """MG-60: the sum of a seat's developed properties in a district."""
    points = 0
    for card in range(N_CARDS):
        if developed(s, seat, card, district):
            points += count(s, seat, card, district)
    return points


def poorest(s: State) -> int:
    """The smallest sum of both players' totals in any district."""
    least = total(s, 0, 0) + total(s, 1, 0)
    for district in range(1, N_DISTRICTS[s.districts]):
        least = min(least, total(s, 0, district) + total(s, 1, district))
    return least


def score(s: State, seat: int) -> int:
    """MG-61: the districts that a seat wins."""
    ignored = poorest(s) if s.poorest == IGNORED else -1
    won = 0
    for district in range(N_DISTRICTS[s.districts]):
        mine, theirs = total(s, seat, district), total(s, 1 - seat, district)
        if mine > theirs and mine + theirs != ignored:
            won += 1
    return won


def grand_total(s: State, seat: int) -> int:
    """MG-62: the first tie-break, the sum of the totals of all districts."""
    points = 0
    for district in range(N_DISTRICTS[s.districts]):
        points += total(s, seat, district)
        if s.ace_total == ONE:
            for card in range(N_CARDS):
                if KIND[card] == Kind.ACE and developed(s, seat, card, district):
                    points += 1 - count(s, seat, card, district)
    return points


def tokens_left(s: State, seat: int) -> int:
    """MG-62: the second tie-break; MG-52: tokens on deeds are gone."""
    left = 0
    for suit in range(N_SUITS):
        left += s.tokens[seat, suit]
    return left


def standing(s: State, seat: int) -> int:
    """MG-61, MG-62: districts, then the sum of totals, then tokens, as digits of one number."""
    return (score(s, seat) * 1000 + grand_total(s, seat)) * 10000 + tokens_left(s, seat)
