"""The automa: what is sold becomes its property (MG-100 … MG-103)."""

from yegg.engine import Ints
from yegg.parts.decktet import N_CARDS, SUITS, has_suit

from .duchy import build, fits
from .state import HARD, N_DISTRICTS, Choice, Phase, Place, State


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
