"""The state of Second Story, and the numbers of all choices."""

from enum import IntEnum

from yegg.engine import Record, number, option, row
from yegg.parts.decktet import N_CARDS, N_SUITS

DIE_SIDES = 10  # of each die
SEATS = 5
MOST_CHIPS = 20  # of a suit


class Phase(IntEnum):
    """What is to happen next."""

    FLIP = 0  # chance turns up a house
    PLAN = 1  # thorough or quick? how many flats?
    ROLL = 2  # chance rolls a die
    TAKE = 3  # a chip of which suit? with `decline`: or none
    JAM = 4  # the roll failed: a second chance, the Excuse, or flight
    ROAD = 5  # stop, or continue to another house
    OVER = 6


class Choice(IntEnum):
    """Choices are: the 45 cards to flip, ten faces to roll, then these."""

    ROLL = N_CARDS  # the face 1; ROLL + 9 is the ten
    THOROUGH = N_CARDS + DIE_SIDES
    QUICK = THOROUGH + 1
    ONE_FLAT = THOROUGH + 2
    SEVERAL_FLATS = THOROUGH + 3
    ALL_FLATS = THOROUGH + 4
    CONTINUE = THOROUGH + 5
    STOP = THOROUGH + 6
    RISK = THOROUGH + 7
    EXCUSE = THOROUGH + 8
    FLEE = THOROUGH + 9
    TAKE = THOROUGH + 10  # moons; TAKE + 5 is knots
    LEAVE = TAKE + N_SUITS


CHOICES = Choice.LEAVE + 1


class State(Record):
    """The table: options first, then everything that lies on it."""

    players = 0
    excuse = option("no", "yes", says="the Excuse is shuffled into the deck (SS-40)")
    pawns = option("no", "yes", says="the four Pawns are shuffled in (SS-50)")
    courts = option("no", "yes", says="the four Courts are shuffled in (SS-50)")
    chips = option(
        *range(3, MOST_CHIPS + 1), usual=10, says="chips of each suit: a shorter or longer game"
    )
    decline = option("no", "yes", says="who may take a chip may leave it (SS-37)")
    turn = number(SEATS - 1)  # the seat whose night it is
    phase = number(Phase.OVER)
    house = number(N_CARDS - 1)  # the card being burgled
    plan = number(Choice.ALL_FLATS)  # how: a Choice from THOROUGH to ALL_FLATS; QUICK at a Crown
    dice = number(2)  # still to be rolled
    best = number(DIE_SIDES)  # the best die of this roll so far
    due = number(3)  # chips still to be chosen
    after = number(3)  # which of the card's suits may be chosen next (SS-50, SS-37)
    last_turns = number(SEATS, -1)  # turns left to play; -1 until the last night begins
    face_down = number(N_CARDS)  # cards in the draw pile
    turned = number(N_CARDS)  # cards face up before the player
    discards = number(N_CARDS)  # cards in the discard pile: all that are nowhere else
    pile = row(N_CARDS, most=N_CARDS - 1)  # the draw pile, in card order: nobody knows another
    tonight = row(N_CARDS, most=1)  # by card: 1 while it lies face up before the player
    owner = number(SEATS)  # who has the Excuse in the lair: seat + 1; 0 nobody
    bank = row(N_SUITS, most=MOST_CHIPS)
    bag = row(N_SUITS, most=MOST_CHIPS)
    lair = row(SEATS, N_SUITS, most=MOST_CHIPS)
