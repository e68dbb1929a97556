"""Second Story told in the record's words, for the tests."""

import numpy as np

from yegg.engine import Match
from yegg.games import find
from yegg.parts.decktet import SLUGS, SUIT_NAMES

GAME = find("second-story")


def begin(players=3, **options):
    return Match(GAME, players, options, how="plain")


def go(match, *texts):
    """Play events by their texts; chance's verbs may be left out: a card or a number."""
    for event in texts:
        verb = "roll " if isinstance(event, int) else "flip " if event in SLUGS else ""
        match.play(match.hear(f"{verb}{event}"))
    return match


def legal(match):
    return sorted(match.texts)


def chips(row):
    return {SUIT_NAMES[i]: int(n) for i, n in enumerate(row) if n}


def before_player(match):
    return {SLUGS[card] for card in np.flatnonzero(match.state.tonight)}


def lay(match, bank=None, lair=None, bag=None):
    """Set chips by suit name, to reach strange positions quickly."""
    s = match.state
    for row, given in ((s.bank, bank), (s.bag, bag), (s.lair[s.turn], lair)):
        for suit, n in (given or {}).items():
            row[SUIT_NAMES.index(suit)] = n
    match._refresh()
    return match
