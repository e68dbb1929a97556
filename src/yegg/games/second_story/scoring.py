"""Scoring of Second Story: the second most numerous suit of a lair counts."""

from yegg.parts.decktet import N_SUITS

from .state import State

ALLOCATES_NOTHING = True  # see Compiler.lean


def score(s: State, seat: int) -> int:
    """SS-70: the number of chips in the second most numerous suit."""
    first = second = 0
    for suit in range(N_SUITS):
        count = s.lair[seat, suit]
        if count > first:
            first, second = count, first
        elif count > second:
            second = count
    return second


def standing(s: State, seat: int) -> int:
    """SS-70, SS-71: the second, third … sixth most numerous suits as digits of one number."""
    total = 0
    for place in range(1, N_SUITS):
        for suit in range(N_SUITS):
            if place_of(s, seat, suit) == place:
                total = total * 21 + s.lair[seat, suit]
    return total


def place_of(s: State, seat: int, suit: int) -> int:
    """SS-70: where a suit stands in a lair, the most numerous 0; equals in suit order."""
    place = 0
    for other in range(N_SUITS):
        more = s.lair[seat, other] - s.lair[seat, suit]
        place += more > 0 or (more == 0 and other < suit)
    return place
