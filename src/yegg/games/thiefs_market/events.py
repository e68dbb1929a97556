"""Which pile is being stolen, and what of it goes back, as data for the face.

The state does not keep it: it has the pile in its new place only.
"""

from typing import NamedTuple

from .state import Choice, State


class Theft(NamedTuple):
    """TM-11: a whole pile is stolen."""

    victim: int
    """The seat that loses it."""


class Return(NamedTuple):
    """TM-12: an object of the stolen pile goes back to the centre."""

    kind: int
    """Which, as in ``cards.OBJECTS``."""


def event(_s: State, choice: int) -> Theft | Return | None:
    """An event about to happen, if it belongs to a theft."""
    if Choice.STEAL <= choice < Choice.TAKE_ALL:
        return Theft(choice - Choice.STEAL)
    if Choice.RETURN <= choice < Choice.STEAL:
        return Return(choice - Choice.RETURN)
    return None
