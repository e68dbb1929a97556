"""The season: how everybody stands in a game, by the games of a quarter that count for it.

All is reckoned from the rows of games at each request; nothing of it is kept.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple, Self

import sqlalchemy as sa

from yegg.engine.days import day_of
from yegg.table.domain.rating import Finished, Skill, reckoned
from yegg.table.refusals import HttpRefusal
from yegg.table.storage.schema import COUNTS, games
from yegg.table.storage.store import Store
from yegg.text.names import unlike

MONTHS = ("January to March", "April to June", "July to September", "October to December")
FIRST, LAST = 2000, 2999  # years


class Season(NamedTuple):
    """A quarter of a year, in UTC."""

    year: int
    quarter: int
    """From 1."""

    @classmethod
    def at(cls, now: int) -> Self:
        """The season of a moment, in ms since 1970.

        >>> Season.at(0).name
        '1970-1'
        """
        year, month, _ = day_of(now).split("-")
        return cls(int(year), (int(month) + 2) // 3)

    @classmethod
    def read(cls, name: str) -> Self:
        """A season by its name.  Raises HttpRefusal 404."""
        year, _, quarter = name.partition("-")
        known = year.isdecimal() and year.isascii() and len(year) == 4 and quarter in tuple("1234")
        if not known or not FIRST <= int(year) <= LAST:
            raise HttpRefusal(404, "there is no such season; seasons are named as in 2026-4")
        return cls(int(year), int(quarter))

    @property
    def name(self) -> str:
        """As in addresses: 2026-4."""
        return f"{self.year}-{self.quarter}"

    @property
    def says(self) -> str:
        """As people say it.

        >>> Season(2026, 4).says
        'October to December 2026'
        """
        return f"{MONTHS[self.quarter - 1]} {self.year}"

    @property
    def before(self) -> "Season":
        """The season before."""
        return Season(self.year - (self.quarter == 1), (self.quarter + 2) % 4 + 1)

    @property
    def after(self) -> "Season":
        """The season after."""
        return Season(self.year + (self.quarter == 4), self.quarter % 4 + 1)

    @property
    def begins(self) -> int:
        """In ms since 1970."""
        begins = datetime(self.year, 3 * self.quarter - 2, 1, tzinfo=UTC)
        return int(begins.timestamp() * 1000)


class Ranked(NamedTuple):
    """Somebody in a season's table."""

    place: int
    name: str
    bot: bool
    mine: bool
    skill: Skill


def table(store: Store, game: str, season: Season, person: str | None) -> list[Ranked]:
    """The table of a game in a season: the first is who is at least as good, for all we know."""
    wanted = (
        sa.select(games.c.people, games.c.result)
        .where(COUNTS, games.c.game == game, games.c.origin.is_(None))
        .where(games.c.ended >= season.begins, games.c.ended < season.after.begins)
        .order_by(games.c.ended, games.c.id)
    )
    with store.database.reading.connect() as connection:
        rows = [row for row in connection.execute(wanted) if row.result]
    return ranked(rows, person)


def ranked(rows: Sequence[Any], person: str | None) -> list[Ranked]:
    """The same of rows with ``people`` and ``result``, in the order in which they ended.

    Somebody is who owns a seat, also where a bot plays for them at the end; a bot's level is one
    for all tables.  Whoever is called like somebody above gets a number.
    """
    called, finished = dict[tuple[str, bool], str](), []
    for row in rows:
        places = zip(row.people, row.result["places"], strict=True)
        held = [(*one, place) for one, place in places if one[1] or one[2]]  # no seat that was left
        who = [(person, False) if person else (bot, True) for _, person, bot, _ in held]
        if len(who) < 2:
            continue
        for one, (name, *_) in zip(who, held, strict=True):
            called[one] = one[0] if one[1] else name
        finished.append(Finished(who, [place for *_, place in held]))
    skills = reckoned(finished)
    order = sorted(called, key=lambda one: (-skills[one].low, called[one]))
    names, found = list[str](), list[Ranked]()
    for one in order:
        names.append(unlike(called[one], names))
        place = 1 + sum(skills[other].low > skills[one].low for other in called)
        mine = one == (person, False)
        found.append(Ranked(place, names[-1], one[1], mine, skills[one]))
    return found
