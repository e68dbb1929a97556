"""Nights that failed just now: what was rolled, what was needed, and what is lost.

The turn has passed when a face is drawn; those who look must see first how it came to that.
"""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from yegg.engine import CHANCE, Ints
from yegg.games.second_story.rules import Choice, Phase, State, needed, play
from yegg.games.second_story.words import TEXTS, loot, the
from yegg.parts.decktet import KIND, N_CARDS, N_SUITS, SLUGS, SUIT_NAMES, SUITS, Kind

from .tonight import Told, house, tonight

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
        last = last_roll(s, seat, lairs, night) if known else None
        if last is None:
            break
        failed.append({"seat": seat, "name": names[seat], **last})
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
        verb, _, what = told[i][1].partition(" ")
        before = told[i - 1][1] if i else ""
        if verb == "flip" and before != "continue" and not passed_by(before):
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


def last_roll(s: State, seat: int, lairs: Ints, night: Told) -> dict[str, Any] | None:
    """How a night failed, played again by the rules; None if it did not."""
    texts = [text for _, text in night]
    t = cast("Any", s).copy()
    t.turn, t.lair, t.bag, t.bank = seat, lairs, 0, s.chips - lairs.sum(axis=0)
    t.pile, t.face_down, t.discards, t.tonight, t.turned = range(N_CARDS), N_CARDS, 0, 0, 0
    t.owner = seat + 1 if {"excuse", "flee"} & set(texts) else 0
    t.phase, t.due, t.after, t.dice, t.last_turns = Phase.FLIP, 0, 0, 0, -1
    dice: list[int] = []
    for text in texts[:-1]:
        verb, _, what = text.partition(" ")
        dice = [*dice, int(what)] if verb == "roll" else []
        play(t, TEXTS.index(text))
    verb, _, what = texts[-1].partition(" ")
    if verb == "roll" and t.dice == 1:
        dice.append(int(what))
    elif verb != "flee":
        return None
    need, card = needed(t.house, t.plan), int(t.house)
    if max(dice) >= need:
        return None
    lost = [SUIT_NAMES[suit] for suit in range(N_SUITS) for _ in range(t.bag[suit])]
    plan = "" if KIND[card] == Kind.CROWN else Choice(t.plan).name.lower().replace("_", " ")
    return {
        "house": house(card),
        "at": the(card),
        "plan": plan,
        "dice": dice,
        "need": need,
        "lost": lost,
        "loot": loot(t.bag),
    }
