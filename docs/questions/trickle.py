"""Buys a deed on a nine wherever it can; and completes it as usual, or never."""

from yegg.games.magnate.pile import held
from yegg.games.magnate.state import N_SUITS, PLAYS, Choice
from yegg.parts.decktet import RANK

NUMBERS = ("complete",)
NINE = 9


def prefer(s, seat, choice, numbers):
    """The rank of a choice; s is what the seat may know.  ``complete`` is 1 or 0."""
    if Choice.PLAY <= choice < Choice.END:
        nth, how = divmod(choice - Choice.PLAY, PLAYS)
        deed = how > 0 and how % 2 == 0
        return 1 if deed and RANK[held(s, nth)] == NINE else 0
    if Choice.ADD <= choice < Choice.PLAY and numbers[0] == 0:
        return -1 if RANK[s.last[seat, (choice - Choice.ADD) // N_SUITS]] == NINE else 0
    return 0
