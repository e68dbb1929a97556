"""Tokens of Magnate: what the dice bring, the tax, paying suit by suit, selling, trading."""

from yegg.parts.decktet import KIND, N_SUITS, OF_RANK, RANK, SUIT_COUNT, SUITS, Kind, has_suit

from .duchy import sell_to_automa
from .state import COST, CROWNS_PAY, DISTRICTS, FALLBACK, ONE_DIE, SEATS, Phase, Place, State

ALLOCATES_NOTHING = True  # see Compiler.lean
INLINE = ("affords", "affords_deed", "earns")  # see Compiler.compiled


def roll(s: State, face: int) -> None:
    """MG-11: two dice, the first waits for the second; ``income=one-die``: it is both."""
    if s.income == ONE_DIE:
        s.high = face
    elif s.high == 0:
        s.high = face
        return
    s.low = min(s.high, face)
    s.high = max(s.high, face)
    if s.low == 1:
        s.phase = Phase.TAX
    else:
        collect(s)


def tax(s: State, suit: int) -> None:
    """MG-11: who has more than one token of the suit keeps one."""
    for seat in range(SEATS):
        s.tokens[seat, suit] = min(s.tokens[seat, suit], 1)
    collect(s)


def collect(s: State) -> None:
    """MG-12 … MG-16: the higher die pays; what needs no choice first."""
    if s.income == FALLBACK and not pays(s, s.high):
        s.high = s.low
    s.low = 0
    for card in range(OF_RANK[s.high, 0], OF_RANK[s.high, 1]):
        if s.high == CROWNS_PAY:
            seat = s.where[card] - Place.CROWN
            if 0 <= seat < s.players:  # MG-100: the automa collects nothing
                s.tokens[seat, SUITS[card, 0]] += 1  # MG-13
        elif earns(s, card, s.high):
            collect_for(s, card)
    s.asked = 0
    ask(s)


def earns(s: State, card: int, number: int) -> bool:
    """MG-14, MG-15: whether a card lies in the row of somebody who collects, and has the rank."""
    if KIND[card] > Kind.NUMBER or RANK[card] != number:
        return False
    return bool(Place.ROW <= s.where[card] < Place.ROW + DISTRICTS * s.players)


def pays(s: State, number: int) -> bool:
    """Whether a die gives anybody anything."""
    for card in range(OF_RANK[number, 0], OF_RANK[number, 1]):
        if earns(s, card, number):
            return True
    return bool(number == CROWNS_PAY)


def collect_for(s: State, card: int) -> None:
    """MG-14, MG-15: a token of each suit, unless a deed's owner has to choose."""
    spot = s.where[card] - Place.ROW
    seat, district = spot // DISTRICTS, spot % DISTRICTS
    if SUIT_COUNT[card] > 1 and s.deed[seat, district] and s.last[seat, district] == card:
        return
    for i in range(SUIT_COUNT[card]):
        s.tokens[seat, SUITS[card, i]] += 1


def chooser(s: State) -> int:
    """MG-16: the seat that chooses a token for its deed."""
    return s.turn if s.asked < DISTRICTS else 1 - s.turn


def asked_card(s: State) -> int:
    """MG-16: the deed that is to give its owner a token."""
    return s.last[chooser(s), s.asked % DISTRICTS]


def ask(s: State) -> None:
    """MG-16: on to the next deed whose owner has a choice, or else to the turn's card."""
    for asked in range(s.asked, DISTRICTS * SEATS):
        s.asked = asked
        seat, district = chooser(s), asked % DISTRICTS
        card = s.last[seat, district]
        if s.deed[seat, district] and SUIT_COUNT[card] > 1 and RANK[card] == s.high:
            s.phase = Phase.COLLECT
            return
    s.asked = 0
    s.high = 0
    s.phase = Phase.CARD


def choose_token(s: State, suit: int) -> None:
    """MG-14: an undeveloped deed gives one token, of its owner's choice."""
    s.tokens[chooser(s), suit] += 1
    s.asked += 1
    ask(s)


def affords_deed(s: State, card: int) -> bool:
    """MG-21: a token of each suit of the card."""
    lacking = 0
    for suit in range(N_SUITS):
        lacking += has_suit(card, suit) & (s.tokens[s.turn, suit] == 0)
    return lacking == 0


def affords(s: State, card: int) -> bool:
    """MG-20, MG-90: tokens equal to the cost in the card's suits, one of each at least."""
    there = 0
    for suit in range(N_SUITS):
        there += has_suit(card, suit) * s.tokens[s.turn, suit]
    return bool((there >= COST[card]) & affords_deed(s, card))


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


def trade(s: State, give: int, get: int) -> None:
    """MG-42: three tokens of one suit go to the bank for one of another."""
    s.tokens[s.turn, give] -= 3
    s.tokens[s.turn, get] += 1


def sell(s: State, card: int) -> None:
    """MG-22, MG-90: a token of each suit, two for an Ace; the card is discarded."""
    s.phase = Phase.REST
    s.where[card] = Place.DISCARD
    for i in range(SUIT_COUNT[card]):
        s.tokens[s.turn, SUITS[card, i]] += 2 if KIND[card] == Kind.ACE else 1
    if s.automa:
        sell_to_automa(s, card)
