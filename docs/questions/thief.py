"""Steals whenever a pile has so many dice, and never a smaller one."""

from yegg.games.thiefs_market.cards import N_FACES
from yegg.games.thiefs_market.state import Choice

NUMBERS = ("dice",)


def prefer(s, seat, choice, numbers):
    """The rank of a choice; s is what the seat may know."""
    if choice < Choice.STEAL or choice >= Choice.TAKE_ALL:
        return 0
    dice = 0
    for face in range(N_FACES):
        dice += s.pile[choice - Choice.STEAL, face]
    return 1 if dice >= numbers[0] else -1
