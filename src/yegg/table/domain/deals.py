"""The deal of the day: whose chance it is, until when it is sealed, and how somebody did.

How chance follows from the key stands in `yegg.engine.fate`.  Days are those of UTC.
"""

from dataclasses import dataclass, field
from typing import Any

import msgspec
import sqlalchemy as sa

from yegg.engine import Match
from yegg.engine.days import day_of
from yegg.engine.fate import Fate, Sealed, key_of, mind, seal
from yegg.table.refusals import HttpRefusal
from yegg.table.storage.database import Row

from .state import TableState

DEAL = "deal"
"""The first word of `games.chance` where a table has the chance of a day."""
LEVEL = "level "
"""Before the name of a bot in place of a person."""
OWN = "this is somebody's deal of the day: it can be looked at when the day is over"


class Costly(msgspec.Struct):
    """The costliest choice of a person in a game."""

    event: int
    cost: float
    """The share of the win that it gave away, 0 to 1."""
    chosen: str
    better: str


class Looked(msgspec.Struct):
    """What the coach found in a game, as it is kept; shares of the win, 0 to 1."""

    luck: float
    """What chance gave."""
    gave: float
    """What was given away by choices that cost something."""
    costly: Costly | None = None


@dataclass(frozen=True)
class Dealt:
    """The chance of a table that plays the deal of a day."""

    day: str
    game: str
    whose: str
    fate: Fate = field(repr=False)

    @classmethod
    def of(cls, secret: bytes, day: str, game: str, whose: str = "") -> "Dealt":
        """``secret`` is the server's; ``whose`` one try it is."""
        return cls(day, game, whose, Fate(key_of(secret, day, game)))

    @property
    def seal(self) -> str:
        """What is shown of the key before the day is over."""
        return seal(self.fate.key)

    def __call__(self, now: TableState) -> int:
        """The choice that is due."""
        return self.fate.choose(now.match)

    def mind(self, match: Match, seat: int) -> int:
        """The seed of a bot's dice in its next decision."""
        return mind(self.fate.key, seat, match.actors.count(seat))

    def over(self, moment: int) -> bool:
        """Whether the day is over, so that the key may be known."""
        return day_of(moment) > self.day

    def key(self, moment: int) -> str | None:
        """The key, in hexadecimal digits, once the day is over."""
        return self.fate.key.hex() if self.over(moment) else None

    def lines(self, moment: int) -> list[str]:
        """The comments about its chance in the head of a record."""
        return Sealed(f"{self.day} {self.game}", self.seal, self.key(moment)).lines()

    def row(self, game: int) -> Row:
        """The row of this try in the database."""
        return {"game": game, "day": self.day, "name": self.game, "person": self.whose}


def dealt(secret: bytes, row: sa.Row[Any]) -> Dealt | None:
    """The chance of a table by its row; None if it does not play the deal of a day."""
    word, _, day = (row.chance or "").partition(" ")
    return Dealt.of(secret, day, row.game) if word == DEAL else None


def check_own(deal: Dealt | None) -> None:
    """Check that somebody else may play on a seat.  Raises HttpRefusal 403 in a deal of a day."""
    if deal:
        raise HttpRefusal(403, "in the deal of the day everybody plays for themselves")
