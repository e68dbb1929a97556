"""The hand: what each card costs and sells for, where it fits, and why it does not."""

from copy import copy
from typing import Any

from yegg.games.magnate.duchy import build, fits
from yegg.games.magnate.pile import in_hand
from yegg.games.magnate.purse import named, suits_of, tokens
from yegg.games.magnate.scoring import total
from yegg.games.magnate.state import COST, DISTRICT, N_DISTRICTS, Phase, State
from yegg.games.magnate.trade import affords, affords_deed
from yegg.parts.decktet import KIND, N_CARDS, SLUGS, Kind
from yegg.text.phrases import counted

from .cards import printed


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
