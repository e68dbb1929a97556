"""SE-15: the orders written for a player who sent none, at the table and by post."""

from typing import Any

from . import rules
from .state import POINTS, Choice


def choice(s: Any, seat: int) -> int:
    """What is written next for a seat that sent nothing; hidden points are spread evenly."""
    if s.turn > 0:
        return int(rules.absent_order(s, seat))
    even, more = divmod(POINTS, int(s.secrets))
    return int(Choice.ALLOCATE) + even + int(s.given[seat] < more)
