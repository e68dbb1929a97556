"""Puts so many points on each of the first secrets, as long as there are any."""

from yegg.games.secrets.state import POINTS, Choice

NUMBERS = ("points",)


def prefer(s, seat, choice, numbers):
    """The rank of a choice; s is what the seat may know.  Letters mean nothing to others."""
    if s.turn != 0:
        return 0
    left = POINTS
    for secret in range(s.given[seat]):
        left -= s.value[seat, secret]
    return 1 if choice == Choice.ALLOCATE + min(left, int(numbers[0])) else 0
