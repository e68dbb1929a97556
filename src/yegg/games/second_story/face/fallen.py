"""Nights that failed just now: what was rolled, what was needed, and what is lost.

The turn has passed when a face is drawn; those who look must see first how it came to that.
"""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from yegg.engine import CHANCE, Ints
from yegg.engine.prose import listing
from yegg.games.second_story.rules import Choice, Phase, State, needed, play
from yegg.games.second_story.words import TEXTS, named, the
from yegg.parts.decktet import KIND, N_CARDS, N_SUITS, SLUGS, SUIT_NAMES, SUITS, Kind

from .tonight import PLANS, Told, house, tonight

MOST = 3  # failed nights that are shown
TOLD = 80  # events that a face is told at most: what came before is not known


def fallen(s: State, names: Sequence[str], told: Told) -> list[dict[str, Any]]:
    """The failed nights before this one in which nobody has chosen anything since, oldest first."""
    now = tonight(told, int(s.turned))
    end = len(told) - len(now)
    lairs = s.lair + risked(now, int(s.turn))
    failed: list[dict[str, Any]] = []
    while end > 0 and len(failed) < MOST:
        begin = begun(told, end)
        night, seat = told[begin:end], int(s.turn - 1 - len(failed)) % int(s.players)
        lairs = lairs + risked(night, seat)
        known = begin > 0 or len(told) < TOLD
        how = failure(s, seat, lairs, night) if known else None
        if how is None:
            break
        failed.append({"seat": seat, "name": names[seat], **how})
        if any(actor != CHANCE for actor, _ in night):
            break
        end = begin
    return failed[::-1]


def fresh(s: State, told: Told) -> bool:
    """Whether nobody has chosen anything since the night began: what failed before is news."""
    return all(actor == CHANCE for actor, _ in tonight(told, int(s.turned)))


def begun(told: Told, end: int) -> int:
    """Where the night began that was over before an event."""
    for i in range(end - 1, -1, -1):
        before = told[i - 1][1] if i else ""
        if told[i][1].startswith("flip ") and before != "continue" and not passed_by(before):
            return i
    return 0


def passed_by(text: str) -> bool:
    """SS-31, SS-40: whether a card was turned up after which another one is."""
    verb, _, card = text.partition(" ")
    return verb == "flip" and KIND[SLUGS.index(card)] in (Kind.ACE, Kind.EXCUSE)


def risked(night: Told, seat: int) -> Ints:
    """SS-23: what a night took from a lair, by seat and suit."""
    chips = np.zeros(State.dtype["lair"].shape, np.int32)
    card = 0
    for _, text in night:
        verb, _, what = text.partition(" ")
        if verb == "flip":
            card = SLUGS.index(what)
        chips[seat, SUITS[card, 0]] += verb == "risk"
    return chips


def failure(s: State, seat: int, lairs: Ints, night: Told) -> dict[str, Any] | None:
    """How a night failed, with lairs as they were before it; None if it did not."""
    card, plan, dice = last_job([text for _, text in night])
    need = needed(card, plan)
    if not night[-1][1].startswith(("roll", "flee")) or max(dice, default=need) >= need:
        return None
    bag = in_the_bag(s, seat, lairs, night)
    return {
        "house": house(card),
        "at": the(card),
        "plan": "" if KIND[card] == Kind.CROWN else Choice(plan).name.lower().replace("_", " "),
        "dice": dice,
        "need": need,
        "lost": [SUIT_NAMES[suit] for suit in range(N_SUITS) for _ in range(bag[suit])],
        "loot": listing(named(bag)),
    }


def last_job(texts: list[str]) -> tuple[int, int, list[int]]:
    """The last house of a night, how it was tried, and its last roll."""
    card, plan, dice = 0, int(Choice.QUICK), []
    for text in texts:
        verb, _, what = text.partition(" ")
        if verb == "roll":
            dice.append(int(what))
        elif verb != "flee":
            dice = []
        if verb == "flip":
            card, plan = SLUGS.index(what), int(Choice.QUICK)
        elif verb in PLANS:
            plan = TEXTS.index(text)
    return card, plan, dice


def in_the_bag(s: State, seat: int, lairs: Ints, night: Told) -> Ints:
    """What a failed night had in the bag before its last event: the rules play it again."""
    t = cast("Any", s).copy()
    t.turn, t.lair, t.bag, t.bank = seat, lairs, 0, s.chips - lairs.sum(axis=0)
    t.pile, t.face_down, t.discards, t.tonight, t.turned = range(N_CARDS), N_CARDS, 0, 0, 0
    t.owner = seat + 1 if any(text in ("excuse", "flee") for _, text in night) else 0
    t.phase, t.due, t.after, t.dice, t.last_turns = Phase.FLIP, 0, 0, 0, -1
    for _, text in night[:-1]:
        play(t, TEXTS.index(text))
    return np.array(t.bag)
