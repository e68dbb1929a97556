"""Builds the first card at the Excuse as early as it can, or only after all other districts."""

from yegg.games.magnate.state import PLAYS, Choice, Place

NUMBERS = ("early",)
EXCUSE, DISTRICTS = 2, 5  # as published


def prefer(s, seat, choice, numbers):
    """The rank of a choice; s is what the seat may know.  ``early`` is 1 or 0."""
    if choice < Choice.PLAY or choice >= Choice.END:
        return 0
    how = (choice - Choice.PLAY) % PLAYS
    if how == 0 or (how - 1) // 2 != EXCUSE or s.where[s.last[seat, EXCUSE]] != Place.DISTRICT:
        return 0
    if numbers[0] == 1:
        return 1
    for district in range(DISTRICTS):
        if district != EXCUSE and s.where[s.last[seat, district]] == Place.DISTRICT:
            return -1
    return 0
