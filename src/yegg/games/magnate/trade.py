"""Tokens of Magnate: what one can afford, paying suit by suit, selling, trading."""

from yegg.parts.decktet import KIND, N_SUITS, SUIT_COUNT, SUITS, Kind

from .automa import sell_to_automa
from .state import COST, Phase, Place, State


def affords_deed(s: State, card: int) -> bool:
    """MG-21: a token of each suit of the card."""
    for i in range(SUIT_COUNT[card]):
        if s.tokens[s.turn, SUITS[card, i]] == 0:
            return False
    return True


def affords(s: State, card: int) -> bool:
    """MG-20, MG-90: tokens equal to the cost in the card's suits, one of each at least."""
    there = 0
    for i in range(SUIT_COUNT[card]):
        there += s.tokens[s.turn, SUITS[card, i]]
    return bool(there >= COST[card] and affords_deed(s, card))


def payable(s: State) -> tuple[int, int]:
    """MG-20: the fewest and the most tokens of the next suit that leave the rest payable."""
    others, later = 0, SUIT_COUNT[s.card] - s.suit - 1
    for i in range(s.suit + 1, SUIT_COUNT[s.card]):
        others += s.tokens[s.turn, SUITS[s.card, i]]
    there = s.tokens[s.turn, SUITS[s.card, s.suit]]
    return max(1, s.due - others), min(there, s.due - later)


def pay_suit(s: State, n: int) -> None:
    """MG-20: tokens of the next suit go to the bank."""
    s.tokens[s.turn, SUITS[s.card, s.suit]] -= n
    s.due -= n
    s.suit += 1


def ask_payment(s: State) -> None:
    """Pay suit after suit while there is no choice."""
    while s.due > 0:
        least, most = payable(s)
        if least < most:
            s.phase = Phase.PAY
            return
        pay_suit(s, least)
    s.card = 0
    s.suit = 0
    s.phase = Phase.REST


def pay(s: State, n: int) -> None:
    """MG-20: the payer chooses the mix."""
    pay_suit(s, n)
    ask_payment(s)


def trade(s: State, suits: int) -> None:
    """MG-42: three tokens of one suit go to the bank for one of another."""
    s.tokens[s.turn, suits // N_SUITS] -= 3
    s.tokens[s.turn, suits % N_SUITS] += 1


def sell(s: State, card: int) -> None:
    """MG-22, MG-90: a token of each suit, two for an Ace; the card is discarded."""
    s.where[card] = Place.DISCARD
    for i in range(SUIT_COUNT[card]):
        s.tokens[s.turn, SUITS[card, i]] += 2 if KIND[card] == Kind.ACE else 1
    if s.automa:
        sell_to_automa(s, card)
