"""Magnate, a game of city building, by Cristyn Magnus.

Two merchants (or one, against the automa) roll for tokens, spend them on
properties in the duchy's districts, and race for most of these before the deck has
run out twice.  RULES.md has the clauses in prose.  ``s`` is always the state.
"""

from yegg.engine import CHANCE, NOBODY, Ints
from yegg.parts.decktet import KIND, N_CARDS, N_SUITS, SUIT_COUNT, SUITS, Kind

from .duchy import add, build, can_add, fits, give_to_automa, legal_places
from .pile import draw, hand_card, hide, legal_cards, list_hand, owe_hands, receive
from .scoring import score, standing
from .state import (
    ACES,
    CHOICES,
    COST,
    DIE_SIDES,
    DISTRICT,
    HAND,
    N_DISTRICTS,
    PLAYS,
    SEATS,
    Choice,
    Phase,
    Place,
    State,
    move,
)
from .tokens import (
    affords,
    affords_deed,
    ask_payment,
    asked_card,
    choose_token,
    chooser,
    pay,
    payable,
    roll,
    sell,
    tax,
    trade,
)

ALLOCATES_NOTHING = True  # see Compiler.lean

__all__ = [
    "CHOICES",
    "State",
    "actor",
    "deal",
    "hide",
    "legal",
    "play",
    "score",
    "sides",
    "standing",
]


def deal(s: State) -> None:
    """MG-1 … MG-3: districts on the table, the deck shuffled, Crowns to be dealt."""
    for card in range(N_CARDS):
        kind = KIND[card]
        ace = kind == Kind.ACE and s.districts != ACES
        if ace or kind == Kind.NUMBER or (kind == Kind.COURT and s.courts):
            s.where[card] = Place.PILE
            s.pile += 1
    s.pile -= SEATS * HAND
    for district in range(N_DISTRICTS[s.districts]):
        card = DISTRICT[s.districts, district]
        s.where[card] = Place.DISTRICT
        for seat in range(SEATS):
            s.last[seat, district] = card
    s.shuffled = 1 if s.automa else 0  # MG-103: the automa game has one run
    owe_hands(s, Phase.CROWN)


def sides(s: State) -> int:
    """Two, even where one is the automa (MG-100)."""
    return SEATS


def actor(s: State) -> int:
    """Who acts now: a seat, CHANCE, or NOBODY once the game is over."""
    if s.owed[0] + s.owed[1] > 0:
        return CHANCE
    match s.phase:
        case Phase.ROLL | Phase.TAX:
            return CHANCE
        case Phase.COLLECT:
            return chooser(s)
        case Phase.OVER:
            return NOBODY
    return s.turn


def legal(s: State, out: Ints) -> int:
    """Write the actor's choices, ascending; return how many."""
    if s.owed[0] + s.owed[1] > 0:
        return legal_cards(s, out)
    match s.phase:
        case Phase.ROLL:
            return count_up(out, Choice.ROLL, DIE_SIDES)
        case Phase.TAX:
            return count_up(out, Choice.TAX, N_SUITS)
        case Phase.COLLECT:
            return legal_tokens(s, out)
        case Phase.PAY:
            least, most = payable(s)
            return count_up(out, Choice.PAY + least - 1, most - least + 1)
        case Phase.PLACE:
            return legal_places(s, out)
        case Phase.OVER:
            return 0
    k = legal_adds(s, out, legal_trades(s, out, 0))
    if s.phase == Phase.CARD:
        return legal_plays(s, out, k)
    out[k] = Choice.END
    return k + 1


def count_up(out: Ints, first: int, k: int) -> int:
    """So many choices in a row."""
    for i in range(k):
        out[i] = first + i
    return k


def legal_tokens(s: State, out: Ints) -> int:
    """MG-14: the deed's suits."""
    card = asked_card(s)
    for i in range(SUIT_COUNT[card]):
        out[i] = Choice.COLLECT + SUITS[card, i]
    return int(SUIT_COUNT[card])


def legal_trades(s: State, out: Ints, k: int) -> int:
    """MG-42: three of one suit for one of another."""
    for give in range(N_SUITS):
        if s.tokens[s.turn, give] >= 3:
            for get in range(N_SUITS):
                out[k] = Choice.TRADE + N_SUITS * give + get
                k += give != get
    return k


def legal_adds(s: State, out: Ints, k: int) -> int:
    """MG-40: a token on any of one's own deeds."""
    for district in range(N_DISTRICTS[s.districts]):
        if s.deed[s.turn, district]:
            card = s.last[s.turn, district]
            for i in range(SUIT_COUNT[card]):
                suit = SUITS[card, i]
                out[k] = Choice.ADD + N_SUITS * district + suit
                k += can_add(s, s.turn, district, suit)
    return k


def legal_plays(s: State, out: Ints, k: int) -> int:
    """MG-20 … MG-23: sell, develop or deed any card of the hand."""
    cards = out[-HAND - 1 :]  # room: so many choices there never are
    for nth in range(list_hand(s, s.turn, cards)):
        card, at = cards[nth], PLAYS * nth
        out[k] = Choice.SELL + at
        k += 1
        if affords_deed(s, card):
            can_develop = affords(s, card)
            for district in range(N_DISTRICTS[s.districts]):
                fit = fits(s, s.turn, card, district)
                out[k] = Choice.DEVELOP + at + 2 * district
                k += fit & can_develop
                out[k] = Choice.DEED + at + 2 * district
                k += fit
    return k


def play(s: State, choice: int) -> None:
    """Carry out one legal choice of the actor."""
    what, a, b = move(choice)
    match what:
        case Choice.DEAL:
            receive(s, a)
        case Choice.ROLL:
            roll(s, a + 1)
        case Choice.TAX:
            tax(s, a)
        case Choice.COLLECT:
            choose_token(s, a)
        case Choice.PAY:
            pay(s, a + 1)
        case Choice.PLACE:
            give_to_automa(s, a)
        case Choice.TRADE:
            trade(s, a, b)
        case Choice.ADD:
            add(s, s.turn, a, b)
        case Choice.SELL:
            sell(s, hand_card(s, a))
        case Choice.DEVELOP | Choice.DEED:
            build_and_pay(s, what, hand_card(s, a), b)
        case Choice.END:
            end_turn(s)


def build_and_pay(s: State, what: int, card: int, district: int) -> None:
    """MG-20: a card of the hand is developed; MG-21: or only its deed is bought."""
    build(s, s.turn, card, district)
    s.card = card
    s.due = COST[card]
    if what == Choice.DEED:
        s.deed[s.turn, district] = 1
        s.due = SUIT_COUNT[card]
    ask_payment(s)


def end_turn(s: State) -> None:
    """MG-50: a card is drawn; MG-51: not on the final turns, after which the game is over."""
    if s.final_turns == 0:
        draw(s)
    else:
        s.final_turns -= 1
        if s.final_turns == 0:
            s.phase = Phase.OVER
            return
    s.turn = (s.turn + 1) % s.players
    s.phase = Phase.ROLL
