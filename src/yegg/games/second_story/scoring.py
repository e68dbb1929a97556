"""Scoring of Second Story: the second most numerous suit of a lair counts."""

from yegg.parts.decktet import N_SUITS

from .state import State

ALLOCATES_NOTHING = True  # see Compiler.lean
DIGIT = 21  # of a standing: there are no more chips of a suit than 20
UNITS = (0, DIGIT**4, DIGIT**3, DIGIT**2, DIGIT, 1)  # by a suit's place


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
    for suit in range(N_SUITS):
        total += s.lair[seat, suit] * UNITS[place_of(s, seat, suit)]
    return total


def place_of(s: State, seat: int, suit: int) -> int:
    """SS-70: where a suit stands in a lair, the most numerous 0; equals in suit order."""
    place = 0
    for other in range(N_SUITS):
        more = s.lair[seat, other] - s.lair[seat, suit]
        place += more > 0 or (more == 0 and other < suit)
    return place
