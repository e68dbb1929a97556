"""Takes every possible choice equally often: the weakest, to measure others by."""

from yegg.engine.dice import roll
from yegg.engine.record import Ints, States
from yegg.engine.verbs import Dice

ROOM = 0


def choose(views: States, seat: int, out: Ints, k: int, dice: Dice) -> int:
    """Any of them."""
    return roll(dice, k)
