"""Nights that failed just now: what was rolled, what was needed, and what is lost.

The turn has already passed when a face is drawn; people must see first why it has.
"""

from collections.abc import Sequence
from itertools import takewhile
from typing import Any

from yegg.games.second_story.events import Event
from yegg.games.second_story.rules import needed
from yegg.games.second_story.state import Choice, State
from yegg.games.second_story.words import named
from yegg.parts.decktet import KIND, SUIT_NAMES, Kind, the
from yegg.text.phrases import listing

from .tonight import PLANS, face_of, house, of_seat, tonight

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


def fresh(s: State, told: Sequence[Event]) -> bool:
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
