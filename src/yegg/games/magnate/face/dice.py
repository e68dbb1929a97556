"""The roll of the turn: its dice, the tax, and whom they paid."""

from collections.abc import Sequence
from typing import Any

from yegg.engine.prose import listing
from yegg.games.magnate.income import earns
from yegg.games.magnate.reasons import the
from yegg.games.magnate.state import CROWNS_PAY, FALLBACK, ONE_DIE, State
from yegg.parts.decktet import N_CARDS, SLUGS

Told = Sequence[tuple[int, str]]


def roll(s: State, told: Told) -> dict[str, Any] | None:
    """The last roll, which the state does not keep."""
    texts = [text for _, text in told]
    rolls = [i for i, text in enumerate(texts) if text.startswith("roll ")]
    if not rolls:
        return None
    at = rolls[-1]
    two = s.income != ONE_DIE and len(rolls) > 1 and rolls[-2] == at - 1
    dice = sorted(int(texts[i].split()[1]) for i in (rolls[-2:] if two else rolls[-1:]))
    since = texts[at + 1 :]
    taxed = next((text.split()[1] for text in since if text.startswith("tax ")), "")
    return {"dice": dice, "tax": taxed, "pays": pays(s, dice, since)}


def pays(s: State, dice: list[int], since: Sequence[str]) -> dict[str, str]:
    """MG-12 … MG-15: the number that paid, and the properties of its rank."""
    found = properties(s, dice[-1], since)
    if not found and s.income == FALLBACK and dice[-1] < CROWNS_PAY:
        dice = dice[:1]
        found = properties(s, dice[0], since)
    number = dice[-1]
    if number == CROWNS_PAY:
        return {"head": "10: the Crowns pay.", "says": "A token for each of your three."}
    head = f"{number}: {'Aces' if number == 1 else 'properties'} pay."
    if not found:
        return {"head": head, "says": "There are none, nobody collects."}
    words = listing([the(card) for card in found])
    return {"head": head, "says": words[0].upper() + words[1:] + "."}


def properties(s: State, number: int, since: Sequence[str]) -> list[int]:
    """What earned on a number: what lies there now and was not laid since the roll."""
    fresh = {text.split()[1] for text in since if text.startswith(("develop ", "deed "))}
    return [card for card in range(N_CARDS) if earns(s, card, number) and SLUGS[card] not in fresh]
