"""A district as a column: its card, both totals, both rows."""

from collections.abc import Sequence
from typing import Any

from yegg.games.magnate.duchy import on_deed
from yegg.games.magnate.purse import suits_of, tokens
from yegg.games.magnate.scoring import total
from yegg.games.magnate.state import COST, DISTRICT, DISTRICTS, Place, State
from yegg.parts.decktet import N_CARDS, N_SUITS, SLUGS, SUIT_NAMES

from .cards import home, printed

KEYS = {
    "the-watchman": "w",
    "the-borderland": "b",
    "the-excuse": "x",
    "the-harvest": "h",
    "the-light-keeper": "l",
    "ace-of-moons": "m",
    "ace-of-suns": "a",
    "ace-of-waves": "v",
    "ace-of-leaves": "l",
    "ace-of-wyrms": "y",
    "ace-of-knots": "k",
}
"""The key of each district; D, E, S, T and N are keys of verbs, O, R and U of the table."""


def district(s: State, people: Sequence[str], seat: int, which: int) -> dict[str, Any]:
    """MG-61: a district and who leads there."""
    below = max(seat, 0)
    card = int(DISTRICT[s.districts, which])
    ours, theirs = int(total(s, below, which)), int(total(s, 1 - below, which))
    leader = "you lead" if seat >= 0 else f"{people[below]} leads"
    return {
        "card": SLUGS[card],
        "name": home(card),
        "suits": [SUIT_NAMES[suit] for suit in suits_of(card)],
        "ours": ours,
        "theirs": theirs,
        "lead": "mine" if ours > theirs else "theirs" if theirs > ours else "even",
        "says": leader
        if ours > theirs
        else f"{people[1 - below]} leads"
        if theirs > ours
        else "level",
        "below": row(s, below, which),
        "above": row(s, 1 - below, which)[::-1],
        "blocked": bool(s.deed[below, which]),
    }


def row(s: State, seat: int, which: int) -> list[dict[str, Any]]:
    """A seat's properties at a district, the oldest first."""
    place = Place.ROW + DISTRICTS * seat + which
    cards = [card for card in range(N_CARDS) if s.where[card] == place]
    laid = [printed(card) | {"deed": None} for card in sorted(cards, key=lambda c: int(s.nth[c]))]
    if s.deed[seat, which] and laid:
        laid[-1]["deed"] = deed(s, seat, which)
    return laid


def deed(s: State, seat: int, which: int) -> dict[str, Any]:
    """MG-40: the tokens on an incomplete deed."""
    on = [(suit, int(s.paid[seat, which, suit])) for suit in range(N_SUITS)]
    n, of = int(on_deed(s, seat, which)), int(COST[s.last[seat, which]])
    return {
        "n": n,
        "of": of,
        "on": [{"suit": SUIT_NAMES[suit], "n": n} for suit, n in on if n],
        "says": f"deed with {n} of {of} tokens" + (f": {tokens(on)}" if n else ""),
    }
