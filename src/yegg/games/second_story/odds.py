"""The odds behind each choice of Second Story."""

from functools import cache
from typing import Any, cast

from yegg.parts.decktet import KIND, N_CARDS, Kind
from yegg.text.phrases import counted, number, percent

from .lore import chance
from .rules import needed, to_be_had, turn_up, wanted
from .state import Choice, Phase, State

DEALT = range(N_CARDS)  # chance's choices that are cards


def odds(s: State, choice: int) -> str:
    """A line of probabilities, or "" where there are none."""
    match Phase(s.phase):
        case Phase.PLAN:
            return f"{job(s, choice)}{stake(int(s.bag.sum()))}"
        case Phase.JAM if choice != Choice.FLEE:
            works = percent(chance(s.house, s.plan))
            risked = int(choice == Choice.RISK)
            return f"Works {works} of the time{stake(int(s.bag.sum()) + risked)}"
        case Phase.ROAD if choice == Choice.CONTINUE:
            fails = percent(failure(s))
            return f"The next house fails you {fails} of the time, however careful you are."
    return ""


def outlook(s: State, seat: int) -> str:
    """How often each sort of card comes next, when the seat may go on to another house."""
    if Phase(s.phase) != Phase.ROAD or seat != s.turn:
        return ""
    shown = (f"{name} {percent(share)}" for name, share in ahead(s))
    return f"The next card: {', '.join(shown)}"


def job(s: State, plan: int) -> str:
    """What a job needs and brings."""
    dice = "Two dice, one of them" if plan == Choice.QUICK else "One die,"
    chips = min(wanted(plan), to_be_had(s))
    gain = {0: "nothing", 1: "one chip"}.get(chips, f"{number(chips)} chips")
    return f"{dice} {needed(s.house, plan)} or more: {percent(chance(s.house, plan))} for {gain}"


def stake(chips: int) -> str:
    """What a failure costs: the end of a sentence about the odds."""
    return f"; failing costs {counted(chips, 'chip')}." if chips else "."


def next_pile(s: State, *, another: bool = False) -> list[int]:
    """The cards of which one will be turned up next: the discards, if the pile is empty.

    ``another``: the pile that will be shuffled once this one has run out.
    """
    after = cast("Any", s)
    if another or not s.face_down:
        after = after.copy()
        after.face_down = 0
        turn_up(after)
    pile: list[int] = after.pile[: after.face_down].tolist()
    return pile


def ahead(s: State) -> list[tuple[str, float]]:
    """The sorts of houses that may come next, each with its share."""
    pile = next_pile(s)
    sorts = [sort_of(card) for card in pile]
    return [(sort, sorts.count(sort) / len(pile)) for sort in SORTS if sort in sorts]


def failure(s: State) -> float:
    """The chance to be detected at the next house, if what is safest is done there.

    Aces and the Excuse may be turned up before it; every house stays equally likely.
    """
    houses = houses_in(next_pile(s)) or houses_in(next_pile(s, another=True))
    return sum(1 - safest(card) for card in houses) / max(len(houses), 1)


def houses_in(pile: list[int]) -> list[int]:
    """The cards that must be robbed."""
    return [card for card in pile if KIND[card] not in (Kind.ACE, Kind.EXCUSE)]


SORTS = ("Ace", "Excuse", "rank 2 to 5", "rank 6 to 9", "Crown", "tenement")


@cache
def sort_of(card: int) -> str:
    """What sort of house a card is, one of ``SORTS``."""
    kind = Kind(KIND[card])
    if kind == Kind.NUMBER:
        return "rank 2 to 5" if needed(card, Choice.THOROUGH) <= 5 else "rank 6 to 9"
    return {Kind.ACE: "Ace", Kind.EXCUSE: "Excuse", Kind.CROWN: "Crown"}.get(kind, "tenement")


def safest(card: int) -> float:
    """The best chance to come out of a house undetected."""
    return chance(card, Choice.ONE_FLAT if KIND[card] >= Kind.PAWN else Choice.QUICK)
