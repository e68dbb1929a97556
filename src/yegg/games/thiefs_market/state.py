"""The state of Thief's Market: phases, places of cards, choices, and all that lies on the table."""

from collections.abc import Mapping
from enum import IntEnum

import numpy as np

from yegg.engine import Record, number, option, row

from .cards import ICON, MARKER, MOST_DUE, N_CARDS, N_FACES, N_GEMS, N_LETTERS, N_OBJECTS, N_USES

SEATS = 5
MOST_DICE = 20
MOST_TOKENS = 1000  # Gold or Infamy of a seat; nobody has ever had a tenth of it
MOST_ROUNDS = 100_000  # few games have forty
DICE = {3: 10, 4: 11, 5: 13}  # TM-2


class Phase(IntEnum):
    """What is to happen next."""

    DEAL = 0  # chance turns up a card for the market
    ROLL = 1  # chance rolls a die into the centre
    SPLIT = 2  # take or steal?
    TAKE = 3  # more of the centre, or done
    RETURN = 4  # what of a stolen pile goes back to the centre
    LUCK = 5  # roll one die of the pile again, or keep it (TM-66)
    AGAIN = 6  # chance rolls that die
    MARKET = 7  # buy, use a card, or done
    WAIVE = 8  # which gem less (TM-68)
    GOLD = 9  # how much Gold for a colour
    COPY = 10  # which card of another player (TM-72)
    FREE = 11  # chance turns up the card that comes free (TM-70)
    OVER = 12


class Place(IntEnum):
    """Where a card is."""

    BOX = 0  # not in this game
    DECK = 1  # not turned up; perhaps removed unseen
    MARKET = 2
    GONE = 3  # bought and discarded (TM-70)
    OWNED = 4  # by seat 0; OWNED + 1 by seat 1 …


class Choice(IntEnum):
    """The moves, each the number of its first choice; `move` tells what a choice is about."""

    DEAL = 0
    BUY = N_CARDS  # or to copy
    ROLL = 2 * N_CARDS  # a red gem; ROLL + 5 is a mask
    TAKE = ROLL + N_FACES  # the first of the objects
    RETURN = TAKE + N_OBJECTS
    STEAL = RETURN + N_OBJECTS  # from seat 0
    TAKE_ALL = STEAL + SEATS
    KEEP = TAKE_ALL + 1
    REROLL = KEEP + 1  # a red gem
    WAIVE = REROLL + N_FACES
    GOLD = WAIVE + N_GEMS  # none; GOLD + 1 is one
    USE = GOLD + MOST_DUE + 1  # the first of the uses
    DONE = USE + N_USES


CHOICES = Choice.DONE + 1
FIRST = np.array([max(m for m in Choice if m <= n) for n in range(CHOICES)], np.int32)


def move(choice: int) -> tuple[int, int]:
    """The move of a choice and what it is about, from 0: ``Choice.STEAL``, the seat."""
    return int(FIRST[choice]), choice - int(FIRST[choice])


def usual_dice(players: int, _chosen: Mapping[str, int]) -> int:
    """TM-2: more players, more loot."""
    return DICE[players]


class State(Record):
    """The table: options first, then everything that lies on it."""

    players = 0
    promos = option("no", "yes", says="the four promotional cards are shuffled in (TM-72)")
    open_infamy = option("no", "yes", says="everybody's Infamy lies open (TM-6)")
    dice = option(*range(6, MOST_DICE + 1), usual=usual_dice, says="loot dice on the table (TM-2)")
    phase = number(Phase.OVER)
    rounds = number(MOST_ROUNDS)  # begun so far, this one included
    turn = number(SEATS - 1)  # the seat that acts, or that chance acts for
    deck = number(N_LETTERS - 1)  # the letter being dealt from
    # cards to be dealt now; in phase 2 the cards bought that are to be replaced
    due = number(N_CARDS)
    left = row(N_LETTERS, most=N_CARDS)  # cards of each deck still to come
    where = row(N_CARDS, most=Place.OWNED + SEATS - 1)  # a Place for every card
    # the card whose points and effect it has: itself, but TM-72
    acts_as = row(N_CARDS, most=N_CARDS - 1)
    loose = number(MOST_DICE)  # dice in the centre that are to be rolled
    centre = row(N_OBJECTS, most=MOST_DICE)  # what may be taken
    pile = row(SEATS, N_OBJECTS, most=MOST_DICE)
    # 1 + the object taken or returned last: no earlier kind may follow; 0: none yet
    after = number(N_OBJECTS)
    fixed = number(1)  # 1: dice of the stolen pile are not rolled again (TM-66)
    # the pile at the end of phase 1, until the turn is over
    split = row(SEATS, N_OBJECTS, most=MOST_DICE)
    gold = row(SEATS, most=MOST_TOKENS)
    infamy = row(SEATS, most=MOST_TOKENS)
    used = row(N_CARDS, most=1)  # 1: not again this round
    buys = number(2 * N_CARDS)  # purchases left in this turn
    rebate = number(N_CARDS)  # gems less for a card (TM-68)
    buying = number(N_CARDS)  # 1 + the card being bought or gained; 0: none
    free = number(1)  # 1: it is gained and not bought (TM-70)
    waivers = number(N_CARDS)  # gems of its cost still to be waived
    colour = number(N_GEMS - 1)  # the gem being paid
    bill = row(N_GEMS, most=MOST_DUE)  # what is still to be paid


def objects(s: State, seat: int) -> int:
    """How many objects are in a pile; 0: the seat has none."""
    n = 0
    for kind in range(N_OBJECTS):
        n += s.pile[seat, kind]
    return n


def holder(s: State) -> int:
    """The seat whose pile has the marker; -1: it is in the centre."""
    for seat in range(s.players):
        if s.pile[seat, MARKER]:
            return seat
    return -1


def owns(s: State, seat: int, card: int) -> bool:
    """Whether a card lies in front of a seat."""
    return s.where[card] == Place.OWNED + seat


def icons(s: State, seat: int, icon: int) -> int:
    """How many of an icon are on a seat's cards."""
    n = 0
    for card in range(N_CARDS):
        n += ICON[icon, card] * (s.where[card] == Place.OWNED + seat)
    return n
