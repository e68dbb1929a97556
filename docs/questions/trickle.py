"""Buys a deed on a nine as soon as it can, one at a time; and completes it as usual, or never."""

from yegg.games.magnate.pile import hand_card
from yegg.games.magnate.state import DISTRICTS, N_SUITS, PLAYS, Choice
from yegg.parts.decktet import RANK

NUMBERS = ("complete",)
NINE = 9


def prefer(s, seat, choice, numbers):
    """The rank of a choice; s is what the seat may know.  ``complete`` is 1 or 0."""
    if Choice.ADD <= choice < Choice.PLAY:
        card = s.last[seat, (choice - Choice.ADD) // N_SUITS]
        return -1 if RANK[card] == NINE and numbers[0] == 0 else 0
    if choice < Choice.PLAY or choice >= Choice.END:
        return 0
    nth, how = divmod(choice - Choice.PLAY, PLAYS)
    if how == 0 or how % 2 == 1 or RANK[hand_card(s, nth)] != NINE:
        return 0
    for district in range(DISTRICTS):
        if s.deed[seat, district] and RANK[s.last[seat, district]] == NINE:
            return -1
    return 1
