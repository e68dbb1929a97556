"""How a round of Thief's Market begins and ends: dice, turning in, refilling the market."""

from .cards import AMOUNT, BAG, EFFECT, LETTER, MARKER, MASK, N_CARDS, N_LETTERS, N_OBJECTS
from .deck import Effect
from .table import Phase, Place, State, holder

ROW = 5  # cards laid out from a new deck


def gather(s: State) -> None:
    """TM-10, TM-30: all dice and the marker are in the centre, the dice to be rolled."""
    for kind in range(N_OBJECTS):
        s.centre[kind] = 0
        for seat in range(s.players):
            s.pile[seat, kind] = 0
    s.centre[MARKER] = 1
    s.loose = s.dice


def restock(s: State) -> None:
    """TM-31, TM-32: cards that are due come from this deck, then five from the next."""
    if s.due > 0 and s.left[s.deck] == 0:
        s.deck += 1
        s.due = ROW
    s.phase = Phase.DEAL if s.due > 0 else Phase.ROLL


def draw(s: State, card: int, place: int) -> None:
    """A card of the deck being dealt from is turned up."""
    s.where[card] = place
    s.left[LETTER[card]] -= 1


def lay_out(s: State, card: int) -> None:
    """TM-4, TM-31: a card comes to the market."""
    draw(s, card, Place.MARKET)
    s.due -= 1
    restock(s)


def close_round(s: State) -> None:
    """TM-30, then TM-33: the game ends when C cannot give all the cards due."""
    leader = holder(s)
    for seat in range(s.players):
        turn_in(s, seat)
    gather(s)
    s.turn = leader
    if s.deck == N_LETTERS - 1 and s.due > s.left[s.deck]:
        s.due = 0
        s.phase = Phase.OVER
    else:
        restock(s)


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
