"""Tonight's houses in their order, and nights that failed just now, which the state does not keep.

The turn has already passed when a face is drawn; people must see first why it has.
"""

from collections.abc import Sequence
from itertools import dropwhile, takewhile
from typing import Any

from yegg.games.second_story.events import Event
from yegg.games.second_story.rules import needed
from yegg.games.second_story.state import Choice, State
from yegg.games.second_story.words import named
from yegg.parts.decktet import KIND, NAMES, RANK, SLUGS, SUIT_COUNT, SUIT_NAMES, SUITS, Kind, the
from yegg.text.phrases import listing

PLANS: dict[int, str] = {
    plan: plan.name.lower().replace("_", " ")
    for plan in Choice
    if Choice.THOROUGH <= plan <= Choice.ALL_FLATS
}
"""The ways to rob a house, as people call them."""
FRONTS = {"low": (92, 108), "mid": (70, 86), "tall": (50, 66), "tower": (50, 66)}
"""Of each front: where its number stands and its windows begin."""


def night(s: State, told: Sequence[Event]) -> tuple[list[dict[str, Any]], list[int]]:
    """Tonight's houses in order, each with what happened there; and the dice last rolled."""
    houses: list[dict[str, Any]] = []
    rolled: list[int] = []
    for event in dropwhile(lambda event: event.choice >= Choice.ROLL, tonight(s, told)):
        if event.choice < Choice.ROLL:
            houses.append(house(event.choice))
            rolled = []
        elif face := face_of(event):
            rolled.append(face)
            houses[-1]["rolled"] = rolled
        elif event.choice in PLANS:
            houses[-1]["plan"] = PLANS[event.choice]
            rolled = []
        elif event.choice in (Choice.RISK, Choice.EXCUSE):
            rolled = []
    for past in houses:
        past["note"] = summary(past)
    return houses, rolled


def tonight(s: State, told: Sequence[Event]) -> list[Event]:
    """What has happened this night."""
    return of_seat(int(s.turn), told)


def of_seat(seat: int, told: Sequence[Event]) -> list[Event]:
    """The newest events, as far back as it was this seat's night."""
    return list(takewhile(lambda event: event.seat == seat, reversed(told)))[::-1]


def face_of(event: Event) -> int:
    """What a die showed; 0: this was no roll."""
    rolled = Choice.ROLL <= event.choice < Choice.THOROUGH
    return event.choice - Choice.ROLL + 1 if rolled else 0


def house(card: int) -> dict[str, Any]:
    """A card as a house: the higher its rank, the taller."""
    kind, rank = Kind(KIND[card]), int(RANK[card])
    front = "low" if rank < 5 else "mid" if rank < 7 else "tall" if rank < 10 else "tower"
    if kind in (Kind.PAWN, Kind.COURT):
        front = "tall"
    label = {Kind.ACE: "A", Kind.EXCUSE: "E", Kind.PAWN: "P", Kind.COURT: "C"}
    suits = [SUIT_NAMES[SUITS[card, i]] for i in range(SUIT_COUNT[card])]
    number, windows = FRONTS[front]
    return {
        "card": SLUGS[card],
        "name": NAMES[card],
        "kind": kind.name.lower(),
        "label": label.get(kind, str(rank)),
        "suits": suits,
        "front": front,
        "number": number,
        "windows": list(zip(WHERE[len(suits)], suits, strict=True)),
        "top": windows,
        "plan": "",
        "rolled": [],
    }


WHERE: dict[int, list[tuple[int, int]]] = {
    0: [],
    1: [(43, 0)],
    2: [(21, 0), (65, 0)],
    3: [(21, 0), (65, 0), (43, 40)],
}
"""The windows' corners, across and from the top one down."""


def summary(past: dict[str, Any]) -> str:
    """What happened there, in a few words."""
    if past["kind"] == "ace":
        return "luck, good or bad"
    if past["kind"] == "excuse":
        return "beside the bag"
    dice = " and ".join(map(str, past["rolled"]))
    if past["plan"]:
        return f"{past['plan']}, {dice}" if dice else past["plan"]
    return f"two dice, {dice}" if dice else " and ".join(past["suits"])


MOST = 3  # failed nights that are shown


def fallen(s: State, names: Sequence[str], told: Sequence[Event]) -> list[dict[str, Any]]:
    """The failed nights before this one in which nobody has chosen anything since, oldest first."""
    failed: list[dict[str, Any]] = []
    before = told[: len(told) - len(tonight(s, told))]
    while before and before[-1].detected and len(failed) < MOST:
        night = of_seat(before[-1].seat, before)
        failed.append(failure(night, names))
        if not all(event.by_chance for event in night):
            break
        before = before[: -len(night)]
    return failed[::-1]


def none_chosen(s: State, told: Sequence[Event]) -> bool:
    """Whether nobody has chosen anything since the night began: what failed before is news."""
    return all(event.by_chance for event in tonight(s, told))


def failure(night: Sequence[Event], names: Sequence[str]) -> dict[str, Any]:
    """How a night failed: at which house, by which dice, and what that cost."""
    last = night[-1]
    rolls = night[:-1] if last.choice == Choice.FLEE else night
    dice = list(takewhile(bool, (face_of(event) for event in reversed(rolls))))
    return {
        "seat": last.seat,
        "name": names[last.seat],
        "house": house(last.house),
        "at": the(last.house),
        "plan": "" if KIND[last.house] == Kind.CROWN else PLANS[last.plan],
        "dice": dice[::-1],
        "need": int(needed(last.house, last.plan)),
        "lost": [suit for suit, n in zip(SUIT_NAMES, last.bag, strict=True) for _ in range(n)],
        "loot": listing(named(last.bag)),
    }
