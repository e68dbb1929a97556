"""Events of Second Story as data: each choice with how the night stood before it."""

from typing import NamedTuple

from .rules import can_risk, has_excuse, needed
from .state import Choice, Phase, State


class Event(NamedTuple):
    """A choice, and how the night stood when it was made."""

    seat: int
    """Whose night it is."""
    choice: int
    house: int
    """The card that is being robbed."""
    plan: int
    """How it is robbed, as in the state."""
    bag: tuple[int, ...]
    """The chips in the bag, by suit."""
    detected: bool
    """Whether this ends the night, and the bag is lost."""

    @property
    def by_chance(self) -> bool:
        """Whether a card is turned up or a die is rolled."""
        return self.choice < Choice.THOROUGH


def event(s: State, choice: int) -> Event:
    """An event about to happen."""
    for_good = falls_short(s, choice) and not can_try_again(s)
    return Event(
        seat=int(s.turn),
        choice=choice,
        house=int(s.house),
        plan=int(s.plan),
        bag=tuple(s.bag.tolist()),
        detected=for_good or choice == Choice.FLEE,
    )


def falls_short(s: State, choice: int) -> bool:
    """SS-17: whether this is the last die of a roll, and no die of it reaches the rank."""
    if s.phase != Phase.ROLL or s.dice > 1:
        return False
    return max(int(s.best), choice - Choice.ROLL + 1) < needed(s.house, s.plan)


def can_try_again(s: State) -> bool:
    """SS-23, SS-42: whether there is a way out when a roll fails."""
    return can_risk(s) or has_excuse(s)
