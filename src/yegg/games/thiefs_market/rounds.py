"""How a round of Thief's Market begins and ends: dice, turning in, refilling the market."""

from .cards import AMOUNT, BAG, EFFECT, LETTER, MARKER, MASK, N_CARDS, N_LETTERS, N_OBJECTS
from .deck import Effect
from .state import Phase, Place, State, holder

ROW = 5  # cards laid out from a new deck
LAST = N_LETTERS - 1


def gather(s: State) -> None:
    """TM-10, TM-30: all dice and the marker are in the centre, the dice to be rolled."""
    for kind in range(N_OBJECTS):
        s.centre[kind] = 0
        for seat in range(s.players):
            s.pile[seat, kind] = 0
    s.centre[MARKER] = 1
    s.loose = s.dice


def restock(s: State) -> None:
    """TM-31, TM-32: cards that are due come from this deck, then five from the next.

    TM-33: the game ends when C cannot give all that are due.
    """
    while s.due > 0 and s.left[s.deck] == 0 and s.deck < LAST:
        s.deck += 1
        s.due = ROW
    if s.deck == LAST and s.due > s.left[LAST]:
        s.due = 0
        s.phase = Phase.OVER
    else:
        s.phase = Phase.DEAL if s.due > 0 else Phase.ROLL


def next_deck(s: State) -> int:
    """TM-70: the deck whose top card would be dealt next: this one, or the next that has any.

    If none has, the last one.
    """
    letter = s.deck
    while s.left[letter] == 0 and letter < LAST:
        letter += 1
    return letter


def draw(s: State, card: int, place: int) -> None:
    """The top card of a deck is turned up."""
    s.where[card] = place
    s.left[LETTER[card]] -= 1


def lay_out(s: State, card: int) -> None:
    """TM-4, TM-31: a card comes to the market."""
    draw(s, card, Place.MARKET)
    s.due -= 1
    restock(s)


def close_round(s: State) -> None:
    """TM-30, then the refill; if that does not end the game, another round."""
    leader = holder(s)
    for seat in range(s.players):
        turn_in(s, seat)
    gather(s)
    s.turn = leader
    restock(s)
    if s.phase != Phase.OVER:
        s.rounds += 1


def turn_in(s: State, seat: int) -> None:
    """TM-30: a Gold for each bag, an Infamy for each mask; TM-69: and for some cards."""
    bags, masks = s.pile[seat, BAG], s.pile[seat, MASK]
    s.gold[seat] += bags
    s.infamy[seat] += masks
    for card in range(N_CARDS):
        if s.where[card] == Place.OWNED + seat:
            by = s.acts_as[card]
            if EFFECT[by] == Effect.EXTRA_GOLD and bags > 0:
                s.gold[seat] += AMOUNT[by]
            elif EFFECT[by] == Effect.EXTRA_INFAMY and masks > 0:
                s.infamy[seat] += AMOUNT[by]
