"""Events of Magnate as data for the browser: dice, income and tax, not kept in the state."""

from typing import NamedTuple

from yegg.parts.decktet import N_CARDS

from .state import FALLBACK, Choice, State, move
from .tokens import earns, pays


class Roll(NamedTuple):
    """MG-12 … MG-15: a die falls, and what is paid if it is the last one."""

    dice: tuple[int, ...]
    """All dice of this turn so far, the lowest first."""
    number: int
    """The number that pays."""
    cards: tuple[int, ...]
    """The properties and deeds that it pays."""


class Tax(NamedTuple):
    """MG-11: a suit is taxed."""

    suit: int


def event(s: State, choice: int) -> Roll | Tax | None:
    """An event about to happen, if it is one of the dice."""
    what, which, _ = move(choice)
    if what == Choice.TAX:
        return Tax(which)
    if what != Choice.ROLL:
        return None
    dice = sorted([int(s.high), which + 1] if s.high else [which + 1])
    number = dice[-1]
    if s.income == FALLBACK and not pays(s, number):
        number = dice[0]
    cards = tuple(card for card in range(N_CARDS) if earns(s, card, number))
    return Roll(tuple(dice), number, cards)
