"""The terms of a table's clock: how much time everybody has, and what happens when it is up."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

from yegg.text.phrases import counted, listing

SECOND, MINUTE, HOUR, DAY = 1000, 60_000, 3_600_000, 86_400_000  # milliseconds
ABSENT = "absent"
"""Instead of a bot's name: what the rules write for a player who sent nothing."""


@dataclass(frozen=True)
class Terms:
    """How much time everybody has at a table, in milliseconds."""

    turn: int
    """Of each turn that costs nothing."""
    reserve: int = 0
    """What else there is, for the whole game."""
    add: int = 0
    """What each turn adds to the reserve."""
    holiday: int = 0
    """How long each player may be away in all; their time stands meanwhile."""
    late: str = "medium"
    """Who plays the turn of somebody whose time is up: a bot, or `ABSENT`."""

    @property
    def by_days(self) -> bool:
        """Whether a turn has days, as by post."""
        return self.turn >= DAY

    def kept(self) -> dict[str, Any]:
        """The terms as the database has them."""
        return asdict(self)

    @classmethod
    def read(cls, kept: Mapping[str, Any] | None) -> Self | None:
        """The terms of a game, from the database; None for a game without a clock."""
        return cls(**kept) if kept else None

    @property
    def words(self) -> str:
        """The time in a few words.

        >>> Terms(3 * DAY).words
        '3 days a turn'
        >>> Terms(30 * SECOND, 10 * MINUTE, 5 * SECOND).words
        '30 seconds a turn, 10 minutes in reserve and 5 seconds more after each turn'
        """
        more = [f"{lasting(self.reserve)} in reserve"] if self.reserve else []
        more += [f"{lasting(self.add)} more after each turn"] if self.add else []
        return ", ".join(filter(None, [f"{lasting(self.turn)} a turn", listing(more or [""])]))

    @property
    def then(self) -> str:
        """What happens when a player's time is up, in a few words."""
        if self.late == ABSENT:
            return "the rules write the orders of that turn"
        return f"{self.late} plays that turn"


UNITS = (DAY, "day"), (HOUR, "hour"), (MINUTE, "minute"), (SECOND, "second")


def lasting(ms: int) -> str:
    """A stretch of time, in words; the two largest units.

    >>> lasting(3 * DAY), lasting(90 * MINUTE), lasting(61 * SECOND), lasting(400)
    ('3 days', '1 hour 30 minutes', '1 minute 1 second', '0 seconds')
    """
    for i, (size, name) in enumerate(UNITS):
        if ms >= size:
            parts = [counted(ms // size, name)]
            if i + 1 < len(UNITS) and (rest := ms % size // UNITS[i + 1][0]):
                parts.append(counted(rest, UNITS[i + 1][1]))
            return " ".join(parts)
    return "0 seconds"
