"""The kinds of numbers that games have: how each is shown, and which interval it gets.

Every column of a game and every measure of an experiment declares its kind; none is guessed from
the numbers that were seen.
"""

from collections.abc import Collection, Mapping
from enum import StrEnum


class Kind(StrEnum):
    """How a number of a game is meant."""

    NUMBER = "number"
    """Shown as it is."""
    SHARE = "share"
    """0 or 1 in a game, or a share of its win: told as a share of games, in percent."""
    PART = "part"
    """From 0 to 1 in each game, as part of something there: told in percent."""

    @property
    def percent(self) -> bool:
        """Whether it lies from 0 to 1 in every game, and differences are points."""
        return self is not Kind.NUMBER


Kinds = Mapping[str, Kind]
"""By the name of a column or a measure."""


def numbers(*names: str) -> dict[str, Kind]:
    """Columns that are shown as they are."""
    return dict.fromkeys(names, Kind.NUMBER)


def shares(*names: str) -> dict[str, Kind]:
    """Columns that are 0 or 1 in a game, or a share of its win."""
    return dict.fromkeys(names, Kind.SHARE)


def parts(*names: str) -> dict[str, Kind]:
    """Columns that are from 0 to 1 in each game."""
    return dict.fromkeys(names, Kind.PART)


def declared(columns: Collection[str]) -> Kinds:
    """The kinds of some columns: those that were declared; names alone are numbers."""
    return columns if isinstance(columns, Mapping) else numbers(*columns)
