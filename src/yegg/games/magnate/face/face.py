"""Magnate in the browser: districts in a line, their rows above, yours below, then your hand.

Every choice is a button: where it is pressed, what it says, and what follows from it.
"""

from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any

from yegg.games.magnate.duchy import build, on_deed
from yegg.games.magnate.events import Roll, Tax
from yegg.games.magnate.pile import hand_card, in_hand
from yegg.games.magnate.scoring import grand_total, score, tokens_left, total
from yegg.games.magnate.state import (
    COST,
    CROWNS_PAY,
    DISTRICT,
    DISTRICTS,
    N_DISTRICTS,
    SEATS,
    Choice,
    Phase,
    Place,
    State,
    move,
)
from yegg.games.magnate.tokens import asked_card, chooser
from yegg.games.magnate.tokens_in_words import named, suits_of, token, tokens
from yegg.games.magnate.words import by_counting, discards
from yegg.parts.decktet import N_CARDS, N_SUITS, ONE_SUIT, SLUGS, SUIT_NAMES, SUITS, the
from yegg.parts.suits import LETTERS
from yegg.text.phrases import capital, counted, listing

from .cards import KEYS, chosen, district, hand, home, makes, printed

BEATS = {
    "roll",
    "sell",
    "trade",
    "deed",
    "develop",
    "add",
}  # each begins a beat of the show

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
            _, which, suit = move(legal[act["text"]])
            act["key"] = add_key(s, which, suit, alone=alone)
    return listed


def add_key(s: State, district: int, suit: int, *, alone: bool) -> str:
    """MG-40: the keys of a token for a deed: P, the district's, the suit's.

    ``alone``: no two deeds want the same suit, so that the suit is enough.
    """
    where = "" if alone else KEYS[SLUGS[int(DISTRICT[s.districts, district])]]
    return f"p{where}{LETTERS[suit]}".lower()


def verb(s: State, choice: int, text: str) -> dict[str, Any]:
    """A choice as a button."""
    what, first, second = move(choice)
    return {"text": text, **BUTTONS[Choice(what)](s, first, second)}


def end(s: State, _: int, __: int) -> dict[str, Any]:
    """MG-50: nothing more this turn."""
    says = "these are the final turns" if s.final_turns else "draw a card"
    return {"at": "dock", "verb": "End the turn", "key": "n", "says": says}


def sell(s: State, nth: int, _: int) -> dict[str, Any]:
    """MG-22: a card of the hand is sold."""
    card = hand_card(s, nth)
    return {"at": "sell", "card": SLUGS[card], "verb": f"Sell {the(card)}", "key": "s"}


def develop(s: State, nth: int, district: int) -> dict[str, Any]:
    """MG-20: a card of the hand is developed."""
    card, where = hand_card(s, nth), the(DISTRICT[s.districts, district])
    act = {"how": "develop", "verb": f"Develop {the(card)} at {where}"}
    return spot(s, nth, district) | act | {"says": makes(s, card, district)}


def deed(s: State, nth: int, district: int) -> dict[str, Any]:
    """MG-21: the deed of a card of the hand is bought."""
    card, where = hand_card(s, nth), the(DISTRICT[s.districts, district])
    act = {"how": "deed", "verb": f"Deed for {the(card)} at {where}"}
    return spot(s, nth, district) | act | {"says": f"0 of {COST[card]} tokens"}


def spot(s: State, nth: int, district: int) -> dict[str, Any]:
    """Where a card of the hand is built."""
    where = SLUGS[DISTRICT[s.districts, district]]
    act = {"at": "spot", "card": SLUGS[hand_card(s, nth)], "where": where}
    return act | {"nth": nth + 1, "key": KEYS[where]}


def add(s: State, district: int, suit: int) -> dict[str, Any]:
    """MG-40: a token on a deed of one's own."""
    card = int(s.last[s.turn, district])
    on, of = int(on_deed(s, s.turn, district)), int(COST[card])
    says = f"{on + 1} of {of}" if on + 1 < of else "developed"
    act = {"at": "add", "card": SLUGS[card], "suit": SUIT_NAMES[suit]}
    return act | {"verb": f"Put a {ONE_SUIT[suit]} on {the(card)}", "says": says}


def trade(_: State, give: int, get: int) -> dict[str, Any]:
    """MG-42: three of one suit for one of another."""
    verb = f"Trade 3 {SUIT_NAMES[give]} for a {ONE_SUIT[get]}"
    act = {"at": "trade", "give": SUIT_NAMES[give], "suit": SUIT_NAMES[get], "verb": verb}
    return act | {"key": f"t{LETTERS[give]}{LETTERS[get]}".lower()}


def place(s: State, district: int, _: int) -> dict[str, Any]:
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


def pay(s: State, which: int, _: int) -> dict[str, Any]:
    """MG-20: how much of the price is paid in the next suit, and what is left."""
    n, suit = which + 1, suits_of(s.card)[s.suit]
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


def collect(s: State, suit: int, _: int) -> dict[str, Any]:
    """MG-14: a deed gives a token of one of its suits."""
    card, mine = asked_card(s), int(s.tokens[chooser(s), suit])
    return {
        "at": "dock",
        "verb": f"A {ONE_SUIT[suit]}",
        "suit": SUIT_NAMES[suit],
        "key": LETTERS[suit].lower(),
        "says": f"for the deed of {the(card)}; you have {mine}",
    }


BUTTONS = {
    Choice.COLLECT: collect,
    Choice.PAY: pay,
    Choice.PLACE: place,
    Choice.TRADE: trade,
    Choice.ADD: add,
    Choice.SELL: sell,
    Choice.DEVELOP: develop,
    Choice.DEED: deed,
    Choice.END: end,
}


def roll(told: Sequence[Roll | Tax]) -> dict[str, Any] | None:
    """The last roll, which the state does not keep."""
    taxed = ""
    for event in reversed(told):
        if isinstance(event, Roll):
            return {"dice": list(event.dice), "tax": taxed, "pays": pays(event)}
        taxed = SUIT_NAMES[event.suit]
    return None


def pays(event: Roll) -> dict[str, str]:
    """MG-12 … MG-15: the number that paid, and the properties of its rank."""
    if event.number == CROWNS_PAY:
        return {"head": "10: the Crowns pay.", "says": "A token for each of your three."}
    head = f"{event.number}: {'Aces' if event.number == 1 else 'properties'} pay."
    if not event.cards:
        none = "no Aces" if event.number == 1 else f"none of rank {event.number}"
        return {"head": head, "says": f"There are {none}: nobody collects."}
    words = listing([the(card) for card in event.cards])
    return {"head": head, "says": f"{capital(words)}."}


def scene(s: State, names: Sequence[str], seat: int, told: Sequence[Roll | Tax]) -> dict[str, Any]:
    """The position as plain fields; a spectator sits with the first player."""
    below = max(seat, 0)
    people = [*names, "the automa"][:SEATS]
    held = hand(s, seat) if seat >= 0 and s.phase != Phase.OVER else []
    return {
        "phase": Phase(s.phase).name.lower(),
        "above": side(s, people, 1 - below, seat),
        "below": side(s, people, below, seat),
        "districts": [district(s, people, seat, d) for d in range(N_DISTRICTS[s.districts])],
        "hand": held,
        "chosen": chosen(held),
        "roll": roll(told),
        "deck": deck(s),
        "sold": [printed(card) for card in discards(s)],
    }


def side(s: State, people: Sequence[str], seat: int, viewer: int) -> dict[str, Any]:
    """A merchant: Crowns, tokens, districts won, and what is known of the hand."""
    crowns = [card for card in range(N_CARDS) if s.where[card] == Place.CROWN + seat]
    return {
        "seat": seat,
        "name": people[seat],
        "automa": seat >= s.players,
        "won": int(score(s, seat)),
        "crowns": [SUIT_NAMES[SUITS[card, 0]] for card in crowns],
        "tokens": [
            {"suit": SUIT_NAMES[i], "one": ONE_SUIT[i], "n": int(s.tokens[seat, i])}
            for i in range(N_SUITS)
        ],
        "known": [printed(card) for card in range(N_CARDS) if in_hand(s, seat, card)],
        "counted": known_by_counting(s, viewer, seat, people),
        "backs": int(s.owed[seat]) if s.phase != Phase.CROWN else 0,
    }


def known_by_counting(
    s: State, viewer: int, seat: int, people: Sequence[str]
) -> dict[str, Any] | None:
    """MG-50: who can know which cards of a hand without having seen them."""
    says, cards = by_counting(s, viewer, seat, people)
    if not cards:
        return None
    return {"n": len(cards), "says": says, "names": listing([the(card) for card in cards])}


def deck(s: State) -> str:
    """How far the deck has come (MG-50, MG-51)."""
    if s.phase == Phase.OVER:
        return "The Grand Duke is dead."
    if s.final_turns:
        return f"Final turns: {counted(int(s.final_turns), 'turn')} to play, no more cards."
    last = "your final turn" if s.automa else "the final turns"
    then = last if s.shuffled else "the discards once more"
    return f"{counted(int(s.pile), 'card')} to draw, then {then}."


SCORED = "district", "districts"


def closest(s: State, winner: int) -> str:
    """The district that was nearest to being the other player's, with the totals there."""
    totals = [
        (total(s, winner, d), total(s, 1 - winner, d)) for d in range(N_DISTRICTS[s.districts])
    ]
    margin, d = min((ours - theirs, d) for d, (ours, theirs) in enumerate(totals) if ours > theirs)
    return f"{the(DISTRICT[s.districts, d])}, {totals[d][0]} to {totals[d][0] - margin}"


def verdict(s: State, names: Sequence[str]) -> str:
    """MG-61, MG-62: what decided."""
    for clause, what, count in (
        ("MG-61", SCORED, score),
        ("MG-62", ("rank in all districts", "ranks in all districts"), grand_total),
        ("MG-62", ("token left", "tokens left"), tokens_left),
    ):
        ours, theirs = int(count(s, 0)), int(count(s, 1))
        if ours != theirs:
            more, less = max(ours, theirs), min(ours, theirs)
            who = names[0] if ours > theirs else names[1]
            said = f"{who} has {counted(more, *what)}, against {less}"
            if count is score:
                near = closest(s, 0 if ours > theirs else 1)
                return f"{said}; the closest was {near}. ({clause})"
            return f"Both won {counted(int(score(s, 0)), *SCORED)}. {said}. ({clause})"
    return "Districts, ranks and tokens are all equal. (MG-62)"
