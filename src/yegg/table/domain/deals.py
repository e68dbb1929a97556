"""The deal of the day: whose chance it is, until when it is sealed, and how somebody did.

How chance follows from the key stands in `yegg.engine.fate`.  Days are those of UTC.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa

from yegg.engine import Match
from yegg.engine.fate import Fate, Sealed, key_of, mind, seal
from yegg.table.refusals import HttpRefusal
from yegg.table.storage.database import Row
from yegg.text.phrases import number

from .state import TableState

DEAL = "deal"
"""The first word of `games.chance` where a table has the chance of a day."""
LEVEL = "level "
"""Before the name of a bot in place of a person."""
OWN = "this is somebody's deal of the day: it can be looked at when the day is over"
FORGIVEN = 7  # days, of which a streak may miss one


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


def day_of(moment: int) -> str:
    """The day of a moment, which is in ms since 1970.

    >>> day_of(1_795_305_600_000 - 1), day_of(1_795_305_600_000)
    ('2026-11-21', '2026-11-22')
    """
    return datetime.fromtimestamp(moment / 1000, UTC).date().isoformat()


def told_day(day: str) -> str:
    """A day as people say it.

    >>> told_day("2026-11-02")
    '2 November'
    """
    then = date.fromisoformat(day)
    return f"{then.day} {then:%B}"


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


class Standing(NamedTuple):
    """How a try ended."""

    place: int
    margin: int
    """The score less that of the best rival."""

    @property
    def rank(self) -> tuple[int, int]:
        """The more, the better."""
        return -self.place, self.margin

    @property
    def words(self) -> str:
        """The result in words.

        >>> Standing(1, 3).words, Standing(2, -1).words, Standing(1, 0).words, Standing(2, 0).words
        ('won by three', 'lost by one', 'won the tie', 'lost the tie')
        """
        if not self.margin:
            return "won the tie" if self.place == 1 else "lost the tie"
        won = "won" if self.place == 1 else "lost"
        return f"{won} by {number(abs(self.margin))}"


def standing(result: dict[str, list[int]], seat: int = 0) -> Standing:
    """How a seat did, by what was counted at the end."""
    scores = result["scores"]
    others = [score for i, score in enumerate(scores) if i != seat]
    return Standing(result["places"][seat], scores[seat] - max(others, default=0))


def streak(played: Iterable[str], today: str) -> int:
    """The number of days in a row with a deal finished; one missed day in seven is forgiven.

    Today counts once it has one.

    >>> streak(["2026-11-20", "2026-11-22", "2026-11-23"], "2026-11-24")
    3
    >>> streak(["2026-11-18", "2026-11-20", "2026-11-22"], "2026-11-22")
    2
    """
    days, day, found = set(played), date.fromisoformat(today), 0
    missed: date | None = None
    if today not in days:
        day -= timedelta(1)
    while True:
        if day.isoformat() in days:
            found += 1
        elif missed is None or (missed - day).days >= FORGIVEN:
            missed = day
        else:
            return found
        day -= timedelta(1)
