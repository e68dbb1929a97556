"""The odds behind each choice of Second Story."""

from typing import Any, cast

from yegg.parts.decktet import KIND, SUIT_COUNT, SUITS, Kind

from .lore import chance, wanted
from .rules import Choice, Phase, State, needed, turn_up


def odds(s: State, choice: int) -> str:
    """A line of probabilities, or "" where there are none."""
    match Phase(s.phase):
        case Phase.PLAN:
            return f"{job(s, choice)}; fails {1 - chance(s.house, choice):.0%}" + stake(s)
        case Phase.JAM if choice != Choice.FLEE:
            return f"works {chance(s.house, s.plan):.0%}" + stake(s)
        case Phase.ROAD if choice == Choice.CONTINUE:
            return on_the_road(s)
    return ""


def job(s: State, plan: int) -> str:
    """What a job needs and brings."""
    dice = "two dice, one of them" if plan == Choice.QUICK else "one die,"
    there = sum(s.bank[suit] > 0 for suit in SUITS[s.house, : SUIT_COUNT[s.house]])
    chips = min(wanted(plan), int(there))
    gain = {0: "nothing", 1: "one chip"}.get(chips, f"{chips} chips")
    need, p = needed(s.house, plan), chance(s.house, plan)
    return f"{dice} {need} or more: {p:.0%} for {gain}"


def stake(s: State) -> str:
    """What is lost by failing."""
    lost = int(s.bag.sum())
    return f", with {lost} in the bag" if lost else ", nothing in the bag"


def on_the_road(s: State) -> str:
    """The next card: how often an easy house, a hard one, a Crown, or luck."""
    after = cast("Any", s).copy()
    turn_up(after)
    pile = after.pile[: after.face_down].tolist()
    groups = {"Ace or Excuse": 0, "2-5": 0, "6-9": 0, "Crown": 0, "tenement": 0}
    fails = 0.0
    for card in pile:
        groups[group(card)] += 1
        fails += 1 - safest(card)
    shown = ", ".join(f"{name} {n / len(pile):.0%}" for name, n in groups.items() if n)
    return f"{shown}; the safest job fails {fails / len(pile):.0%}{stake(s)}"


def group(card: int) -> str:
    """What sort of house a card is."""
    kind = Kind(KIND[card])
    if kind in (Kind.ACE, Kind.EXCUSE):
        return "Ace or Excuse"
    if kind == Kind.NUMBER:
        return "2-5" if needed(card, Choice.THOROUGH) <= 5 else "6-9"
    return "Crown" if kind == Kind.CROWN else "tenement"


def safest(card: int) -> float:
    """The best chance to come out of a house undetected."""
    kind = Kind(KIND[card])
    if kind in (Kind.ACE, Kind.EXCUSE):
        return 1.0
    return chance(card, Choice.ONE_FLAT if kind >= Kind.PAWN else Choice.QUICK)
