"""Writes one district off, alone against the automa: gives it what is sold, and builds nothing."""

from yegg.games.magnate.state import PLAYS, Choice

NUMBERS = ("district",)


def prefer(s, seat, choice, numbers):
    """The rank of a choice; s is what the seat may know.  ``district`` counts from 1."""
    lost = numbers[0] - 1
    if Choice.PLACE <= choice < Choice.TRADE:
        return 1 if choice - Choice.PLACE == lost else 0
    if choice < Choice.PLAY or choice >= Choice.END:
        return 0
    how = (choice - Choice.PLAY) % PLAYS
    return -1 if how > 0 and (how - 1) // 2 == lost else 0
