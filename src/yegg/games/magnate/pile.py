"""The deck of Magnate: dealing, drawing, the reshuffle, and hands that others do not see."""

from yegg.engine import Ints
from yegg.parts.decktet import KIND, N_CARDS, SUITS, Kind

from .state import HAND, SEATS, Phase, Place, State

ALLOCATES_NOTHING = True  # see Compiler.lean
INLINE = ("in_hand", "list_hand", "legal_cards", "hand_card")  # see Compiler.compiled


def next_owed(s: State) -> int:
    """The seat that is dealt the next card."""
    return 0 if s.owed[0] > 0 else 1


def owe_hands(s: State, phase: int) -> None:
    """MG-2, MG-3: three cards each are to be dealt."""
    s.phase = phase
    for seat in range(SEATS):
        s.owed[seat] = HAND


def legal_cards(s: State, out: Ints) -> int:
    """MG-2, MG-50: any Crown not yet dealt; then any card of the pile."""
    k = 0
    crowns = s.phase == Phase.CROWN
    for card in range(N_CARDS):
        out[k] = card
        if not crowns:
            k += s.where[card] == Place.PILE
        elif KIND[card] == Kind.CROWN:
            k += s.where[card] == Place.BOX
    return k


def receive(s: State, card: int) -> None:
    """A Crown or a card for the hand of the first seat that is owed one."""
    seat = next_owed(s)
    s.owed[seat] -= 1
    if s.phase != Phase.CROWN:
        s.where[card] = Place.HAND + seat
    else:
        s.where[card] = Place.CROWN + seat
        if seat < s.players:  # MG-100: the automa has no tokens
            s.tokens[seat, SUITS[card, 0]] += 1
    if s.owed[0] + s.owed[1] == 0:
        if s.phase == Phase.CROWN:
            owe_hands(s, Phase.DEAL)
        elif s.phase == Phase.DEAL:
            s.phase = Phase.ROLL


def draw(s: State) -> None:
    """MG-50: the active player is owed a card, if there is one; MG-51: perhaps the last."""
    if s.pile == 0:
        reshuffle(s)
    if s.pile > 0:
        s.pile -= 1
        s.owed[s.turn] += 1
    if s.pile == 0 and s.shuffled:
        s.final_turns = s.players  # MG-51, MG-103


def reshuffle(s: State) -> None:
    """MG-50: the discards are the new pile; who counts now knows the other's hand."""
    s.shuffled = 1
    for card in range(N_CARDS):
        where = s.where[card]
        if where == Place.PILE:  # in a view: all that is left is owed to a hidden hand
            seat = next_owed(s)
            s.owed[seat] -= 1
            s.where[card] = Place.OPEN + seat
        elif where == Place.DISCARD:
            s.where[card] = Place.PILE
            s.pile += 1
        elif Place.HAND <= where < Place.OPEN:
            s.where[card] = where + Place.OPEN - Place.HAND


def hide(s: State, seat: int) -> None:
    """Hands go back to the pile and chance owes them again; what counting tells stays."""
    for card in range(N_CARDS):
        other = s.where[card] - Place.HAND
        if 0 <= other < SEATS and other != seat and s.phase != Phase.OVER:
            s.where[card] = Place.PILE
            s.owed[other] += 1


def in_hand(s: State, seat: int, card: int) -> bool:
    """Whether a seat holds a card, open to the other player's counting or not."""
    where = s.where[card]
    return bool((where == Place.HAND + seat) | (where == Place.OPEN + seat))


def list_hand(s: State, seat: int, out: Ints) -> int:
    """Write a seat's cards to ``out``, in card order; return how many."""
    k = 0
    for card in range(N_CARDS):
        out[k] = card
        k += in_hand(s, seat, card)
    return k


def hand_card(s: State, nth: int) -> int:
    """A card of the active player's hand, in card order from 0."""
    for card in range(N_CARDS):
        if in_hand(s, s.turn, card):
            if nth == 0:
                return card
            nth -= 1
    return -1
