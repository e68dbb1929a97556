"""Everybody's results in a deal, and how far somebody is with those of today."""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import NamedTuple

from yegg.engine.days import Standing

from .deals import LEVEL, Looked


@dataclass(frozen=True)
class Try:
    """Somebody's game by a deal; that of a day counts if it was over before the day was."""

    key: str
    """The table's."""
    game: int
    person: str
    name: str
    """What they are called there."""
    day: str
    of: str
    """The game's name."""
    seat: int
    """Where they sit, from 0."""
    standing: Standing | None
    """None while it goes on, or if it was over too late."""
    over: bool
    looked: Looked | None

    @property
    def level(self) -> str:
        """The bot that played in a person's seat; "" for a person."""
        return self.person.removeprefix(LEVEL) if self.person.startswith(LEVEL) else ""


@dataclass(frozen=True)
class Results:
    """Everybody's results in a deal."""

    people: list[Try]
    """Those that count, the best first."""
    levels: dict[str, Try]
    """By level, as far as they have played."""
    mine: Try | None
    going: int = 0
    """How many people have begun and not finished."""

    @property
    def better_than(self) -> int:
        """How many people I did better than."""
        own = self.mine and self.mine.standing
        return len(self.people) - bisect_right(self.people, _down(own), key=_rank) if own else 0

    @property
    def place(self) -> int:
        """My place among all people; ties share one."""
        own = self.mine and self.mine.standing
        return 1 + (bisect_left(self.people, _down(own), key=_rank) if own else 0)

    @property
    def best(self) -> Try | None:
        """Whoever did best, and of those who did as well whoever gave away least."""
        return self.people[0] if self.people else None

    @property
    def costliest(self) -> Try | None:
        """Whose choice was the costliest of the day, as far as the coach has looked."""
        seen = [one for one in self.people if one.looked and one.looked.costly]
        return max(seen, key=_cost, default=None)


def _cost(one: Try) -> float:
    return one.looked.costly.cost if one.looked and one.looked.costly else 0.0


def _down(own: Standing) -> tuple[int, int]:
    return -own.rank[0], -own.rank[1]


def _rank(one: Try) -> tuple[int, int]:
    return _down(one.standing) if one.standing else (0, 0)


def best_first(one: Try) -> tuple[float, ...]:
    """By what tries are sorted, the best first."""
    return *_rank(one), one.looked.gave if one.looked else 1.0, one.game


class Lately(NamedTuple):
    """How far somebody is with the deals of today."""

    known: bool
    """Whether they have ever played one to its end."""
    over: int
    """How many of today they cannot play any more."""
    streak: int
    """For how many days in a row they have finished one."""
