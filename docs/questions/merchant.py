"""Builds nothing before so many tokens are in hand, and never in one of the districts."""

from yegg.games.magnate.state import PLAYS, Choice

NUMBERS = ("tokens", "never")


def prefer(s, seat, choice, numbers):
    """The rank of a choice; s is what the seat may know.  ``never`` is a district from 1, or 0."""
    if choice < Choice.PLAY or choice >= Choice.END:
        return 0
    how = (choice - Choice.PLAY) % PLAYS
    if how == 0:
        return 0
    held = 0
    for suit in range(6):
        held += s.tokens[seat, suit]
    return -1 if held < numbers[0] or (how - 1) // 2 == numbers[1] - 1 else 0
