"""What a seat sees of a night in Second Story, as numbers: what its learned judge goes by.

Suits stand in the order of what one has of them, rivals in the order of their lairs, so that
what is the same but for names looks the same.  Lore adds what the net could not multiply: what is
at stake by how likely it is lost.
"""

import numpy as np
from numpy.typing import NDArray

from yegg.engine import Ints
from yegg.parts.decktet import EXCUSE, KIND, N_SUITS, RANK, SUIT_COUNT, SUITS, Kind

from .lore import chance, prospects, treasure
from .rules import can_risk, needed, wanted
from .scoring import standing
from .state import DIE_SIDES, SEATS, Choice, Phase, State

SLOT = 12  # numbers of each suit
MINE = SLOT * N_SUITS  # where one's own numbers begin
HOUSE = MINE + 10
PILE = HOUSE + 18
TABLE = PILE + 12
RIVAL = TABLE + 24
ABOUT = 15  # numbers of each rival
VALUE = RIVAL + ABOUT * (SEATS - 1)
SENSES = VALUE + 14

Senses = NDArray[np.float32]


def sense(s: State, seat: int, x: Senses) -> None:
    """Fill ``x`` (SENSES,), which comes as zeros."""
    by_suit(s, seat, x)
    own(s, seat, x)
    house(s, seat, x)
    pile(s, seat, x)
    table(s, seat, x)
    rivals(s, seat, x)
    value(s, seat, x)


def bag(s: State, seat: int, suit: int) -> int:
    """Chips of a suit that a seat has in its bag; only one seat has a bag."""
    return s.bag[suit] if seat == s.turn else 0


def places(s: State, seat: int) -> Ints:
    """Where each suit stands among a seat's, the most numerous first; of equals the scarcer."""
    rank, place = np.zeros(N_SUITS, np.int32), np.zeros(N_SUITS, np.int32)
    for suit in range(N_SUITS):
        rank[suit] = (s.lair[seat, suit] + bag(s, seat, suit)) * 32 + 31 - s.bank[suit]
    for suit in range(N_SUITS):
        for other in range(N_SUITS):
            more = rank[other] - rank[suit]
            place[suit] += more > 0 or (more == 0 and other < suit)
    return place


def by_suit(s: State, seat: int, x: Senses) -> None:
    """Lair, bag and bank by suit, and whether the house has it."""
    place, aces, cards = places(s, seat), np.zeros(N_SUITS), np.zeros(N_SUITS)
    for i in range(s.face_down):
        card = s.pile[i]
        for j in range(SUIT_COUNT[card]):
            if KIND[card] == Kind.ACE:
                aces[SUITS[card, j]] += 1
            else:
                cards[SUITS[card, j]] += 1
    for suit in range(N_SUITS):
        at = SLOT * place[suit]
        held = s.lair[seat, suit]
        x[at] = held / 4
        x[at + 1] = bag(s, seat, suit) / 3
        x[at + 2] = s.bank[suit] / 5
        x[at + 3] = s.bank[suit] == 0
        x[at + 4] = s.bank[suit] == 1
        x[at + 5] = held > 0
        x[at + 6] = held + bag(s, seat, suit) > 0
        x[at + 7] = aces[suit] * (bag(s, seat, suit) > 0)
        x[at + 8] = cards[suit] / (1 + s.face_down)
    if s.house > 0:
        for i in range(SUIT_COUNT[s.house]):
            at = SLOT * place[SUITS[s.house, i]]
            there = s.bank[SUITS[s.house, i]] > 0
            x[at + 9 + (seat != s.turn)] = there
            x[at + 11] = there and s.phase == Phase.TAKE and i >= s.after and seat == s.turn


def own(s: State, seat: int, x: Senses) -> None:
    """Whose night it is, and what is in a bag."""
    mine = seat == s.turn
    chips = 0
    for suit in range(N_SUITS):
        chips += s.bag[suit]
    x[MINE] = mine
    x[MINE + 1] = chips / 4 if mine else 0
    x[MINE + 2] = 0 if mine else chips / 4
    x[MINE + 3] = s.owner == seat + 1
    x[MINE + 4] = mine and s.tonight[EXCUSE] == 1
    x[MINE + 5] = mine and chips > 0
    x[MINE + 6] = mine and chips > 2
    x[MINE + 7] = mine and chips > 4
    x[MINE + 8] = mine and chips > 6


def house(s: State, seat: int, x: Senses) -> None:
    """The house being burgled: what may come of it, and how likely."""
    x[HOUSE + s.phase] = 1  # seven phases
    at, sign = HOUSE + 7, 1.0 if seat == s.turn else -1.0
    if s.phase == Phase.PLAN:
        if KIND[s.house] >= Kind.PAWN:
            x[at] = sign * 0.5
        else:
            miss = (RANK[s.house] - 1) / DIE_SIDES
            x[at + 1] = sign * miss
            x[at + 2] = sign * miss * miss
            x[at + 3] = sign
    elif s.phase == Phase.ROLL or s.phase == Phase.JAM:
        need = needed(s.house, s.plan)
        miss = (need - 1) / DIE_SIDES
        if s.phase == Phase.ROLL and s.best >= need:
            miss = 0.0
        elif s.plan == Choice.QUICK and (s.phase == Phase.JAM or s.dice == 2):
            miss *= miss
        x[at + 4] = sign * miss
        x[at + 5] = sign * (1 - miss) * wanted(s.plan) / 2
        x[at + 6] = sign * (wanted(s.plan) == 1)
        x[at + 7] = sign * (KIND[s.house] == Kind.CROWN and s.lair[s.turn, SUITS[s.house, 0]] > 0)
        x[at + 8] = sign * (s.phase == Phase.JAM and can_risk(s))
    x[at + 9] = sign * s.due / 2


def pile(s: State, seat: int, x: Senses) -> None:
    """What the cards that are left have in store: how often a job fails, luck of the Aces."""
    thorough, quick, aces, crowns, houses, danger = 0.0, 0.0, 0, 0, 0, 0
    for i in range(s.face_down):
        card = s.pile[i]
        kind = KIND[card]
        if kind == Kind.ACE:
            aces += 1
            danger += s.bag[SUITS[card, 0]] > 0
            continue
        if kind == Kind.EXCUSE:
            x[PILE + 8] = 1
            continue
        miss = (needed(card, Choice.THOROUGH) - 1) / DIE_SIDES if kind < Kind.PAWN else 0.2
        houses += 1
        crowns += kind == Kind.CROWN
        quick += miss * miss
        thorough += miss * miss if kind == Kind.CROWN else miss
    left = max(s.face_down, 1)
    x[PILE] = s.face_down / 30
    x[PILE + 1] = thorough / max(houses, 1)
    x[PILE + 2] = quick / max(houses, 1)
    x[PILE + 3] = 3 * aces / left
    x[PILE + 4] = 3 * crowns / left
    x[PILE + 5] = 3 * danger / left if seat == s.turn else 0
    x[PILE + 6] = s.face_down < 5
    x[PILE + 7] = s.turned / 5
    x[PILE + 9] = 0 if seat == s.turn else 3 * danger / left
    x[PILE + 10] = s.discards / 30


def table(s: State, seat: int, x: Senses) -> None:
    """How far the game is, and who leads; who plays by which rules."""
    ahead, level, home = standing(s, seat), 0, 0
    for other in range(s.players):
        if other != seat:
            level = max(level, standing(s, other))
    turns = (seat - s.turn) % s.players  # until it is this seat's night
    x[TABLE] = s.last_turns >= 0
    x[TABLE + 1] = s.last_turns >= 0 and turns < s.last_turns  # another night is to come
    x[TABLE + 2] = s.last_turns / s.players if s.last_turns > 0 else 0
    x[TABLE + 3] = ahead > level
    x[TABLE + 4] = ahead == level
    if seat == s.turn:
        home = at_home(s)
        x[TABLE + 5] = home > level
        x[TABLE + 6] = s.last_turns >= 0 and home > level
        x[TABLE + 7] = s.last_turns >= 0 and home <= level
    else:
        home = at_home(s)
        x[TABLE + 8] = home > ahead
        x[TABLE + 9] = s.last_turns >= 0 and home > ahead
    x[TABLE + 10] = s.last_turns >= 0 and turns >= max(s.last_turns, 0) and ahead > level
    first, second, gone = 99, 99, 0
    for suit in range(N_SUITS):
        chips = s.bank[suit]
        gone += chips == 0
        if chips < first:
            first, second = chips, first
        elif chips < second:
            second = chips
    x[TABLE + 11] = first / 5
    x[TABLE + 12] = second / 5
    x[TABLE + 13] = first == 0
    x[TABLE + 14] = first == 1
    x[TABLE + 15] = first == 2
    x[TABLE + 16] = gone / 2
    x[TABLE + 17] = s.players / 4
    x[TABLE + 18] = turns / 3
    x[TABLE + 19] = s.chips / 10
    x[TABLE + 20] = s.excuse
    x[TABLE + 21] = s.pawns
    x[TABLE + 22] = s.courts
    x[TABLE + 23] = s.decline


def at_home(s: State) -> int:
    """The standing of whose night it is, were everything in the bag at home."""
    for suit in range(N_SUITS):
        s.lair[s.turn, suit] += s.bag[suit]
    there = standing(s, s.turn)
    for suit in range(N_SUITS):
        s.lair[s.turn, suit] -= s.bag[suit]
    return there


def rivals(s: State, seat: int, x: Senses) -> None:
    """The others, the one with the best lair first."""
    stands = np.zeros(SEATS, np.int64)
    for who in range(s.players):
        stands[who] = standing(s, who)
    for other in range(s.players):
        if other == seat:
            continue
        at = RIVAL
        for third in range(s.players):
            if third != seat and third != other:
                more = stands[third] - stands[other]
                at += ABOUT * (more > 0 or (more == 0 and third < other))
        place = places(s, other)
        for suit in range(N_SUITS):
            x[at + place[suit]] = s.lair[other, suit] / 4
        x[at + 6] = 1
        x[at + 7] = other == s.turn
        x[at + 8] = stands[other] > stands[seat]
        x[at + 9] = s.owner == other + 1
        x[at + 10] = s.last_turns >= 0 and (other - s.turn) % s.players < s.last_turns
        x[at + 11] = ((other - seat) % s.players) / 4
        if other == s.turn:
            for suit in range(N_SUITS):
                x[at + 12] += s.bag[suit] / 4
            x[at + 13] = at_home(s) > stands[seat]
        x[at + 14] = stands[other] == stands[seat]


def value(s: State, seat: int, x: Senses) -> None:
    """Lairs in lore's points, with tonight's prospects; what is at stake, and how likely lost."""
    mine, rival = 0.0, 0.0
    for who in range(s.players):
        points = prospects(s) if who == s.turn else treasure(s, who, 0, 0)
        if who == seat:
            mine = points
        else:
            rival = max(rival, points)
    x[VALUE] = mine / 60
    x[VALUE + 1] = rival / 60
    x[VALUE + 2] = (mine - rival) / 34
    x[VALUE + 3] = max(mine - rival, 0.0) / 34
    stake = (treasure(s, s.turn, 1, 0) - treasure(s, s.turn, 0, 0)) / 20
    at = VALUE + 4 if seat == s.turn else VALUE + 9
    x[at] = stake
    if s.phase == Phase.ROLL or s.phase == Phase.JAM:
        miss = 1 - chance(s.house, s.plan)
        if s.phase == Phase.ROLL and s.best >= needed(s.house, s.plan):
            miss = 0.0
        elif s.phase == Phase.ROLL and s.dice == 1 and s.plan == Choice.QUICK:
            miss = 1 - chance(s.house, Choice.THOROUGH)
        x[at + 1] = miss * stake
    elif s.phase == Phase.FLIP or s.phase == Phase.ROAD:
        x[at + 2] = x[PILE + 1] * stake
        x[at + 3] = x[PILE + 2] * stake
    elif s.phase == Phase.PLAN:
        x[at + 4] = stake
