"""Heuristic evaluation of Second Story: what a lair is worth, and when a bag is in danger."""

import numpy as np

from yegg.parts.decktet import KIND, N_SUITS, SUIT_COUNT, SUITS, Kind

from .rules import needed, wanted
from .scoring import standing
from .state import DIE_SIDES, Choice, Phase, State

WEIGHTS = np.array([5.0, 10.0, 8.0, 6.0, 4.0, 3.0])
"""What a chip is worth in the most numerous suit, in the second, … in the sixth.  The second
is the score; the others may become it before the last night."""
LEAD = 60.0  # what standing first is worth in the last turn, in the same units


def treasure(s: State, seat: int, bag: int, more: int) -> float:
    """What a lair is worth; ``bag`` 1: with the bag; ``more``: suits with a chip more, as bits."""
    total = 0.0
    for suit in range(N_SUITS):
        mine = chips(s, seat, bag, more, suit)
        place = 0
        for other in range(N_SUITS):
            count = chips(s, seat, bag, more, other)
            place += count > mine or (count == mine and other < suit)
        total += WEIGHTS[place] * mine
    if s.last_turns >= 0 and seat == s.turn:
        total += LEAD * lead(s, seat, bag, more)
    return total


def chips(s: State, seat: int, bag: int, more: int, suit: int) -> int:
    """Chips of a suit in a lair, perhaps with the bag and a chip more."""
    count = s.lair[seat, suit] + ((more >> suit) & 1)
    return count + s.bag[suit] if bag else count


def lead(s: State, seat: int, bag: int, more: int) -> float:
    """In the last turn: 1 if this lair would stand first, ½ if level, 0 if behind."""
    held = s.lair[seat].copy()
    for suit in range(N_SUITS):
        s.lair[seat, suit] = chips(s, seat, bag, more, suit)
    mine = standing(s, seat)
    s.lair[seat] = held
    best = 0
    for other in range(s.players):
        if other != seat:
            best = max(best, standing(s, other))
    return 1.0 if mine > best else 0.5 if mine == best else 0.0


def fails(house: int, plan: int) -> float:
    """The probability that a job fails."""
    miss = (needed(house, plan) - 1) / DIE_SIDES
    return miss * miss if plan == Choice.QUICK else miss


def chance(house: int, plan: int) -> float:
    """The probability that a job succeeds."""
    return 1 - fails(house, plan)


def fails_now(s: State) -> float:
    """The probability that the job fails whose dice are rolled now, or may be rolled again."""
    if s.phase == Phase.ROLL and s.best >= needed(s.house, s.plan):
        return 0.0
    if s.phase == Phase.ROLL and s.dice == 1 and s.plan == Choice.QUICK:
        return fails(s.house, Choice.THOROUGH)
    return fails(s.house, s.plan)


def haul(s: State, first: int, due: int) -> float:
    """What the lair is worth at home with the best ``due`` chips, from the ``first`` suit on."""
    best = 0.0
    for picked in range(1 << SUIT_COUNT[s.house]):
        many, more = 0, 0
        for i in range(first, SUIT_COUNT[s.house]):
            if (picked >> i) & 1 and s.bank[SUITS[s.house, i]] > 0:
                many += 1
                more |= 1 << SUITS[s.house, i]
        if many <= due:
            best = max(best, treasure(s, s.turn, 1, more))
    return best


def prospects(s: State) -> float:
    """What the lair of the current burglar may be worth after the next roll and the way home."""
    home = treasure(s, s.turn, 1, 0)
    if s.phase == Phase.FLIP or s.phase == Phase.ROAD:
        return home
    if s.phase == Phase.TAKE:  # SS-37: a chip taken first must not cost the others
        return haul(s, s.after, s.due)
    lost = treasure(s, s.turn, 0, 0)
    if s.phase == Phase.PLAN:
        flats = KIND[s.house] >= Kind.PAWN
        first = Choice.ONE_FLAT if flats else Choice.THOROUGH
        best = 0.0
        for plan in range(first, first + (3 if flats else 2)):
            p = chance(s.house, plan)
            best = max(best, p * haul(s, 0, wanted(plan)) + (1 - p) * lost)
        return best
    p = 1 - fails_now(s)
    return p * haul(s, 0, wanted(s.plan)) + (1 - p) * lost


def evaluate(s: State, seat: int) -> float:
    """What a seat's lair may be worth after this night, less a part of the best other lair."""
    if s.phase == Phase.OVER:
        return final(s, seat)
    mine, rival = 0.0, 0.0
    for who in range(s.players):
        value = prospects(s) if who == s.turn else treasure(s, who, 0, 0)
        if who == seat:
            mine = value
        else:
            rival = max(rival, value)
    return mine - 0.2 * rival


def final(s: State, seat: int) -> float:
    """The worth once the game is over: 1000 for the first, 500 if level, else 0."""
    mine, best = standing(s, seat), 0
    for other in range(s.players):
        if other != seat:
            best = max(best, standing(s, other))
    return 1000.0 if mine > best else 500.0 if mine == best else 0.0


def easy_temperature(s: State) -> float:
    """So high that `easy` stands midway between random play and the net's likeliest choices."""
    return 10.0


def value_scale(s: State) -> float:
    """A seat that is better by this much wins e times as often.

    Fitted to 150 games between `hard` players (29) and 400 between `greedy` ones (34), together.
    """
    return 31.0
