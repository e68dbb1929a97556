"""The dice of Magnate: taxation, and what Crowns and properties bring."""

from yegg.parts.decktet import KIND, N_CARDS, RANK, SUIT_COUNT, SUITS, Kind

from .state import CROWNS_PAY, DISTRICTS, FALLBACK, ONE_DIE, SEATS, Phase, Place, State


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
    for card in range(N_CARDS):
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
    for card in range(N_CARDS):
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
