"""Events of Thief's Market as data for the browser: thefts, rolls and purchases.

The state does not keep these: it has the pile and the card in their new places only.
"""

from typing import NamedTuple

from .state import Choice, Phase, State, move


class Theft(NamedTuple):
    """TM-11: a whole pile is stolen."""

    victim: int
    """The seat that loses it."""


class Return(NamedTuple):
    """TM-12: an object of the stolen pile goes back to the centre."""

    kind: int
    """Which, as in ``cards.OBJECTS``."""


class Rolled(NamedTuple):
    """TM-10: a die of the centre; nobody has bought anything in this round yet."""


class Bought(NamedTuple):
    """TM-20: a card leaves the market."""

    card: int
    buyer: int
    """The seat that has it now."""


Told = Theft | Return | Rolled | Bought


def event(s: State, choice: int) -> Told | None:
    """An event about to happen, if it belongs to a theft, or to the purchases of a round."""
    match move(choice):
        case Choice.BUY, card if s.phase == Phase.MARKET:
            return Bought(card, int(s.turn))
        case Choice.ROLL, _ if s.phase == Phase.ROLL:
            return Rolled()
        case Choice.STEAL, victim:
            return Theft(victim)
        case Choice.RETURN, kind:
            return Return(kind)
    return None
