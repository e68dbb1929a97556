"""Second Story as a street by night: the houses, the bag, the bank, the lairs."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from yegg.games.second_story.events import Event
from yegg.games.second_story.odds import ahead
from yegg.games.second_story.state import Phase, State
from yegg.parts.decktet import N_SUITS, SUIT_NAMES

from .acts import acts
from .fallen import fallen, fresh
from .tonight import night

__all__ = ["acts", "pause", "scene", "verdict"]

PLACES = ("first", "second", "third", "fourth", "fifth")


def scene(s: State, names: Sequence[str], seat: int, told: Sequence[Event]) -> dict[str, Any]:
    """The position as plain fields."""
    houses, rolled = night(s, told)
    bag = [SUIT_NAMES[suit] for suit in range(N_SUITS) for _ in range(s.bag[suit])]
    new = s.phase != Phase.OVER and fresh(s, told)
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
    return 1 + 5 * len(fallen(s, [""] * int(s.players), told)) if fresh(s, told) else 1


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
