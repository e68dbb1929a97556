"""The roll of the turn: its dice, the tax, and whom they paid."""

from collections.abc import Sequence
from typing import Any

from yegg.games.magnate.events import Roll, Tax
from yegg.games.magnate.state import CROWNS_PAY
from yegg.parts.decktet import SUIT_NAMES, the
from yegg.text.phrases import listing


def roll(told: Sequence[Roll | Tax]) -> dict[str, Any] | None:
    """The last roll, which the state does not keep."""
    taxed = ""
    for event in reversed(told):
        if isinstance(event, Roll):
            return {"dice": list(event.dice), "tax": taxed, "pays": pays(event)}
        taxed = SUIT_NAMES[event.suit]
    return None


def pays(event: Roll) -> dict[str, str]:
    """MG-12 … MG-15: the number that paid, and the properties of its rank."""
    if event.number == CROWNS_PAY:
        return {"head": "10: the Crowns pay.", "says": "A token for each of your three."}
    head = f"{event.number}: {'Aces' if event.number == 1 else 'properties'} pay."
    if not event.cards:
        none = "no Aces" if event.number == 1 else f"none of rank {event.number}"
        return {"head": head, "says": f"There are {none}: nobody collects."}
    words = listing([the(card) for card in event.cards])
    return {"head": head, "says": words[0].upper() + words[1:] + "."}
