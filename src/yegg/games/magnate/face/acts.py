"""Every choice as a button: where it is pressed, what it says, and what follows from it."""

from collections.abc import Mapping
from copy import copy
from typing import Any

from yegg.games.magnate.duchy import build, on_deed
from yegg.games.magnate.income import chooser
from yegg.games.magnate.pile import held
from yegg.games.magnate.purse import named, suits_of, token, tokens
from yegg.games.magnate.scoring import total
from yegg.games.magnate.state import COST, DISTRICT, DISTRICTS, PLAYS, Choice, Phase, State
from yegg.parts.decktet import ONE_SUIT, SLUGS, SUIT_NAMES, the
from yegg.parts.suits import LETTERS

from .cards import home
from .duchy import KEYS
from .hand import makes

NOT_YET = {
    "text": "end",
    "at": "dock",
    "verb": "End the turn",
    "key": "n",
    "no": "First play one card.",
    "clause": "MG-10",
}


def acts(s: State, seat: int, legal: Mapping[str, int]) -> list[dict[str, Any]]:
    """Every choice, with the place where it is pressed: ``dock`` or a part of the scene."""
    listed = [verb(s, choice, text) for text, choice in legal.items()]
    if s.phase == Phase.CARD:
        listed.insert(0, NOT_YET)
    deeds = [suits_of(s.last[s.turn, d]) for d in range(DISTRICTS) if s.deed[s.turn, d]]
    suits = [suit for deed in deeds for suit in deed]
    alone = len(set(suits)) == len(suits)
    for act in listed:
        if act["at"] == "add":
            act["key"] = add_key(s, legal[act["text"]] - Choice.ADD, alone=alone)
    return listed


def add_key(s: State, choice: int, *, alone: bool) -> str:
    """MG-40: the keys of a token for a deed: P, the district's, the suit's.

    ``alone``: no two deeds want the same suit, so that the suit is enough.
    """
    district, suit = divmod(choice, len(SUIT_NAMES))
    where = "" if alone else KEYS[SLUGS[int(DISTRICT[s.districts, district])]]
    return f"p{where}{LETTERS[suit]}".lower()


def verb(s: State, choice: int, text: str) -> dict[str, Any]:
    """A choice as a button."""
    for first, kind in KINDS:
        if choice >= first:
            return {"text": text, **kind(s, choice - first)}
    raise ValueError(text)


def end(s: State, _: int) -> dict[str, Any]:
    """MG-50: nothing more this turn."""
    says = "these are the final turns" if s.final_turns else "draw a card"
    return {"at": "dock", "verb": "End the turn", "key": "n", "says": says}


def play(s: State, choice: int) -> dict[str, Any]:
    """MG-20 … MG-22: what becomes of a card of the hand."""
    which, how = divmod(choice, PLAYS)
    card = held(s, which)
    if how == 0:
        return {"at": "sell", "card": SLUGS[card], "verb": f"Sell {the(card)}", "key": "s"}
    district = (how - 1) // 2
    where = int(DISTRICT[s.districts, district])
    act = {"at": "spot", "card": SLUGS[card], "where": SLUGS[where]}
    act |= {"nth": which + 1, "key": KEYS[SLUGS[where]]}
    if how % 2:
        says = makes(s, card, district)
        return act | {
            "how": "develop",
            "verb": f"Develop {the(card)} at {the(where)}",
            "says": says,
        }
    says = f"0 of {COST[card]} tokens"
    return act | {"how": "deed", "verb": f"Deed for {the(card)} at {the(where)}", "says": says}


def add(s: State, choice: int) -> dict[str, Any]:
    """MG-40: a token on a deed of one's own."""
    district, suit = divmod(choice, len(SUIT_NAMES))
    card = int(s.last[s.turn, district])
    on, of = int(on_deed(s, s.turn, district)), int(COST[card])
    says = f"{on + 1} of {of}" if on + 1 < of else "developed"
    act = {"at": "add", "card": SLUGS[card], "suit": SUIT_NAMES[suit]}
    return act | {"verb": f"Put a {ONE_SUIT[suit]} on {the(card)}", "says": says}


def trade(_: State, choice: int) -> dict[str, Any]:
    """MG-42: three of one suit for one of another."""
    give, get = divmod(choice, len(SUIT_NAMES))
    verb = f"Trade 3 {SUIT_NAMES[give]} for a {ONE_SUIT[get]}"
    act = {"at": "trade", "give": SUIT_NAMES[give], "suit": SUIT_NAMES[get], "verb": verb}
    return act | {"key": f"t{LETTERS[give]}{LETTERS[get]}".lower()}


def place(s: State, district: int) -> dict[str, Any]:
    """MG-101: the automa's new property."""
    where = int(DISTRICT[s.districts, district])
    after = copy(s)
    build(after, 1, s.card, district)
    there = f"has {total(after, 1, district)} there"
    return {
        "at": "place",
        "where": SLUGS[where],
        "verb": home(where),
        "key": KEYS[SLUGS[where]],
        "says": f"the automa then {there}",
        "then": there,
    }


def pay(s: State, choice: int) -> dict[str, Any]:
    """MG-20: how much of the price is paid in the next suit, and what is left."""
    n, suit = choice + 1, suits_of(s.card)[s.suit]
    later, left = suits_of(s.card)[s.suit + 1 :], int(s.due) - n
    if len(later) == 1:
        says = f"and {token(left, later[0])}"
    else:
        says = f"and {left} of {named(later)}"
    keep = [(suit, int(s.tokens[s.turn, suit]) - n)]
    if len(later) == 1:
        keep.append((later[0], int(s.tokens[s.turn, later[0]]) - left))
    says += f"; you keep {tokens(keep) or 'none'}"
    return {"at": "dock", "verb": f"Pay {token(n, suit)}", "key": str(n), "says": says}


def collect(s: State, suit: int) -> dict[str, Any]:
    """MG-14: a deed gives a token of one of its suits."""
    seat = chooser(s)
    card = int(s.last[seat, s.asked % DISTRICTS])
    mine = int(s.tokens[seat, suit])
    return {
        "at": "dock",
        "verb": f"A {ONE_SUIT[suit]}",
        "suit": SUIT_NAMES[suit],
        "key": LETTERS[suit].lower(),
        "says": f"for the deed of {the(card)}; you have {mine}",
    }


KINDS = (
    (Choice.END, end),
    (Choice.PLAY, play),
    (Choice.ADD, add),
    (Choice.TRADE, trade),
    (Choice.PLACE, place),
    (Choice.PAY, pay),
    (Choice.COLLECT, collect),
)
