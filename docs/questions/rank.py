"""The rank of the card that would be played from the hand."""

from yegg.games.magnate.pile import hand_card
from yegg.games.magnate.state import PLAYS, Choice
from yegg.parts.decktet import RANK

NUMBERS = ()


def prefer(s, seat, choice, numbers):
    """The rank of a choice; s is what the seat may know."""
    if choice < Choice.PLAY or choice >= Choice.END:
        return 0
    return RANK[hand_card(s, (choice - Choice.PLAY) // PLAYS)]
