"""Second Story told in the record's words, for the tests."""

import numpy as np

from yegg.engine import Match
from yegg.games import find
from yegg.games.second_story.events import event as event_of
from yegg.games.second_story.state import Phase
from yegg.parts.decktet import KIND, N_CARDS, SLUGS, SUIT_NAMES, Kind

GAME = find("second-story")


def begin(players=3, **options):
    match = Match(GAME, players, options, how="plain")
    match.told = ()  # what a face is told of
    return match


def go(match, *texts):
    """Play events by their texts; chance's verbs may be left out: a card or a number."""
    for event in texts:
        verb = "roll " if isinstance(event, int) else "flip " if event in SLUGS else ""
        choice = match.hear(f"{verb}{event}")
        match.told = (*match.told, event_of(match.state, choice))
        match.play(choice)
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


def exhaust(match, *keep):
    """Burgle in vain until only the cards ``keep`` are left in the draw pile."""
    while match.state.face_down > len(keep) or match.state.phase != Phase.FLIP:
        texts = match.texts
        dull = [t for t in ("flee", "stop", "thorough", "one-flat", "roll 1") if t in texts]
        go(match, *dull[:1] or [next(t for t in texts if t[5:] not in keep)])
    return match


def all_face_up(match, *last):
    """Let every card that is in no lair lie before the player, but ``last`` in the draw pile."""
    s = match.state
    pile = [SLUGS.index(slug) for slug in last]
    for card in range(N_CARDS):
        excuse = KIND[card] == Kind.EXCUSE and s.excuse and not s.owner
        s.tonight[card] = (KIND[card] <= Kind.CROWN or excuse) and card not in pile
    s.turned, s.discards, s.face_down = s.tonight.sum(), 0, len(pile)
    s.pile[:] = 0
    s.pile[: len(pile)] = sorted(pile)
    match._refresh()
    return match
