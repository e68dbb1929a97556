"""The words of the record, and sentences for people."""

from collections.abc import Sequence
from typing import Any

from .rules import FACES, Choice


def say(s: Any, choice: int) -> str:
    """The one text of a legal choice."""
    if choice == Choice.HOLD:
        return "hold"
    return "roll" if choice == Choice.ROLL else f"die {choice + 1}"


def why_not(s: Any, text: str) -> str | None:
    """Why a sentence of the game is not possible now."""
    return "NG-2: the pot is empty, so roll" if text == "hold" and s.pot == 0 else None


def tell(s: Any, choice: int, names: Sequence[str]) -> str:
    """An event in a sentence; ``s`` is the position before it."""
    who = names[s.turn]
    if choice == Choice.ROLL:
        return f"{who} rolls."
    if choice == Choice.HOLD:
        return f"{who} holds {s.pot} points and has {s.points[s.turn] + s.pot}."
    if choice == 0:
        return f"The die shows 1: {who} loses the pot."
    return f"The die shows {choice + 1}: {s.pot + choice + 1} are in the pot."


def ask(s: Any) -> str:
    """What the current player is asked."""
    return f"There are {s.pot} points in the pot. Do you roll or hold?"


def clauses(s: Any) -> tuple[int, ...]:
    """The clauses that apply to what is asked now."""
    return (3,) if s.rolling else (2, 3, 4, 5)


PRINTED = {f"die {face}": str(face) for face in range(1, FACES + 1)}
