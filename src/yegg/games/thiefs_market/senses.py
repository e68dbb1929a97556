"""Features of a position in Thief's Market: the inputs of its value net.

Lore prices cards and piles; the judge learns what such prices make of the win.  Rivals stand in
the order of what they have.
"""

import numpy as np
from numpy.typing import NDArray

from yegg.engine.scratch import grid, numbers

from .cards import BUILDING, COMPASS, HENCHMAN, N_LETTERS, N_OBJECTS, WAND
from .lore import appraise
from .prices import CARDS_AT, COLUMNS, ICONS_AT, Numbers, rounds_left, survey
from .scoring import DIGIT, standing
from .state import SEATS, Phase, State, holder, objects

ABOUT = 26  # numbers of each player, oneself first
TABLE = ABOUT * SEATS
PHASES = 13
SENSES = TABLE + PHASES + N_OBJECTS + N_LETTERS + 20

Senses = NDArray[np.float32]
ALLOCATES_NOTHING = True  # see Compiler.lean


def sense(s: State, seat: int, x: Senses) -> None:
    """Fill ``x`` (SENSES,), which comes as zeros."""
    book, lasting, tonight = grid(SEATS, COLUMNS), numbers(SEATS), numbers(SEATS)
    survey(s, book)
    if s.phase != Phase.OVER:
        appraise(s, book, lasting, tonight)  # in lore's points
    best, mine = -1e9, standing(s, seat)
    for who in range(s.players):
        hopes = lasting[who] + tonight[who]
        place = 0
        if who != seat:
            best = max(best, hopes)
            place = 1
            for other in range(s.players):
                theirs = lasting[other] + tonight[other]
                if other != seat and other != who:
                    place += theirs > hopes or (theirs == hopes and other < who)
        about(s, book[who], mine, who, ABOUT * place, x)
        x[ABOUT * place + 1] = lasting[who] / 20
        x[ABOUT * place + 2] = tonight[who] / 8
    table(s, seat, lasting[seat] + tonight[seat] - best, x)


def about(s: State, cards: Numbers, mine: int, who: int, at: int, x: Senses) -> None:
    """A player: points, cards, Gold and Infamy, and the pile.

    ``cards`` is the player's row of the book, ``mine`` one's own standing.
    """
    pile, theirs = objects(s, who), standing(s, who)
    x[at] = 1
    x[at + 3] = theirs // DIGIT**2 / 20  # the first digit of a standing is the score
    x[at + 4] = s.gold[who] / 4
    x[at + 5] = s.gold[who] == 0
    x[at + 6] = s.infamy[who] / 8
    x[at + 7] = cards[CARDS_AT] / 6
    x[at + 8] = cards[ICONS_AT + HENCHMAN] / 3
    x[at + 9] = cards[ICONS_AT + WAND] / 2
    x[at + 10] = cards[ICONS_AT + BUILDING] / 2
    x[at + 11] = cards[ICONS_AT + COMPASS] / 2
    x[at + 12] = pile / 4
    x[at + 13] = pile == 0
    x[at + 14] = pile == 1
    x[at + 15] = who == s.turn
    x[at + 16] = ((who - s.turn) % s.players) / 3
    x[at + 17] = theirs > mine
    for kind in range(N_OBJECTS):
        x[at + 18 + kind] = s.pile[who, kind] / 2
    first = holder(s)
    if first >= 0 and s.phase >= Phase.MARKET:  # whether the turn in the market is over
        x[at + 25] = (who - first) % s.players < (s.turn - first) % s.players


def table(s: State, seat: int, ahead: float, x: Senses) -> None:
    """How far the round and the game are, who is ahead, and by which rules it goes."""
    left = rounds_left(s)
    at = TABLE
    x[at + s.phase] = 1
    at += PHASES
    for kind in range(N_OBJECTS):
        x[at + kind] = s.centre[kind] / 3
    at += N_OBJECTS
    for letter in range(N_LETTERS):
        x[at + letter] = s.left[letter] / 10
    at += N_LETTERS
    x[at] = ahead / 10
    x[at + 1] = max(ahead, 0.0) / 10
    x[at + 2] = ahead / (3.0 + 2.5 * left)
    x[at + 3] = left / 8
    x[at + 4] = left < 1
    x[at + 5] = left < 2
    x[at + 6] = left < 4
    x[at + 7] = s.loose / 4
    x[at + 8] = s.turn == seat
    x[at + 9] = s.turn == seat and s.buying > 0
    x[at + 10] = s.buys / 2 if s.turn == seat else 0
    x[at + 11] = s.due / 3
    waiting = 0
    for who in range(s.players):
        waiting += objects(s, who) == 0
    x[at + 12] = waiting / 3 if s.phase <= Phase.RETURN else 0
    x[at + 13] = s.promos
    x[at + 14] = s.open_infamy
    x[at + 15] = s.dice / 12
    x[at + 16] = s.players / 4
    x[at + 17] = s.turn == seat and s.after == 0 and s.phase == Phase.RETURN
    x[at + 18] = s.buying > 0 and s.turn != seat
    x[at + 19] = s.rounds / 10
