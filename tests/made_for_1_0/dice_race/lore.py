"""What is good in a dice race, by the verbs of version 1.0."""

from yegg.engine.verbs import sides


def worth(s, seat):
    """Points count, and the pot for half as much."""
    return s.points[seat] + 0.5 * s.pot * (s.turn == seat)


def worths(s, every):
    """As `worth`, against the best of the others."""
    for seat in range(sides(s)):
        every[seat] = worth(s, seat)


def spread(s):
    """Five points' lead makes a win e times as likely."""
    return 5.0


def mix(s, seat, out, k, dice):
    """There are no secret orders."""
    return -1
