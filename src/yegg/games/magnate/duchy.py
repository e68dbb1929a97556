"""The duchy: who may build what where, deeds with their tokens, and what the automa takes."""

from yegg.engine import Ints
from yegg.parts.decktet import (
    EXCUSE,
    KIND,
    N_CARDS,
    N_SUITS,
    SUIT_COUNT,
    SUITS,
    Kind,
    has_suit,
    share_suit,
)

from .state import COST, DISTRICTS, EACH, HARD, N_DISTRICTS, ONLY_ACES, Choice, Phase, Place, State

ALLOCATES_NOTHING = True  # see Compiler.lean
INLINE = ("fits", "can_add")  # see Compiler.compiled


def fits(s: State, seat: int, card: int, district: int) -> bool:
    """MG-30, MG-31: a suit in common with the card before, and no deed in the way."""
    last, free = s.last[seat, district], s.deed[seat, district] == 0
    at_excuse = (s.excuse_start != ONLY_ACES) | (KIND[card] == Kind.ACE)
    return bool(free & (share_suit(card, last) | (last == EXCUSE) & at_excuse))


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


def sell_to_automa(s: State, card: int) -> None:
    """MG-101: the sold card is the automa's, where it fits; a choice only among several places."""
    k, only = 0, 0
    for district in range(N_DISTRICTS[s.districts]):
        if automa_takes(s, card, district):
            k += 1
            only = district
    s.card = card
    if k > 1:
        s.phase = Phase.PLACE
    elif k == 1:
        give_to_automa(s, only)
    else:
        s.card = 0


def legal_places(s: State, out: Ints) -> int:
    """MG-101: the districts where the automa can have the sold card."""
    k = 0
    for district in range(N_DISTRICTS[s.districts]):
        out[k] = Choice.PLACE + district
        k += automa_takes(s, s.card, district)
    return k


def give_to_automa(s: State, district: int) -> None:
    """MG-101: a developed property of the automa's."""
    build(s, 1, s.card, district)
    s.card = 0
    s.phase = Phase.REST


def automa_takes(s: State, card: int, district: int) -> bool:
    """MG-101; MG-102: a match on a suit of its Crowns where there is one."""
    return fits(s, 1, card, district) and (by_crown(s, card, district) or not strict(s, card))


def by_crown(s: State, card: int, district: int) -> bool:
    """MG-102: whether the match is on a suit of the automa's Crowns; the Excuse matches nothing."""
    last = s.last[1, district]
    for crown in range(N_CARDS):
        suit = SUITS[crown, 0]
        if s.where[crown] == Place.CROWN + 1 and has_suit(card, suit) and has_suit(last, suit):
            return True
    return False


def strict(s: State, card: int) -> bool:
    """MG-102: hard, and a match on a suit of the automa's Crowns is possible somewhere."""
    if s.automa == HARD:
        for district in range(N_DISTRICTS[s.districts]):
            if fits(s, 1, card, district) and by_crown(s, card, district):
                return True
    return False
