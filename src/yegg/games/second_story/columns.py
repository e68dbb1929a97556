"""What the fields of Second Story mean to those who learn it."""

from collections.abc import Mapping

from yegg.engine.columns import SEAT, Card, Code, Kind, Number, Pile, Table, who
from yegg.parts.decktet import N_CARDS, SLUGS, SUIT_NAMES
from yegg.parts.features import HIGH, NAMES, ROWS

from .state import CHOICES, Choice, Phase

VERSION = 3  # since the plans and the last turns have columns of their own
ACTIONS = range(Choice.THOROUGH, CHOICES)
CARD = Table(ROWS, NAMES, HIGH)


def columns(sides: int) -> Mapping[str, Kind]:
    """Everything on the table but the options and the dice already rolled."""
    plans = [c for c in Choice if Choice.THOROUGH <= c <= Choice.ALL_FLATS]
    return {
        "turn": who(sides),
        "phase": Code([phase.name.lower() for phase in Phase]),
        "house": Card(CARD, none=0),
        "plan": Code([plan.name.lower() for plan in plans], low=Choice.THOROUGH),
        "due": Number(3),
        "after": Number(3),
        "last_turns": Code([str(turns) for turns in range(-1, sides + 1)], low=-1),
        "face_down": Number(N_CARDS),
        "turned": Number(20, most=N_CARDS),
        "discards": Number(N_CARDS),
        "pile": Pile("face_down", SLUGS),
        "tonight": Number(by=[SLUGS]),
        "owner": who(sides, 1),
        "bank": Number(10, most=20, by=[SUIT_NAMES]),
        "bag": Number(5, most=20, by=[SUIT_NAMES]),
        "lair": Number(5, most=20, by=[SEAT, SUIT_NAMES]),
    }
