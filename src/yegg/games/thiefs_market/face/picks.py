"""Objects that are picked first, in any order, and then taken or put back all at once."""

from typing import Any

from yegg.games.thiefs_market.cards import N_OBJECTS, OBJECTS
from yegg.games.thiefs_market.loot import is_last
from yegg.games.thiefs_market.state import Phase, State, objects
from yegg.games.thiefs_market.texts import ONE

KEYS = "123456789bcdefghijlmnpqyz"  # without those of thefts and of every table


def picks(s: State) -> list[dict[str, Any]]:
    """TM-11, TM-12: every object that may be picked now, red first and the marker last.

    What has been taken already stays taken; the page puts what is picked in order.
    """
    verb, heap, says = "take", s.centre, "Take"
    if s.phase == Phase.RETURN:
        verb, heap, says = "return", s.pile[s.turn], "Put back"
    pickable = (
        s.phase == Phase.TAKE
        or (s.phase == Phase.SPLIT and not is_last(s))
        or (s.phase == Phase.RETURN and objects(s, s.turn) > 1)
    )
    kinds = [kind for kind in range(N_OBJECTS) for _ in range(int(heap[kind]))] if pickable else []
    return [
        {
            "n": n,
            "kind": OBJECTS[kind],
            "text": f"{verb} {OBJECTS[kind]}",
            "verb": f"{says} {ONE[kind]}",
            "key": KEYS[n - 1],
        }
        for n, kind in enumerate(kinds, 1)
    ]


def sent(s: State) -> dict[str, Any]:
    """The button that sends what was picked."""
    verb = "Put these back" if s.phase == Phase.RETURN else "Take these"
    return {"text": "+ done", "verb": verb, "at": "dock", "key": "k", "odds": ""}


def spot(s: State) -> str:
    """A name of this split at this moment: what was picked stays picked until it is another."""
    heaps = [s.centre, *s.pile[: s.players]]
    return "-".join([str(s.rounds), *("".join(map(str, heap)) for heap in heaps)])
