"""Every order that may be written next, as a button."""

from collections.abc import Mapping
from typing import Any

from yegg.games.secrets.state import SECRETS, SPY_NAMES, Choice, State
from yegg.games.secrets.story import secret_name
from yegg.text.phrases import counted


def acts(s: State, seat: int, legal: Mapping[str, int]) -> list[dict[str, Any]]:
    """Every order that the seat may write next."""
    return [act(s, seat, choice, text) for text, choice in legal.items()]


def act(s: State, seat: int, choice: int, text: str) -> dict[str, Any]:
    """One order as a button."""
    if choice == Choice.IDLE:
        spy = SPY_NAMES[s.given[seat]]
        return idle(text, spy, "nothing is left to steal")
    if choice == Choice.GUARD_NOTHING:
        return idle(text, "Policeman", "no secret is left that he may guard")
    if choice >= Choice.ALLOCATE:
        return {"text": text, "verb": counted(choice - Choice.ALLOCATE, "point")}
    if choice >= Choice.GUARD:
        secret = secret_name(s, choice - Choice.GUARD)
        return {"text": text, "verb": f"Guard {secret}", "key": secret.lower(), "secret": secret}
    owner, at = divmod(choice, SECRETS)
    secret = secret_name(s, at)
    return {"text": text, "verb": f"Steal {secret}", "seat": owner, "secret": secret}


def idle(text: str, piece: str, why: str) -> dict[str, Any]:
    """SE-5, SE-6: the only order for a piece that can do nothing."""
    return {"text": text, "verb": f"{piece} idles", "key": "i", "says": why, "idle": True}
