"""What cannot be in a position of Second Story, however it was come by."""

from collections.abc import Iterator

import numpy as np

from yegg.parts.decktet import EXCUSE, KIND, N_CARDS, SUIT_COUNT, Kind

from .rules import in_deck, no_house_left, wanted
from .state import Choice, Phase, State


def faults(s: State) -> Iterator[str]:
    """Sentences about what cannot be, the first at once; the fields are within their bounds."""
    if s.turn >= s.players or s.last_turns > s.players or s.owner > s.players:
        yield "a seat is named that nobody has"
    if np.any(s.lair[s.players :]) or np.any(s.bank + s.bag + s.lair.sum(axis=0) != s.chips):
        yield f"there are not {s.chips} chips of each suit (SS-2)"
    yield from of_cards(s)
    yield from of_phase(s)


def of_cards(s: State) -> Iterator[str]:
    """SS-1, SS-11: every card of the deck lies in one place."""
    pile = s.pile[: s.face_down].tolist()
    deck = [card for card in range(N_CARDS) if in_deck(s, card)]
    night = np.flatnonzero(s.tonight).tolist()
    kept = [EXCUSE] if s.owner else []
    if pile != sorted(pile) or np.any(s.pile[s.face_down :]):
        yield "the draw pile is not in card order"
    there = [*pile, *night, *kept]
    if len(set(there)) < len(there) or not set(there) <= set(deck):
        yield "a card lies in two places, or is not in the deck (SS-1)"
    if s.turned != len(night) or s.discards != len(deck) - len(there):
        yield "the cards do not add up to the deck (SS-1)"


def of_phase(s: State) -> Iterator[str]:
    """What each phase needs: a house that is being robbed, and how."""
    at_house = s.phase in (Phase.PLAN, Phase.ROLL, Phase.TAKE, Phase.JAM)
    planned = at_house and s.phase != Phase.PLAN
    if not at_house and s.house:
        yield "no house is being robbed, but one is named"
    if at_house and not s.tonight[s.house]:
        yield "the house being robbed does not lie on the table"
    if at_house and s.plan not in plans(s) if planned else s.plan:
        yield "the house is not robbed like that (SS-13)"
    if bool(s.dice) != (s.phase == Phase.ROLL) or (s.plan != Choice.QUICK and s.dice > 1):
        yield f"{s.dice} dice are not rolled now"
    if s.best and s.phase != Phase.ROLL:
        yield "a die is kept that nobody rolled"
    if bool(s.due) != (s.phase == Phase.TAKE) or s.due > wanted(s.plan):
        yield f"{s.due} chips are not to be taken now (SS-16)"
    if s.after >= (SUIT_COUNT[s.house] if s.phase == Phase.TAKE else 1):
        yield "the house has no such suit"
    if s.phase == Phase.ROAD and no_house_left(s):
        yield "there is no other house to go on to (SS-12)"
    if s.phase == Phase.OVER and s.last_turns:
        yield "the game is over before its last turn (SS-60)"


def plans(s: State) -> tuple[Choice, ...]:
    """SS-13, SS-20, SS-50: how the house can be robbed."""
    kind = KIND[s.house]
    if kind == Kind.NUMBER:
        return Choice.THOROUGH, Choice.QUICK
    if kind == Kind.CROWN:
        return (Choice.QUICK,)
    return (Choice.ONE_FLAT, Choice.SEVERAL_FLATS, Choice.ALL_FLATS) if kind >= Kind.PAWN else ()
