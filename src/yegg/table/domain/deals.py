"""Deals that several people play: those of the day, and challenges; until when they are sealed.

How chance follows from the key stands in `yegg.engine.daily_deal`.  Days are those of UTC.
"""

from dataclasses import dataclass, field
from typing import Any, ClassVar

import msgspec

from yegg.engine import Match
from yegg.engine.daily_deal import AGAIN, Fate, Sealed, key_again, key_of, mind, seal
from yegg.engine.days import day_of
from yegg.table.refusals import HttpRefusal

from .dice import Promised
from .state import TableState

DEAL, CHALLENGE = "deal", "challenge"
"""The first word of `games.chance` where a table has the chance of a day, or of another game."""
LEVEL = "level "
"""Before the name of a bot in place of a person."""
OWN = "this is somebody's deal of the day: it can be looked at when the day is over"
THEIRS = "friends play this deal: it can be looked at by whoever has finished their own game of it"


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
    """As in 2026-11-22; of a challenge the key of its link."""
    game: str
    whose: str
    fate: Fate = field(repr=False)
    called: ClassVar[str] = "the deal of the day"
    word: ClassVar[str] = DEAL

    @classmethod
    def of(cls, secret: bytes, day: str, game: str, whose: str = "") -> "Dealt":
        """``secret`` is the server's; ``whose`` one try it is."""
        return cls(day, game, whose, Fate(key_of(secret, day, game)))

    @property
    def chance(self) -> str:
        """How the row of a table names it (`games.chance`)."""
        return f"{self.word} {self.day}"

    @property
    def address(self) -> str:
        """The page of its results."""
        return f"/daily/{self.game}/{self.day}"

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

    def repeated(self, _now: TableState, _seat: int) -> int | None:
        """What a bot chooses because it did so in the game that is repeated; None: it thinks."""
        return None

    def shut(self, moment: int) -> str:
        """Why nobody but its player may look at a table with it; "" if others may."""
        return "" if self.over(moment) else OWN

    def over(self, moment: int) -> bool:
        """Whether the day is over, so that the key may be known."""
        return day_of(moment) > self.day

    def key(self, moment: int) -> str | None:
        """The key, in hexadecimal digits, once the day is over."""
        return self.fate.key.hex() if self.over(moment) else None

    def lines(self, moment: int, _now: TableState) -> list[str]:
        """The comments about its chance in the head of a record."""
        return Sealed(f"{self.day} {self.game}", self.seal, self.key(moment)).lines()

    def row(self, game: int) -> dict[str, Any]:
        """The row of this try in the database."""
        return {"game": game, "day": self.day, "name": self.game, "person": self.whose}


@dataclass(frozen=True)
class Challenge(Dealt):
    """The chance of a table where a friend plays the deal of a finished game."""

    first: Match = field(repr=False)
    """The game that is repeated."""
    called: ClassVar[str] = "a challenge"
    word: ClassVar[str] = CHALLENGE

    @classmethod
    def to(cls, key: str, first: Match, dice: bytes, whose: str = "") -> "Challenge":
        """``key`` is that of the link, ``dice`` that of the dice of the first game."""
        return cls(key, first.game.name, whose, Fate(key_again(dice), first), first)

    @property
    def address(self) -> str:
        """The page of its results, and the link for friends."""
        return f"/challenge/{self.day}"

    def repeated(self, now: TableState, seat: int) -> int | None:
        """What a bot did in the first game, as long as both games are the same."""
        so_far, own = len(now.match.history), now.orders.get(seat, [])
        if now.match.history != self.first.history[:so_far]:
            return None
        then = zip(self.first.actors[so_far:], self.first.history[so_far:], strict=True)
        did = [choice for actor, choice in then if actor == seat]
        return did[len(own)] if len(own) < len(did) and did[: len(own)] == own else None

    def shut(self, _moment: int) -> str:
        """It opens to those who have finished their own game; see `Table.friends`."""
        return THEIRS

    def over(self, _moment: int) -> bool:
        """There is no day to wait for."""
        return True

    def lines(self, _moment: int, now: TableState) -> list[str]:
        """The comments about its chance in the head of a record; the key once the game is over."""
        key = self.fate.key.hex() if now.over else None
        return Sealed(f"{AGAIN} {self.game}", self.seal, key).lines()


def unfit(now: TableState, seat: int, dice: Promised | None) -> str:
    """Why a game cannot be a challenge to friends; "" if it can."""
    others = [place for i, place in enumerate(now.seats) if i != seat]
    if not now.over or now.closed:
        return "only a game that was played to its end can be a challenge"
    if any(place.person for place in others):
        return "only a game that you played against bots alone can be a challenge"
    if now.seats[seat].bot:
        return "a bot played for you at the end: only your own game can be a challenge"
    if dice is None or dice.after:
        return "this game went on from another: only one from the beginning can be a challenge"
    return ""


def check_own(deal: Dealt | None, evening: str | None = None) -> None:
    """Check that somebody else may play on a seat.  Raises HttpRefusal 403 in a deal of a day.

    ``evening``: of which the table is, if its seats are to stay whose they are: then 409.
    """
    if deal:
        raise HttpRefusal(403, f"in {deal.called} everybody plays for themselves")
    if evening:
        why = "this table belongs to an evening: let a bot play on, and leave on the evening's page"
        raise HttpRefusal(409, why)
