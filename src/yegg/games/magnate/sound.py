"""What cannot be in a position of Magnate, however it was come by."""

from collections.abc import Iterator

import numpy as np

from yegg.parts.decktet import KIND, N_CARDS, RANK, SUIT_COUNT, SUITS, Kind, has_suit

from .duchy import on_deed
from .state import (
    COST,
    CROWNS_PAY,
    DISTRICT,
    DISTRICTS,
    HAND,
    N_DISTRICTS,
    SEATS,
    Phase,
    Place,
    State,
)
from .tokens import asked_card, chooser, payable


def faults(s: State) -> Iterator[str]:
    """Sentences about what cannot be, the first at once; the fields are within their bounds."""
    if s.turn >= s.players or s.final_turns > s.players:
        yield "a seat is named that nobody has"
    if np.any(s.tokens[s.players :]):
        yield "the automa has no tokens (MG-100)"
    if s.final_turns and (s.pile or not s.shuffled):
        yield "the final turns come when the pile has run out for good (MG-51)"
    yield from of_cards(s)
    for seat in range(SEATS):
        for district in range(DISTRICTS):
            yield from of_row(s, seat, district)
    yield from of_phase(s)


def of_cards(s: State) -> Iterator[str]:
    """MG-1 … MG-3, MG-50: every card lies where its kind may lie; the pile and the hands."""
    dealing = s.phase == Phase.CROWN
    held = [0 if dealing else s.owed[seat] for seat in range(SEATS)]
    for card in range(N_CARDS):
        place = s.where[card]
        if not may_lie(s, card, place):
            yield "a card lies where it cannot lie (MG-1)"
        if Place.HAND <= place < Place.ROW:
            held[(place - Place.HAND) % SEATS] += 1
        if bool(s.nth[card]) != (place >= Place.ROW):
            yield "a card is counted in a row where it does not lie"
    crowns = sum(KIND[card] == Kind.CROWN and s.where[card] == Place.BOX for card in range(N_CARDS))
    held[s.turn] += s.phase in (Phase.PAY, Phase.PLACE, Phase.REST)  # a card is out of the hand
    if max(held) > HAND or (dealing and s.owed.sum() != crowns):
        yield f"a hand has at most {HAND} cards (MG-3)"
    if s.pile + (SEATS * HAND if dealing else s.owed.sum()) != np.count_nonzero(
        s.where == Place.PILE
    ):
        yield "the cards do not add up to the pile (MG-50)"


def may_lie(s: State, card: int, place: int) -> bool:
    """Whether a card may be at a place."""
    kind, n = KIND[card], N_DISTRICTS[s.districts]
    if card in DISTRICT[s.districts, :n]:
        return bool(place == Place.DISTRICT)
    if kind == Kind.CROWN:
        dealt = place in (Place.CROWN, Place.CROWN + 1)
        return bool(dealt or (place == Place.BOX and s.phase == Phase.CROWN))
    if kind in (Kind.ACE, Kind.NUMBER) or (kind == Kind.COURT and s.courts):
        held = Place.HAND <= place < Place.ROW
        in_row = place >= Place.ROW and (place - Place.ROW) % DISTRICTS < n
        return bool(place in (Place.PILE, Place.DISCARD) or held or in_row)
    return bool(place == Place.BOX)


def of_row(s: State, seat: int, district: int) -> Iterator[str]:
    """MG-30: cards in a row come one after the other, and only the last may be a deed."""
    row = [c for c in range(N_CARDS) if s.where[c] == Place.ROW + DISTRICTS * seat + district]
    row.sort(key=lambda card: int(s.nth[card]))
    there = district < N_DISTRICTS[s.districts]
    first = int(DISTRICT[s.districts, district]) if there else 0
    last = row[-1] if row else first
    if s.last[seat, district] != last or [s.nth[c] for c in row] != list(range(1, len(row) + 1)):
        yield "a row of properties is not in order (MG-30)"
    paid, deed = s.paid[seat, district], s.deed[seat, district]
    if deed and (not row or on_deed(s, seat, district) >= COST[last]):
        yield "a deed is complete, or lies on no property (MG-40)"
    for suit in np.flatnonzero(paid).tolist():
        if not deed or not has_suit(last, suit):
            yield "tokens lie on no deed of their suit (MG-40)"


def of_phase(s: State) -> Iterator[str]:
    """What each phase needs: dice, a deed that is asked, a card that is paid."""
    dealing = s.phase in (Phase.CROWN, Phase.DEAL)
    if dealing and not s.owed.any():
        yield "nobody is owed a card, but cards are dealt"
    if s.low != (s.phase == Phase.TAX) or (s.high and s.phase not in ROLLED):
        yield "the dice are not as they were rolled (MG-11)"
    if s.phase == Phase.TAX and not s.high:
        yield "the dice are not as they were rolled (MG-11)"
    if s.asked and s.phase != Phase.COLLECT:
        yield "a deed is asked for a token that gives none"
    if s.phase == Phase.COLLECT:
        card = asked_card(s)
        deed = s.deed[chooser(s), s.asked % DISTRICTS]
        if not deed or SUIT_COUNT[card] < 2 or RANK[card] != s.high or s.high == CROWNS_PAY:
            yield "the deed that is asked has no token to give (MG-14)"
    if s.phase != Phase.PAY and (s.due or s.suit):
        yield "something is paid that nobody has bought"
    if s.card and s.phase not in (Phase.PAY, Phase.PLACE):
        yield "a card is named that is neither paid nor placed"
    if s.phase == Phase.PLACE and not (s.automa and s.where[s.card] == Place.DISCARD):
        yield "the automa is given no card that was sold (MG-101)"
    if s.phase == Phase.PAY:
        yield from of_payment(s)


def of_payment(s: State) -> Iterator[str]:
    """MG-20: the card is in a row of the payer's, and can be paid in full."""
    left = [int(SUITS[s.card, i]) for i in range(s.suit, SUIT_COUNT[s.card])]
    spot = s.where[s.card] - Place.ROW - DISTRICTS * s.turn
    least, most = payable(s) if left else (1, 0)
    if not 0 <= spot < DISTRICTS or not least <= most or s.due > COST[s.card]:
        yield "what is paid for is no property of the payer's (MG-20)"
    elif not len(left) <= s.due <= sum(s.tokens[s.turn, suit] for suit in left):
        yield "the tokens do not pay for the card (MG-20)"
    elif not all(s.tokens[s.turn, suit] for suit in left):
        yield "the tokens do not pay for the card (MG-20)"


ROLLED = (Phase.ROLL, Phase.TAX, Phase.COLLECT)
