"""What the fields of Secrets mean to those who learn it."""

from collections.abc import Mapping

from yegg.engine.columns import ME, SEAT, Bits, Code, Kind, Number, seats

from .state import POINTS, SECRETS, SPIES, SPY_NAMES, Choice

ACTIONS = range(Choice.STAY_HOME)
BY_SEAT = {Choice.STEAL: SECRETS}
LETTERS = "ABCDEFGHIJ"


def seat_of(value: int, seat: int, sides: int) -> int | None:
    """Whose: 0 nobody's, else 1 + a seat."""
    return (value - 1 - seat) % sides if value else None


def secret_of(value: int, _seat: int, _sides: int) -> int | None:
    """Which secret: 0 none, else 1 + its number."""
    return value - 1 if value > 0 else None


def target(value: int, seat: int, sides: int) -> int | None:
    """A spy's order: 0 none yet or idle, else 1 + a target, whose owner is told from one's own."""
    owner, secret = divmod(value - 1, SECRETS)
    return None if value < 1 else (owner - seat) % sides * SECRETS + secret


def columns(sides: int) -> Mapping[str, Kind]:
    """What is known of secrets, spies and policemen, and one's own orders of this turn."""
    named = seats(sides)
    targets = [f"{owner}-{secret}" for owner in named for secret in LETTERS]
    return {
        "turn": Number(20, most=21),
        "value": Number(POINTS, low=-1, by=[SEAT, LETTERS]),
        "thief": Code(named, seat_of, span=sides + 1, by=[SEAT, LETTERS]),
        "captor": Code(named, seat_of, span=sides + 1, by=[SEAT, SPY_NAMES]),
        "stood": Code(LETTERS, secret_of, span=SECRETS + 1, by=[SEAT]),
        "rumour": Bits(by=[SEAT], names=LETTERS),
        "given": Code([str(line) for line in range(SECRETS + 1)], by=[ME]),
        "order": Code(targets, target, span=1 + SECRETS * sides, by=[ME, SPY_NAMES]),
        "guard": Code(
            LETTERS,
            secret_of,
            span=SECRETS + 1,
            source="order",
            start=SPIES,
            by=[ME, ["now"]],
        ),
    }
