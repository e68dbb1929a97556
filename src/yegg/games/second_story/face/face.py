"""Second Story in the browser: a street of houses by night, the bag, the bank, the lairs."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from yegg.games.second_story.events import Event
from yegg.games.second_story.lore import chance
from yegg.games.second_story.odds import ahead
from yegg.games.second_story.rules import needed
from yegg.games.second_story.state import Choice, Phase, State
from yegg.parts.decktet import N_SUITS, ONE_SUIT, SUIT_COUNT, SUIT_NAMES, SUITS
from yegg.parts.suits import LETTERS

from .tonight import PLANS, fallen, night, none_chosen

BEATS = {"flip"}  # each begins a beat of the show


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


PLACES = ("first", "second", "third", "fourth", "fifth")


def scene(s: State, names: Sequence[str], seat: int, told: Sequence[Event]) -> dict[str, Any]:
    """The position as plain fields."""
    houses, rolled = night(s, told)
    bag = [SUIT_NAMES[suit] for suit in range(N_SUITS) for _ in range(s.bag[suit])]
    new = s.phase != Phase.OVER and none_chosen(s, told)
    return {
        "phase": Phase(s.phase).name.lower(),
        "burglar": int(s.turn),
        "houses": houses[:-1] if s.house else houses,
        "here": houses[-1] if s.house and houses else None,
        "rolled": rolled if s.phase in (Phase.TAKE, Phase.JAM, Phase.ROAD) else [],
        "bag": bag,
        "bank": [stack(SUIT_NAMES[i], int(s.bank[i]), int(s.chips)) for i in range(N_SUITS)],
        "slots": int(s.chips),
        "pile": int(s.face_down),
        "discards": int(s.discards),
        "last_turns": int(s.last_turns),
        "lairs": lairs(s, names),
        "hint": hint(s, seat),
        "ahead": [] if s.phase == Phase.OVER else ahead(s),
        "fallen": fallen(s, names, told) if new or len(houses) < 2 else [],
        "fresh": new,
    }


def pause(s: State, told: Sequence[Event]) -> float:
    """How many times longer a bot waits, so that people see how the last night has failed."""
    return 1 + 5 * len(fallen(s, [""] * int(s.players), told)) if none_chosen(s, told) else 1


@cache
def stack(suit: str, chips: int, slots: int) -> dict[str, Any]:
    """A suit's chips in the bank, drawn from below in as many slots as there are chips."""
    tops = [round(8.6 * (slots - 1 - i) + 4.6, 1) for i in range(slots)]
    return {
        "suit": suit,
        "chips": chips,
        "discs": "".join(f"M1.5 {y}h53v7.2h-53z" for y in tops[:chips]),
        "slots": "".join(f"M1.5 {y}h53v7.2h-53z" for y in tops[chips:]),
        "notches": "".join(f"M10 {y}v7.2M28 {y}v7.2M46 {y}v7.2" for y in tops[:chips]),
    }


def order(lair: Any) -> list[int]:
    """SS-70, SS-71: what is compared: the second most numerous suit, the third, and so on."""
    return sorted(map(int, lair), reverse=True)[1:]


def place(mine: list[int], everybody: list[list[int]]) -> str:
    """SS-71: the place of one lair among all."""
    tied = "tied for " if everybody.count(mine) > 1 else ""
    return tied + PLACES[sum(other > mine for other in everybody)]


def counts(lair: Any) -> list[dict[str, Any]]:
    """SS-70: chips by suit, the most numerous first."""
    order = sorted(range(N_SUITS), key=lambda suit: -lair[suit])
    return [{"suit": SUIT_NAMES[suit], "chips": int(lair[suit])} for suit in order]


def lairs(s: State, names: Sequence[str]) -> list[dict[str, Any]]:
    """Everybody's lair; the burglar's also as it would be with the bag."""
    players = int(s.players)
    all_lairs = [order(s.lair[seat]) for seat in range(players)]
    return [
        {
            "seat": seat,
            "name": names[seat],
            "place": place(all_lairs[seat], all_lairs),
            "chips": counts(s.lair[seat]),
            "excuse": bool(s.owner == seat + 1),
            "with_bag": counts(s.lair[seat] + s.bag) if seat == s.turn and s.bag.any() else None,
        }
        for seat in range(players)
    ]


def hint(s: State, seat: int) -> str:
    """What going home now would make of the burglar's own lair."""
    if seat != s.turn or not s.bag.any():
        return ""
    home = order(s.lair[seat] + s.bag)
    others = [order(s.lair[i]) for i in range(s.players) if i != seat]
    return f"Home with the bag you would score {home[0]} and be {place(home, [home, *others])}."


def verdict(s: State, names: Sequence[str]) -> str:
    """SS-70, SS-71: what decided."""
    ranked = sorted(range(s.players), key=lambda seat: order(s.lair[seat]), reverse=True)
    first, second = ranked[:2]
    if order(s.lair[first]) == order(s.lair[second]):
        return "All suits from the second to the sixth are equal. (SS-71)"
    one = [c["chips"] for c in counts(s.lair[first])]
    two = [c["chips"] for c in counts(s.lair[second])]
    at = next(i for i in range(1, N_SUITS) if one[i] != two[i])
    if at == 1:
        return f"{names[first]} scores {one[1]}, {names[second]} {two[1]}. (SS-70)"
    which = ("third", "fourth", "fifth", "sixth")[at - 2]
    return (
        f"{names[first]} and {names[second]} both score {one[1]}; "
        f"the {which} suits decide: {one[at]} against {two[at]}. (SS-71)"
    )
