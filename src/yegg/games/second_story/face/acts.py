"""What a burglar may do, as buttons, and what is expected but must wait."""

from collections.abc import Mapping
from typing import Any

from yegg.games.second_story.lore import chance
from yegg.games.second_story.rules import needed
from yegg.games.second_story.state import Choice, Phase, State
from yegg.parts.decktet import ONE_SUIT, SUIT_COUNT, SUIT_NAMES, SUITS
from yegg.parts.suits import LETTERS

from .tonight import PLANS


def acts(s: State, seat: int, legal: Mapping[str, int]) -> list[dict[str, Any]]:
    """What the burglar may do, and what is expected but must wait."""
    match Phase(s.phase):
        case Phase.PLAN:
            return [*(plan(s, choice, text) for text, choice in legal.items()), FACE_IT]
        case Phase.TAKE:
            return [chip(s, choice, text) for text, choice in legal.items()]
        case Phase.JAM:
            return [way_out(s, choice, text) for text, choice in legal.items()]
    bag = int(s.bag.sum())
    home = f"home with {bag} {'chip' if bag == 1 else 'chips'}" if bag else "home with an empty bag"
    return [
        {"text": "continue", "verb": "Continue", "key": "c", "says": "turn up another house"},
        {"text": "stop", "verb": "Stop", "key": "s", "says": home},
    ]


FACE_IT = {
    "text": "stop",
    "verb": "Stop",
    "key": "s",
    "no": "Face this house first.",
    "clause": "SS-18",
}


def plan(s: State, choice: int, text: str) -> dict[str, Any]:
    """SS-13, SS-50: a way to rob the house, what it needs and what it brings."""
    need, quick = needed(s.house, choice), choice == Choice.QUICK
    an = "an" if need == 8 else "a"
    suits = [SUITS[s.house, i] for i in range(SUIT_COUNT[s.house])]
    there = [suit for suit in suits if s.bank[suit] > 0]
    whole = choice in (Choice.THOROUGH, Choice.ALL_FLATS)
    if choice == Choice.SEVERAL_FLATS and len(there) > 2:
        gain = "two chips of different suits: "
    else:
        gain = "" if there else "the bank has none of its suits"
    return {
        "text": text,
        "verb": PLANS[choice].capitalize(),
        "dice": 2 if quick else 1,
        "says": f"two dice, {an} {need} or more" if quick else f"one die, {need} or more",
        "gain": gain,
        "signs": [{"suit": SUIT_NAMES[suit], "word": ONE_SUIT[suit]} for suit in there],
        "join": "and" if whole else "or",
        "chance": float(chance(s.house, choice)),
    }


def chip(s: State, choice: int, text: str) -> dict[str, Any]:
    """SS-16: one suit that may be taken; SS-37: or none."""
    if choice == Choice.LEAVE:
        says = "and take no more here" if s.after else "and take nothing here"
        return {"text": text, "verb": "Leave it", "key": "e", "says": says}
    suit = choice - Choice.TAKE
    mine, left = int(s.lair[s.turn, suit]), int(s.bank[suit])
    return {
        "text": text,
        "verb": f"A {ONE_SUIT[suit]}",
        "suit": SUIT_NAMES[suit],
        "key": LETTERS[suit].lower(),
        "says": f"{mine} in your lair, {left} in the bank",
    }


def way_out(s: State, choice: int, text: str) -> dict[str, Any]:
    """SS-23, SS-42: what can still be done about a failed roll."""
    if choice == Choice.FLEE:
        lost = int(s.bag.sum())
        return {"text": text, "verb": "Flee", "key": "f", "says": going(lost)}
    odds = float(chance(s.house, s.plan))
    if choice == Choice.RISK:
        suit = ONE_SUIT[SUITS[s.house, 0]]
        says = f"a {suit} from your lair, and both dice again"
        return {"text": text, "verb": "Risk", "key": "k", "says": says, "chance": odds}
    says = "give up the Excuse and roll again"
    return {"text": text, "verb": "Excuse", "key": "e", "says": says, "chance": odds}


def going(lost: int) -> str:
    """SS-24: what the burglar leaves behind."""
    return f"{lost or 'no'} {'chip goes' if lost == 1 else 'chips go'} back"
