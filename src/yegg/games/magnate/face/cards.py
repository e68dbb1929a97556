"""Cards of Magnate in the browser: in the rows of a district, and in the hand."""

from collections.abc import Sequence
from copy import copy
from typing import Any

from yegg.games.magnate.duchy import build, fits, on_deed
from yegg.games.magnate.pile import in_hand
from yegg.games.magnate.scoring import total
from yegg.games.magnate.state import COST, DISTRICT, DISTRICTS, N_DISTRICTS, Phase, Place, State
from yegg.games.magnate.tokens import affords, affords_deed
from yegg.games.magnate.tokens_in_words import named, suits_of, tokens
from yegg.parts.decktet import KIND, N_CARDS, N_SUITS, NAMES, RANK, SLUGS, SUIT_NAMES, Kind
from yegg.text.phrases import counted, listing


def printed(card: int) -> dict[str, Any]:
    """What is printed on a card."""
    rank = {Kind.ACE: "A", Kind.COURT: "C"}.get(Kind(KIND[card])) or str(RANK[card])
    signs = [SUIT_NAMES[suit] for suit in suits_of(card)]
    kind = "" if KIND[card] == Kind.ACE else "Court, " if KIND[card] == Kind.COURT else "rank "
    number = rank if KIND[card] == Kind.NUMBER else ""
    begins = f"{kind}{number}".strip(", ")
    label = ", ".join(part for part in (NAMES[card], begins, listing(signs)) if part)
    return {"card": SLUGS[card], "name": NAMES[card], "rank": rank, "suits": signs, "label": label}


def home(card: int) -> str:
    """A district's name without its article."""
    return NAMES[card].removeprefix("The ").removeprefix("Ace of ")


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


def hand(s: State, seat: int) -> list[dict[str, Any]]:
    """The cards of a seat; with what can be done if a card is to be played."""
    cards = [card for card in range(N_CARDS) if in_hand(s, seat, card)]
    if s.turn != seat or s.phase != Phase.CARD:
        return [printed(card) | {"hows": []} for card in cards]
    return [printed(card) | ways(s, card) for card in cards]


def chosen(held: list[dict[str, Any]]) -> str:
    """The way that is marked before anybody chooses: the first possible one."""
    for card in held:
        for how in card["hows"]:
            return f"{card['card']}-{how['how']}"
    return f"{held[0]['card']}-sell" if held else ""


def ways(s: State, card: int) -> dict[str, Any]:
    """MG-20 … MG-23: develop, deed, sell, or why not."""
    homes = range(N_DISTRICTS[s.districts])
    spots = [d for d in homes if fits(s, s.turn, card, d)]
    hows = []
    if spots and affords(s, card):
        hows.append({"how": "develop", "verb": "Develop", "key": "d", "says": price(card)})
    if spots and affords_deed(s, card):
        says = tokens([(suit, 1) for suit in suits_of(card)])
        hows.append({"how": "deed", "verb": "Deed", "key": "e", "says": says})
    each = 2 if KIND[card] == Kind.ACE else 1
    where = DISTRICT[s.districts, spots[0] if spots else 0]
    return {
        "hows": hows,
        "fits": f"fits in {counted(len(spots), 'district')}.",
        "sell": f"get {tokens([(suit, each) for suit in suits_of(card)])}",
        "try": f"develop {SLUGS[card]} at {SLUGS[where]}",
        **wrong(s, card, spots),
    }


def price(card: int) -> str:
    """MG-20: what developing costs."""
    if len(suits_of(card)) == 1:
        return tokens([(suits_of(card)[0], int(COST[card]))])
    return f"{COST[card]} of {named(suits_of(card))}"


def wrong(s: State, card: int, spots: list[int]) -> dict[str, str]:
    """Why a card cannot be developed, with the clause."""
    if not spots:
        return {"no": "It fits nowhere: it shares no suit with a last property.", "clause": "MG-30"}
    if affords(s, card):
        return {"no": ""}
    have = sum(int(s.tokens[s.turn, suit]) for suit in suits_of(card))
    clause = "MG-90" if KIND[card] == Kind.COURT else "MG-20"
    if have >= COST[card]:
        return {"no": "You need one of each suit, also for the deed.", "clause": clause}
    no = f"It costs {price(card)}; you have {have or 'none'}."
    if have and not affords_deed(s, card):
        lacks = [(suit, 1) for suit in suits_of(card) if not s.tokens[s.turn, suit]]
        no += f" For the deed you lack {tokens(lacks)}."
    return {"no": no, "clause": clause}


def makes(s: State, card: int, which: int) -> str:
    """MG-60: the totals of a district if the card were developed there."""
    seat, after = int(s.turn), copy(s)
    build(after, seat, card, which)
    return f"{total(after, seat, which)} to {total(after, 1 - seat, which)}"
