"""Why something cannot be done in Second Story, with the clause."""

from yegg.parts.decktet import KIND, NAMES, SLUGS, SUIT_COUNT, SUIT_NAMES, SUITS, Kind, the
from yegg.text.phrases import listing

from .rules import can_risk, has_excuse, may_leave
from .state import DIE_SIDES, Choice, Phase, State

TEXTS = (
    *(f"flip {slug}" for slug in SLUGS),
    *(f"roll {face}" for face in range(1, DIE_SIDES + 1)),
    *(choice.name.lower().replace("_", "-") for choice in list(Choice)[1:-2]),
    *(f"take {suit}" for suit in SUIT_NAMES),
    "leave",
)
"""The text of every choice."""


def why_not(s: State, text: str) -> str | None:
    """Why a sentence of the game is not possible now, with the clause; None if it is none."""
    if text not in TEXTS:
        return None
    phase = Phase(s.phase)
    if phase == Phase.FLIP and text.startswith("flip "):
        return f"SS-11: {NAMES[TEXTS.index(text)]} is not in the draw pile"
    if phase == Phase.PLAN:
        return _why_not_plan(s, text)
    if phase == Phase.TAKE:
        return _why_not_take(s, text)
    if phase == Phase.JAM:
        return _why_not_out(s, text)
    return {
        Phase.FLIP: "SS-10: a card is turned up first",
        Phase.ROLL: "SS-14: a die is rolled first, and shows 1 to 10",
        Phase.ROAD: "SS-18: the house is robbed; stop or continue",
        Phase.OVER: "SS-60: the last night is over",
    }[phase]


def _why_not_plan(s: State, text: str) -> str:
    if text in ("stop", "continue"):
        return "SS-18: a card that is turned up must be faced"
    if KIND[s.house] >= Kind.PAWN:
        return "SS-50: at a tenement you choose one, several or all flats"
    return "SS-13: at a house you are thorough or quick"


def _why_not_take(s: State, text: str) -> str:
    if text == "leave":
        return "SS-36: you take a chip that the bank has; only the option decline lets you leave it"
    if not text.startswith("take "):
        return "SS-36: first you take a chip" + (", or leave it (SS-37)" if may_leave(s) else "")
    suit = SUIT_NAMES.index(text.removeprefix("take "))
    if suit not in SUITS[s.house, : SUIT_COUNT[s.house]]:
        clause = 50 if KIND[s.house] >= Kind.PAWN else 16
        return f"SS-{clause}: {the(s.house)} has no {SUIT_NAMES[suit]}"
    if s.bank[suit] == 0:
        return f"SS-36: the bank has no {SUIT_NAMES[suit]} left"
    return f"SS-{37 if may_leave(s) else 50}: chips of one house are taken in suit order"


def _why_not_out(s: State, text: str) -> str:
    if text == "risk":
        return "SS-23: a second chance is for a Crown, with a chip of its suit in your lair"
    if text == "excuse":
        return "SS-42: the Excuse does not lie in your lair"
    ways = [way for way, there in (("risk", can_risk(s)), ("excuse", has_excuse(s))) if there]
    return f"SS-17: the roll failed; {listing([*ways, 'flee'], 'or')}"
