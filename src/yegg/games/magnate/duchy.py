"""The duchy: who may build what where, deeds and their tokens, and what it all counts."""

from yegg.parts.decktet import (
    EXCUSE,
    KIND,
    N_CARDS,
    N_SUITS,
    RANK,
    SUIT_COUNT,
    SUITS,
    Kind,
    has_suit,
    share_suit,
)

from .state import (
    COST,
    COURT,
    DISTRICTS,
    EACH,
    IGNORED,
    N_DISTRICTS,
    ONE,
    ONLY_ACES,
    Place,
    State,
)


def fits(s: State, seat: int, card: int, district: int) -> bool:
    """MG-30, MG-31: a suit in common with the card before, and no deed in the way."""
    if s.deed[seat, district]:
        return False
    last = s.last[seat, district]
    if last == EXCUSE:
        return bool(s.excuse_start != ONLY_ACES or KIND[card] == Kind.ACE)
    return share_suit(card, last)


def build(s: State, seat: int, card: int, district: int) -> None:
    """A card becomes the last one of a row."""
    s.where[card] = Place.ROW + DISTRICTS * seat + district
    s.nth[card] = s.nth[s.last[seat, district]] + 1
    s.last[seat, district] = card


def on_deed(s: State, seat: int, district: int) -> int:
    """How many tokens lie on the deed at a district."""
    total = 0
    for suit in range(N_SUITS):
        total += s.paid[seat, district, suit]
    return total


def can_add(s: State, seat: int, district: int, suit: int) -> bool:
    """MG-40: a token of the deed's suits; ``deed-suits=each``: with room for those missing."""
    card = s.last[seat, district]
    if not s.deed[seat, district] or s.tokens[seat, suit] == 0 or not has_suit(card, suit):
        return False
    if s.deed_suits != EACH:
        return True
    missing = 0
    for i in range(SUIT_COUNT[card]):
        if SUITS[card, i] != suit and s.paid[seat, district, SUITS[card, i]] == 0:
            missing += 1
    return bool(on_deed(s, seat, district) + 1 + missing <= COST[card])


def add(s: State, seat: int, district: int, suit: int) -> None:
    """MG-40: a token is put on a deed; the last one completes it."""
    s.tokens[seat, suit] -= 1
    s.paid[seat, district, suit] += 1
    if on_deed(s, seat, district) == COST[s.last[seat, district]]:
        s.deed[seat, district] = 0
        for each in range(N_SUITS):
            s.paid[seat, district, each] = 0


def developed(s: State, seat: int, card: int, district: int) -> bool:
    """Whether a card is a developed property of a seat there."""
    if s.where[card] != Place.ROW + DISTRICTS * seat + district:
        return False
    return not (s.deed[seat, district] and s.last[seat, district] == card)


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
