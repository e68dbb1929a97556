"""What the fields of Magnate mean to those who learn it."""

from collections.abc import Mapping

from yegg.engine import Record, row
from yegg.engine.columns import FLAG, SEAT, Card, Code, Held, Kind, Number, Table, who
from yegg.parts.decktet import N_CARDS, N_SUITS, SLUGS, SUIT_COUNT, SUIT_NAMES, SUITS
from yegg.parts.features import HIGH, NAMES, ROWS

from .duchy import developed
from .scoring import count
from .state import CHOICES, DISTRICTS, HAND, MOST_TOKENS, SEATS, Choice, Phase, Place, State

ACTIONS = range(Choice.COLLECT, CHOICES)
CARD = Table(ROWS, NAMES, HIGH)
AT = [f"district{district + 1}" for district in range(DISTRICTS)]
PLACES = ("pile", "discard", "my-crown", "their-crown", "my-hand", "their-hand", "mine", "theirs")


class More(Record):
    """What follows from where the cards are."""

    players = 0
    total = row(SEATS, DISTRICTS)  # what the developed properties count (MG-60)
    suits = row(SEATS, N_SUITS)  # on how many developed properties each suit stands


def more(s: State, seat: int, m: More) -> None:
    """Count what stands in the rows."""
    for side in range(SEATS):
        for district in range(DISTRICTS):
            m.total[side, district] = 0
        for suit in range(N_SUITS):
            m.suits[side, suit] = 0
    for card in range(N_CARDS):
        spot = s.where[card] - Place.ROW
        if spot >= 0:
            side, district = spot // DISTRICTS, spot % DISTRICTS
            if developed(s, side, card, district):
                m.total[side, district] += count(s, side, card, district)
                for i in range(SUIT_COUNT[card]):
                    m.suits[side, SUITS[card, i]] += 1


def more_columns(sides: int) -> Mapping[str, Kind]:
    """The fields of `More`."""
    return {
        "total": Number(40, most=200, by=[SEAT, AT]),
        "suits": Number(10, most=N_CARDS, by=[SEAT, SUIT_NAMES]),
    }


def place(value: int, seat: int, sides: int) -> int | None:
    """Where a card is, as one of ``PLACES``."""
    if value < Place.PILE:
        return None
    if value < Place.CROWN:
        return value - Place.PILE
    if value < Place.HAND:
        return 2 + (value - Place.CROWN != seat)
    if value < Place.ROW:
        return 4 + ((value - Place.HAND) % SEATS != seat)
    return 6 + ((value - Place.ROW) // DISTRICTS != seat)


def asked(value: int, seat: int, sides: int) -> int | None:
    """The deed whose owner chooses a token, one's own first."""
    return value if seat == 0 else (value + DISTRICTS) % (2 * DISTRICTS)


def columns(sides: int) -> Mapping[str, Kind]:
    """Everything on the table but the options, and the cards of one's hand one by one."""
    deeds = [f"{whose}-{district}" for whose in ("mine", "theirs") for district in AT]
    return {
        "turn": who(SEATS),
        "phase": Code([phase.name.lower() for phase in Phase]),
        "high": Number(10),
        "asked": Code(deeds, asked),
        "card": Card(CARD, none=0),
        "due": Number(10),
        "suit": Number(2, most=3),
        "shuffled": FLAG,
        "final_turns": Code("012"),
        "pile": Number(N_CARDS),
        "where": Code(PLACES, place, span=Place.ROW + SEATS * DISTRICTS, by=[SLUGS]),
        "hand": Held((Place.HAND, Place.OPEN), HAND, CARD, source="where"),
        "last": Card(CARD, by=[SEAT, AT]),
        "deed": Number(by=[SEAT, AT]),
        "tokens": Number(10, most=MOST_TOKENS, by=[SEAT, SUIT_NAMES]),
        "paid": Number(10, by=[SEAT, AT, SUIT_NAMES]),
    }
