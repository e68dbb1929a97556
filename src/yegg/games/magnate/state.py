"""The state of Magnate: options, cards, tokens, dice."""

from enum import IntEnum

import numpy as np

from yegg.engine import Record, number, option, row
from yegg.parts.decktet import KIND, N_CARDS, N_SUITS, RANK, SLUGS, Kind

ALLOCATES_NOTHING = True  # see Compiler.lean
INLINE = ("move",)  # see Compiler.compiled

SEATS = 2
DISTRICTS = 6  # at most
HAND = 3  # cards
DIE_SIDES = 10  # of each die
CROWNS_PAY = 10  # MG-13
MOST_TOKENS = 200  # of a suit; nobody has ever had a tenth of it
COURT = 10  # what a Court costs and counts (MG-90)
PLAYS = 1 + 2 * DISTRICTS  # what can be done with a card: sell; develop or deed, by district


class Phase(IntEnum):
    """What is to happen next, once nobody is owed a card."""

    CROWN = 0  # chance deals the Crowns
    DEAL = 1  # chance deals the first hands
    ROLL = 2  # chance rolls a d10
    TAX = 3  # chance rolls the d6
    COLLECT = 4  # a deed's owner chooses a token (MG-14)
    CARD = 5  # the turn's card is still to be played
    PAY = 6  # how many tokens of the next suit? (MG-20)
    PLACE = 7  # where on the automa's side? (MG-101)
    REST = 8  # the card is played: trade, add or end
    OVER = 9


class Place(IntEnum):
    """Where a card is."""

    BOX = 0  # not in this game, or a Crown not yet dealt
    DISTRICT = 1
    PILE = 2
    DISCARD = 3
    CROWN = 4  # before seat 0; CROWN + 1 before seat 1
    HAND = 6  # of seat 0; HAND + 1 of seat 1
    OPEN = 8  # the same, and the other player knows it by counting (MG-50)
    ROW = 10  # + DISTRICTS * seat + district: a property or a deed


class Choice(IntEnum):
    """The moves, each the number of its first choice; `move` tells what a choice is about."""

    DEAL = 0  # the first card
    ROLL = N_CARDS  # the face 1
    TAX = ROLL + DIE_SIDES  # moons
    COLLECT = TAX + N_SUITS  # moons
    PAY = COLLECT + N_SUITS  # one token
    PLACE = PAY + COURT - 2  # the first district
    TRADE = PLACE + DISTRICTS  # + 6 * suit given + suit taken
    ADD = TRADE + N_SUITS * N_SUITS  # + 6 * district + suit
    SELL = ADD + DISTRICTS * N_SUITS  # + PLAYS * (place of the card in the hand)
    PLAY = SELL  # the first choice about a card of the hand
    DEVELOP = SELL + 1  # + PLAYS * (place of the card in the hand) + 2 * district
    DEED = SELL + 2  # the same
    END = SELL + HAND * PLAYS


CHOICES = Choice.END + 1


def _move(choice: int) -> tuple[int, int, int]:
    what = max(first for first in Choice if first <= choice)
    if what in (Choice.TRADE, Choice.ADD):
        return what, *divmod(choice - what, N_SUITS)
    if what < Choice.SELL or what == Choice.END:
        return what, choice - what, 0
    nth, how = divmod(choice - Choice.SELL, PLAYS)
    district = max(how - 1, 0) // 2
    return Choice.SELL + how - 2 * district, nth, district


MOVES = np.array([_move(choice) for choice in range(CHOICES)], np.int32)
"""Of each choice what `move` tells.  Shape (choices, 3)."""


def move(choice: int) -> tuple[int, int, int]:
    """The move of a choice and what it is about, from 0: ``Choice.ADD``, the district, the suit."""
    return int(MOVES[choice, 0]), int(MOVES[choice, 1]), int(MOVES[choice, 2])


FOUR, ACES = 1, 2  # the option ``districts``; 0 is five
ONLY_ACES = 1  # ``excuse-start``
IGNORED = 1  # ``poorest``
FALLBACK, ONE_DIE = 1, 2  # ``income``
EACH = 1  # ``deed-suits``
ONE = 1  # ``ace-total``
HARD = 2  # ``automa``

_pawns = ("the-watchman", "the-borderland", "the-harvest", "the-light-keeper")
_named = (
    (*_pawns[:2], "the-excuse", *_pawns[2:]),  # MG-1
    _pawns,
    tuple(SLUGS[card] for card in range(N_CARDS) if KIND[card] == Kind.ACE),
)
N_DISTRICTS = np.array([len(slugs) for slugs in _named], np.int32)
"""How many districts there are, by the option ``districts``."""
DISTRICT = np.array(
    [
        [SLUGS.index(slugs[d]) if d < len(slugs) else -1 for d in range(DISTRICTS)]
        for slugs in _named
    ],
    np.int32,
)
"""The districts' cards, then -1.  Shape (3, DISTRICTS)."""
COST = np.array(
    [{Kind.ACE: 3, Kind.COURT: COURT}.get(Kind(KIND[card]), RANK[card]) for card in range(N_CARDS)],
    np.int32,
)
"""Tokens that a property costs (MG-20, MG-90).  Shape (cards,)."""


class State(Record):
    """The table: options first, then everything that lies on it."""

    players = 0
    courts = option("no", "yes", says="the four Courts are shuffled in as properties (MG-90)")
    districts = option("5", "4", "aces", says="the Pawns and the Excuse, the Pawns, the Aces")
    excuse_start = option("any", "aces", says="what may be the first property at the Excuse")
    poorest = option("counts", "ignored", says="whether the poorest district scores (MG-61)")
    income = option("higher", "fallback", "one-die", says="which die pays (MG-12)")
    deed_suits = option("any", "each", says="each: a deed needs a token of each suit (MG-40)")
    ace_total = option("district", "one", says="what an Ace counts in the first tie-break (MG-62)")
    automa = option("no", "easy", "hard", says="the solo game (MG-100)")
    turn = number(SEATS - 1)  # the seat whose turn it is
    phase = number(Phase.OVER)
    high = number(DIE_SIDES)  # the first die; then the higher one; then the number that pays
    low = number(DIE_SIDES)  # the lower die, until it is clear which one pays
    # the deed whose owner chooses a token: DISTRICTS * (not the active seat) + district
    asked = number(SEATS * DISTRICTS - 1)
    card = number(N_CARDS - 1)  # being paid for, or to be placed
    due = number(COURT)  # tokens still to be paid for it
    suit = number(2)  # which of its suits is paid next: 0, 1 or 2
    shuffled = number(1)  # the discards have been shuffled, or never will be
    final_turns = number(SEATS)  # still to be played, once the pile has run out for good
    pile = number(N_CARDS)  # cards that can still be drawn: those owed to a hand are not counted
    owed = row(SEATS, most=HAND)  # cards that chance has yet to deal, by seat
    where = row(N_CARDS, most=Place.ROW + SEATS * DISTRICTS - 1)  # a Place for every card
    nth = row(N_CARDS, most=N_CARDS)  # a property's place in its row, from 1
    # the card to match: the row's last one, or the district's
    last = row(SEATS, DISTRICTS, most=N_CARDS - 1)
    deed = row(SEATS, DISTRICTS, most=1)  # whether that is an incomplete deed
    tokens = row(SEATS, N_SUITS, most=MOST_TOKENS)
    paid = row(SEATS, DISTRICTS, N_SUITS, most=COURT)  # the tokens that lie on an incomplete deed
