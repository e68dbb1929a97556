"""Takes every possible choice equally often: the weakest, a measure for the others."""

from yegg.engine.dice import roll
from yegg.engine.record import Ints, States
from yegg.engine.verbs import Dice

BLIND = True  # to lore
ROOM = 0


def choose(views: States, seat: int, out: Ints, k: int, dice: Dice) -> int:
    """Any of the choices."""
    return roll(dice, k)
