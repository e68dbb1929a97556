"""What a sensible player knows; compiled like the rules."""

from typing import Any

from .rules import FACES


def evaluate(s: Any, seat: int) -> float:
    """The seat's points above the best rival's, with what the pot is worth on average."""
    own, best = 0.0, 0.0
    for other in range(s.players):
        points = float(s.points[other])
        if other == s.turn:
            points += _pot(s)
        if other == seat:
            own = points
        elif points > best:
            best = points
    return own - best


def _pot(s: Any) -> float:
    """What the pot is worth, also while the die is in the air: one face in six loses it."""
    pot = float(s.pot)
    if s.rolling:
        return (pot * (FACES - 1) + 20) / FACES  # 2 + 3 + 4 + 5 + 6 = 20
    return pot


def value_scale(s: Any) -> float:
    """The lead that makes a win e times as likely."""
    return 25.0
