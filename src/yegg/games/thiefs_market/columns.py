"""What the fields of Thief's Market mean to those who learn it."""

from collections.abc import Mapping

from yegg.engine.columns import FLAG, SEAT, Code, Kind, Number, seats, who

from .cards import N_CARDS, N_GEMS, OBJECTS, SLUGS
from .deck import DEAREST, LETTERS
from .state import CHOICES, MOST_DICE, MOST_TOKENS, Choice, Phase, Place

ACTIONS = (*range(Choice.BUY, Choice.ROLL), *range(Choice.TAKE, CHOICES))
BY_SEAT = {Choice.STEAL: 1}


def place(value: int, seat: int, sides: int) -> int | None:
    """Where a card is: in the market, or a seat's."""
    if value == Place.MARKET:
        return 0
    return 1 + (value - Place.OWNED - seat) % sides if value >= Place.OWNED else None


def columns(sides: int) -> Mapping[str, Kind]:
    """Everything on the table but the options."""
    card = Code(SLUGS, lambda v, _seat, _sides: v - 1 if v else None, span=N_CARDS + 1)
    return {
        "phase": Code([phase.name.lower() for phase in Phase]),
        "rounds": Number(30, most=300),
        "turn": who(sides),
        "left": Number(13, most=N_CARDS, by=[LETTERS]),
        "where": Code(["market", *seats(sides)], place, span=Place.OWNED + sides, by=[SLUGS]),
        "centre": Number(4, most=MOST_DICE, by=[OBJECTS]),
        "pile": Number(4, most=MOST_DICE, by=[SEAT, OBJECTS]),
        "after": Code([str(after) for after in range(len(OBJECTS) + 1)]),
        "fixed": FLAG,
        "split": Number(4, most=MOST_DICE, by=[SEAT, OBJECTS]),
        "gold": Number(8, most=MOST_TOKENS, by=[SEAT]),
        "infamy": Number(12, most=MOST_TOKENS, by=[SEAT]),
        "used": Number(by=[SLUGS]),
        "buys": Number(3, most=20),
        "rebate": Number(3, most=DEAREST),
        "buying": card,
        "free": FLAG,
        "waivers": Number(3, most=DEAREST),
        "colour": Code(OBJECTS[:N_GEMS]),
        "bill": Number(5, most=DEAREST, by=[OBJECTS[:N_GEMS]]),
    }
