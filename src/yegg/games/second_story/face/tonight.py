"""What the state does not keep: in which order tonight's houses came, and what they gave."""

from collections.abc import Sequence
from typing import Any

from yegg.games.second_story.rules import State
from yegg.games.second_story.words import ONE
from yegg.parts.decktet import KIND, NAMES, RANK, SLUGS, SUIT_COUNT, SUIT_NAMES, SUITS, Kind

Told = Sequence[tuple[int, str]]
SIGNED = dict(zip(SUIT_NAMES, ONE, strict=True))
"""One of a suit, by the suit's name."""
PLANS = ("thorough", "quick", "one-flat", "several-flats", "all-flats")
FRONTS = {"low": (92, 108), "mid": (70, 86), "tall": (50, 66), "tower": (50, 66)}
"""Of each front: where its number stands and its windows begin."""


def night(s: State, told: Told) -> tuple[list[dict[str, Any]], list[int]]:
    """Tonight's houses in order, each with what happened there; and the dice last rolled."""
    houses: list[dict[str, Any]] = []
    rolled: list[int] = []
    for _, text in tonight(told, int(s.turned)):
        word, _, what = text.partition(" ")
        if word == "flip":
            houses.append(house(SLUGS.index(what)))
            rolled = []
        elif word in PLANS and houses:
            houses[-1]["plan"] = word.replace("-", " ")
            rolled = []
        elif word in ("risk", "excuse"):
            rolled = []
        elif word == "roll" and houses:
            rolled.append(int(what))
            houses[-1]["rolled"] = rolled
    for past in houses:
        past["note"] = note(past)
    return houses, rolled


def tonight(told: Told, cards: int) -> Told:
    """The events since the night began, when so many cards ago the first was turned up."""
    if cards == 0:
        return []
    for i in range(len(told) - 1, -1, -1):
        if told[i][1].startswith("flip "):
            cards -= 1
            if cards == 0:
                return told[i:]
    return told


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


def note(past: dict[str, Any]) -> str:
    """What happened there, in a few words."""
    if past["kind"] == "ace":
        return "luck, good or bad"
    if past["kind"] == "excuse":
        return "beside the bag"
    dice = " and ".join(map(str, past["rolled"]))
    if past["plan"]:
        return f"{past['plan']}, {dice}" if dice else past["plan"]
    return f"two dice, {dice}" if dice else " and ".join(past["suits"])
