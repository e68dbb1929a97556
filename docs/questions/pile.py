"""How many dice are in the pile that would be stolen."""

from yegg.games.thiefs_market.cards import N_FACES
from yegg.games.thiefs_market.state import Choice

NUMBERS = ()


def prefer(s, seat, choice, numbers):
    """The rank of a choice; s is what the seat may know."""
    dice = 0
    if Choice.STEAL <= choice < Choice.TAKE_ALL:
        for face in range(N_FACES):
            dice += s.pile[choice - Choice.STEAL, face]
    return dice
