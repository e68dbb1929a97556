"""Thief's Market, a game of split loot and stolen piles, by Dave Chalker.

Three to five thieves split the dice of the night, steal piles that are too good, and
spend theirs on cards.  RULES.md has the clauses in prose.  ``s`` is always the state.
"""

from yegg.engine import CHANCE, NOBODY, Ints

from .cards import (
    ACTING,
    FIRST_USE,
    FITS,
    LETTER,
    N_ACTING,
    N_CARDS,
    N_FACES,
    N_GEMS,
    N_LETTERS,
    N_OBJECTS,
    PROMO,
    When,
)
from .loot import (
    have_pile,
    is_last,
    keep,
    put_back,
    reroll,
    roll,
    rolled_again,
    steal,
    take,
    take_all,
)
from .market import (
    ROW,
    buy,
    can_pay,
    copy,
    end_turn,
    gain_free,
    gather,
    lay_out,
    least_gold,
    most_gold,
    next_deck,
    pay,
    usable,
    use,
    waivable,
    waive,
)
from .scoring import score, standing
from .state import CHOICES, Choice, Phase, Place, State, move, objects

__all__ = ["CHOICES", "State", "actor", "deal", "hide", "legal", "play", "score", "standing"]

DECKS = (13, 12, 11)  # TM-3


def deal(s: State) -> None:
    """TM-1 … TM-4: a Gold each, three decks, five cards of A to be turned up."""
    for card in range(N_CARDS):
        s.acts_as[card] = card
        if s.promos or not PROMO[card]:
            s.where[card] = Place.DECK
            s.left[LETTER[card]] += 1
    for letter in range(N_LETTERS):
        s.left[letter] = min(s.left[letter], DECKS[letter])
    for seat in range(s.players):
        s.gold[seat] = 1
    gather(s)
    s.rounds = 1
    s.due = ROW
    s.phase = Phase.DEAL


def actor(s: State) -> int:
    """Who acts now: a seat, CHANCE, or NOBODY once the game is over."""
    phase = s.phase
    if phase == Phase.ROLL or phase == Phase.DEAL or phase == Phase.AGAIN or phase == Phase.FREE:
        return CHANCE
    return NOBODY if phase == Phase.OVER else s.turn


def legal(s: State, out: Ints) -> int:
    """Write the actor's choices, ascending; return how many."""
    match s.phase:
        case Phase.DEAL | Phase.FREE:
            return list_deals(s, out)
        case Phase.ROLL | Phase.AGAIN:
            for face in range(N_FACES):
                out[face] = Choice.ROLL + face
            return N_FACES
        case Phase.SPLIT:
            return list_split(s, out)
        case Phase.TAKE:
            return list_take(s, out)
        case Phase.RETURN:
            return list_return(s, out)
        case Phase.LUCK:
            return list_luck(s, out)
        case Phase.MARKET:
            return list_market(s, out)
        case Phase.WAIVE | Phase.GOLD:
            return list_payment(s, out)
        case Phase.COPY:
            return list_copies(s, out)
    return 0


def list_deals(s: State, out: Ints) -> int:
    """TM-3: every card of the letter that was not turned up, the removed ones included."""
    letter = next_deck(s)
    k = 0
    for card in range(N_CARDS):
        out[k] = Choice.DEAL + card
        k += (s.where[card] == Place.DECK) & (LETTER[card] == letter)
    return k


def list_split(s: State, out: Ints) -> int:
    """TM-11, TM-12, TM-15: an object of the centre (or all of them), or a pile of two or more."""
    k = 0
    last = is_last(s)
    there = False
    for kind in range(N_OBJECTS):
        if s.centre[kind] > 0:
            there = True
            if not last:
                out[k] = Choice.TAKE + kind
                k += 1
    for seat in range(s.players):
        if objects(s, seat) >= 2:
            out[k] = Choice.STEAL + seat
            k += 1
    if last and there:
        out[k] = Choice.TAKE_ALL
        k += 1
    return k


def list_take(s: State, out: Ints) -> int:
    """TM-11: more of the centre, in order, or enough."""
    k = 0
    for kind in range(s.after - 1, N_OBJECTS):
        if s.centre[kind] > 0:
            out[k] = Choice.TAKE + kind
            k += 1
    out[k] = Choice.DONE
    return k + 1


def list_return(s: State, out: Ints) -> int:
    """TM-12: what of the stolen pile goes back, in order: at least one, but not the last."""
    k = 0
    if objects(s, s.turn) > 1:
        for kind in range(max(0, s.after - 1), N_OBJECTS):
            if s.pile[s.turn, kind] > 0:
                out[k] = Choice.RETURN + kind
                k += 1
    if s.after > 0:
        out[k] = Choice.DONE
        k += 1
    return k


def list_luck(s: State, out: Ints) -> int:
    """TM-66: leave the pile, or roll one of its dice again."""
    out[0] = Choice.KEEP
    k = 1
    for face in range(N_FACES):
        if s.pile[s.turn, face] > 0:
            out[k] = Choice.REROLL + face
            k += 1
    return k


def list_market(s: State, out: Ints) -> int:
    """TM-20, TM-22: a purchase, an ability, or the end of the turn."""
    k = list_uses(s, out, list_purchases(s, out) if s.buys > 0 else 0)
    out[k] = Choice.DONE
    return k + 1


def list_purchases(s: State, out: Ints) -> int:
    """TM-20, TM-21: the cards for sale whose cost can be paid."""
    shop, k = 0, 0
    for card in range(N_CARDS):
        out[shop] = card
        shop += s.where[card] == Place.MARKET
    for i in range(shop):
        card = out[i]
        out[k] = Choice.BUY + card
        k += can_pay(s, card)
    return k


def list_uses(s: State, out: Ints, k: int) -> int:
    """TM-22: after the first k choices the ways to use a card; return how many there are now."""
    for i in range(N_ACTING[When.USE.value]):
        card = ACTING[When.USE, i]
        if usable(s, card):
            for way in range(FIRST_USE[card], FIRST_USE[card + 1]):
                out[k] = Choice.USE + way
                k += FITS[s.acts_as[card], way]
    return k


def list_payment(s: State, out: Ints) -> int:
    """TM-68, TM-21: which gem less; how much Gold for a colour."""
    k = 0
    if s.phase == Phase.GOLD:
        for gold in range(least_gold(s), most_gold(s) + 1):
            out[k] = Choice.GOLD + gold
            k += 1
        return k
    for gem in range(N_GEMS):
        if waivable(s, gem):
            out[k] = Choice.WAIVE + gem
            k += 1
    return k


def list_copies(s: State, out: Ints) -> int:
    """TM-72: every card of every other player."""
    k = 0
    for card in range(N_CARDS):
        if s.where[card] >= Place.OWNED and s.where[card] != Place.OWNED + s.turn:
            out[k] = Choice.BUY + card
            k += 1
    return k


def play(s: State, choice: int) -> None:
    """Carry out one legal choice of the actor."""
    what, which = move(choice)
    match s.phase:
        case Phase.DEAL:
            lay_out(s, which)
        case Phase.ROLL:
            roll(s, which)
        case Phase.SPLIT:
            if what == Choice.TAKE_ALL:
                take_all(s)
            elif what == Choice.STEAL:
                steal(s, which)
            else:
                take(s, which)
        case Phase.TAKE | Phase.RETURN:
            if what == Choice.DONE:
                have_pile(s)
            elif what == Choice.RETURN:
                put_back(s, which)
            else:
                take(s, which)
        case Phase.LUCK:
            if what == Choice.KEEP:
                keep(s)
            else:
                reroll(s, which)
        case Phase.AGAIN:
            rolled_again(s, which)
        case _:
            trade(s, what, which)


def trade(s: State, what: int, which: int) -> None:
    """The choices of phase 2."""
    match s.phase:
        case Phase.MARKET:
            if what == Choice.DONE:
                end_turn(s)
            elif what == Choice.USE:
                use(s, which)
            else:
                buy(s, which)
        case Phase.WAIVE:
            waive(s, which)
        case Phase.GOLD:
            pay(s, which)
        case Phase.COPY:
            copy(s, which)
        case Phase.FREE:
            gain_free(s, which)


def hide(s: State, seat: int) -> None:
    """TM-6: nothing is hidden, since bots can count Infamy; the screens show only one's own."""
