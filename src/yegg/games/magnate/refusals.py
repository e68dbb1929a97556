"""Why something cannot be done in Magnate, with the clause."""

import re
from collections.abc import Callable

from yegg.engine import CHANCE
from yegg.parts.decktet import (
    KIND,
    N_CARDS,
    SLUGS,
    SUIT_COUNT,
    SUIT_NAMES,
    SUITS,
    Kind,
    has_suit,
    share_suit,
    the,
)
from yegg.text.phrases import listing

from . import rules
from .duchy import automa_takes, can_add, on_deed
from .pile import in_hand, next_owed
from .state import COST, DIE_SIDES, DISTRICT, DISTRICTS, N_DISTRICTS, ONLY_ACES, Phase, Place, State
from .tokens import affords, affords_deed, asked_card, payable
from .tokens_in_words import named, suits_of, token

_SUIT = f"({'|'.join(SUIT_NAMES)})"
_CARD = f"({'|'.join(SLUGS)})"


def why_not(s: State, text: str) -> str | None:
    """Why a sentence of the game is not possible now, with the clause; None if it is none."""
    for pattern, wrong in SENTENCES.items():
        if found := re.fullmatch(pattern, text):
            return wrong(s, *map(_meant, found.groups()))
    return None


def _meant(word: str) -> int:
    """The number of a suit or a card, or the number itself."""
    for names in (SUIT_NAMES, SLUGS):
        if word in names:
            return names.index(word)
    return int(word)


def crown_suits(s: State, card: int) -> list[int]:
    """MG-102: the suits of a card that are suits of the automa's Crowns."""
    crowns = [crown for crown in range(N_CARDS) if s.where[crown] == Place.CROWN + 1]
    return [suit for suit in suits_of(card) if any(has_suit(crown, suit) for crown in crowns)]


def _suits(card: int) -> str:
    return named(suits_of(card))


def _purse(s: State, card: int) -> str:
    have = [token(int(s.tokens[s.turn, suit]), suit) for suit in suits_of(card)]
    return f"you have {listing(have)}"


def _due(s: State) -> str | None:
    """What must be done before a player may do anything else."""
    if s.phase == Phase.OVER:
        return "MG-51: the final turns are played, the game is over"
    if rules.actor(s) == CHANCE:
        return "MG-10: the cards are dealt and the dice are rolled first"
    if s.phase == Phase.COLLECT:
        return f"MG-16: {the(asked_card(s))} must give its token first"
    if s.phase == Phase.PAY:
        return f"MG-20: {the(s.card)} must be paid for first, now in {next_suit(s)}"
    if s.phase == Phase.PLACE:
        return f"MG-101: the automa must get {the(s.card)} first"
    return None


def next_suit(s: State) -> str:
    """MG-20: the suit that is paid now."""
    return SUIT_NAMES[SUITS[s.card, s.suit]]


def _card_due(s: State, card: int) -> str | None:
    """Why no card, or not this one, can be played now."""
    if reason := _due(s):
        return reason
    if s.phase == Phase.REST:
        return "MG-10: exactly one card a turn, and it is played"
    if not in_hand(s, s.turn, card):
        return f"MG-10: {the(card)} is not in your hand"
    return None


def _spot(s: State, seat: int, card: int, home: int) -> str | None:
    """Why a card cannot lie in a seat's row at a district (MG-30, MG-31)."""
    homes = DISTRICT[s.districts, : N_DISTRICTS[s.districts]].tolist()
    if home not in homes:
        return f"MG-1: {the(home)} is no district of this game"
    where = homes.index(home)
    last = s.last[seat, where]
    if s.deed[seat, where]:
        return f"MG-31: at {the(home)} the deed of {the(last)} must be completed first"
    if KIND[last] == Kind.EXCUSE:
        if s.excuse_start == ONLY_ACES and KIND[card] != Kind.ACE:
            return f"MG-30: only an Ace may be the first at {the(home)} (excuse-start=aces)"
    elif not share_suit(card, last):
        return f"MG-30: {the(card)} shares no suit with {the(last)}"
    return None


def _develop(s: State, card: int, home: int) -> str | None:
    if reason := _card_due(s, card) or _spot(s, s.turn, card, home):
        return reason
    if affords(s, card):
        return None
    clause = "MG-90" if KIND[card] == Kind.COURT else "MG-20"
    each = ", at least one of each" if SUIT_COUNT[card] > 1 else ""
    cost = f"{the(card)} costs {COST[card]} tokens of {_suits(card)}{each}"
    return f"{clause}: {cost}; {_purse(s, card)}"


def _deed(s: State, card: int, home: int) -> str | None:
    if reason := _card_due(s, card) or _spot(s, s.turn, card, home):
        return reason
    if affords_deed(s, card):
        return None
    clause = "MG-90" if KIND[card] == Kind.COURT else "MG-21"
    cost = f"the deed of {the(card)} costs a token of each of its suits, {_suits(card)}"
    return f"{clause}: {cost}; {_purse(s, card)}"


def _pay(s: State, n: int, suit: int) -> str | None:
    if s.phase != Phase.PAY:
        return _due(s) or "MG-20: nothing has to be paid now"
    if SUIT_NAMES[suit] != next_suit(s):
        return f"MG-20: {next_suit(s)} is the suit to pay now"
    least, most = payable(s)
    if least <= n <= most:
        return None
    return f"MG-20: {least} to {most} of the {s.due} tokens due can be {next_suit(s)}, not {n}"


def _add(s: State, suit: int, card: int) -> str | None:
    if reason := _due(s):
        return reason
    mine = [d for d in range(DISTRICTS) if s.deed[s.turn, d] and s.last[s.turn, d] == card]
    if not mine:
        return f"MG-40: {the(card)} is no incomplete deed of yours"
    if not has_suit(card, suit):
        return f"MG-40: {SUIT_NAMES[suit]} is no suit of {the(card)}"
    if s.tokens[s.turn, suit] == 0:
        return f"MG-40: you have no {SUIT_NAMES[suit]}"
    if can_add(s, s.turn, mine[0], suit):
        return None
    left = COST[card] - on_deed(s, s.turn, mine[0])
    return f"MG-40: {the(card)} has room for {left}, kept for a suit it lacks (deed-suits=each)"


def _trade(s: State, give: int, get: int) -> str | None:
    if reason := _due(s):
        return reason
    if give == get:
        return "MG-42: a trade is for a token of another suit"
    if s.tokens[s.turn, give] >= 3:
        return None
    return f"MG-42: a trade takes three {SUIT_NAMES[give]}; you have {s.tokens[s.turn, give]}"


def _collect(s: State, suit: int, card: int) -> str | None:
    if s.phase != Phase.COLLECT:
        return _due(s) or "MG-14: no deed has a token to give now"
    asked = asked_card(s)
    if asked != card:
        return f"MG-16: {the(asked)} gives its token now, not {the(card)}"
    if has_suit(card, suit):
        return None
    return f"MG-14: {SUIT_NAMES[suit]} is no suit of {the(card)}"


def _place(s: State, card: int, home: int) -> str | None:
    if s.phase != Phase.PLACE:
        return _due(s) or "MG-101: nothing is to be given to the automa now"
    if card != s.card:
        return f"MG-101: the automa gets {the(s.card)}, the card that was sold"
    if reason := _spot(s, 1, card, home):
        return reason
    where = DISTRICT[s.districts].tolist().index(home)
    if automa_takes(s, card, where):
        return None
    suits = crown_suits(s, card)
    its = "a suit" if len(suits) == 1 else "suits"
    must = f"{the(card)} must be matched by {named(suits, 'or')}, {its} of the automa's Crowns"
    if KIND[s.last[1, where]] == Kind.EXCUSE:
        return f"MG-102: {must}; at {the(home)} nothing is matched yet"
    return f"MG-102: {must}"


def _end(s: State) -> str | None:
    if reason := _due(s):
        return reason
    return "MG-10: first play one card" if s.phase == Phase.CARD else None


def _roll(s: State, n: int) -> str | None:
    if s.owed.any() or s.phase != Phase.ROLL:
        return "MG-10: the dice are rolled once, at the start of a turn"
    return f"MG-11: a die shows 1 to {DIE_SIDES}, not {n}"


def _tax(s: State, suit: int) -> str | None:
    if s.owed.any() or s.phase != Phase.TAX:
        return "MG-11: the tax follows a roll with a 1"
    return None


def _dealt(verb: str, phase: tuple[Phase, ...]) -> Callable[[State, int, int], str | None]:
    def wrong(s: State, seat: int, card: int) -> str | None:
        if not s.owed.any() or s.phase not in phase:
            return f"MG-10: there is nothing to {verb} now"
        if seat != next_owed(s) + 1:
            return f"MG-3: seat {next_owed(s) + 1} gets the next card, not seat {seat}"
        place = Place.BOX if verb == "crown" else Place.PILE
        crown = KIND[card] == Kind.CROWN
        if crown != (verb == "crown") or s.where[card] != place:
            return f"MG-50: {the(card)} is not among the cards that can come"
        return None

    return wrong


_DRAWS = tuple(phase for phase in Phase if phase not in (Phase.CROWN, Phase.DEAL, Phase.OVER))

SENTENCES: dict[str, Callable[..., str | None]] = {
    f"sell {_CARD}": _card_due,
    f"develop {_CARD} at {_CARD}": _develop,
    f"deed {_CARD} at {_CARD}": _deed,
    rf"pay (\d{{1,4}}) {_SUIT}": _pay,
    f"add {_SUIT} to {_CARD}": _add,
    f"trade {_SUIT} for {_SUIT}": _trade,
    f"collect {_SUIT} for {_CARD}": _collect,
    f"place {_CARD} at {_CARD}": _place,
    "end": _end,
    r"roll (\d{1,4})": _roll,
    f"tax {_SUIT}": _tax,
    rf"crown (\d) {_CARD}": _dealt("crown", (Phase.CROWN,)),
    rf"deal (\d) {_CARD}": _dealt("deal", (Phase.DEAL,)),
    rf"draw (\d) {_CARD}": _dealt("draw", _DRAWS),
}
"""Every sentence of the game, and what can be wrong with it."""
