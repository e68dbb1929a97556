"""How much a house is used: games and people by day and by week, and what it takes on disk.

All is reckoned from the games and their events.
"""

from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, timedelta

import msgspec
import sqlalchemy as sa

from yegg.table.storage.database import Database
from yegg.table.storage.schema import events, games, sittings
from yegg.table.storage.store import PUBLIC_KINDS
from yegg.table.storage.uptime import here

DAY = 86_400_000  # milliseconds
DAYS, WEEKS = 14, 8
PLAYED = sa.exists().where(events.c.game == games.c.id, events.c.choice >= 0)


class Span(msgspec.Struct):
    """A day or a week, in UTC; a week begins on Monday."""

    first: str
    """Its first day, as 2026-11-29."""
    begun: int
    """Games opened then in which somebody has chosen something."""
    finished: int
    """Games that ended then with a result."""
    people: int
    """How many different people did something at a table; whose bot plays now are not counted."""


class Stats(msgspec.Struct):
    """How much a house is used."""

    begun: int
    """Games in which somebody has chosen something, ever."""
    finished: int
    in_play: int
    people: int
    """How many different people have ever sat down."""
    days: list[Span]
    """The newest first."""
    weeks: list[Span]
    bytes: int
    """On disk."""
    daily_bytes: int
    """About how much it grew each day of the last seven: their share of all events."""


def stats(connection: sa.Connection, database: Database) -> Stats:
    """The figures of today."""
    today = datetime.fromtimestamp(here() / 1000, UTC).date()
    monday = today - timedelta(today.weekday())
    first = monday - timedelta(7 * (WEEKS - 1))
    since = DAY * (first - date(1970, 1, 1)).days
    begun = _by_day(connection, games.c.at, since, PLAYED)
    finished = _by_day(connection, games.c.ended, since, games.c.result.is_not(sa.null()))
    there = _people(connection, since)

    def span(of: date, days: int) -> Span:
        number = (of - date(1970, 1, 1)).days
        numbers = range(number, number + days)
        made, over = (sum(by.get(n, 0) for n in numbers) for by in (begun, finished))
        people = set[str]().union(*(there.get(n, ()) for n in numbers))
        return Span(of.isoformat(), made, over, len(people))

    size = database.size(connection)
    written = _count(connection, events)
    lately = _count(connection, events, events.c.at > here() - 7 * DAY)
    return Stats(
        _count(connection, games, PLAYED),
        _count(connection, games, games.c.result.is_not(sa.null())),
        _count(connection, games, games.c.ended.is_(None)),
        connection.scalar(sa.select(sa.func.count(sittings.c.person.distinct()))) or 0,
        [span(today - timedelta(n), 1) for n in range(DAYS)],
        [span(monday - timedelta(7 * n), 7) for n in range(WEEKS)],
        size,
        round(size * lately / written / 7) if written else 0,
    )


def _count(connection: sa.Connection, table: sa.Table, *which: sa.ColumnElement[bool]) -> int:
    counted = sa.select(sa.func.count()).select_from(table).where(*which)
    return connection.scalar(counted) or 0


def _by_day(
    connection: sa.Connection,
    at: sa.Column[int],
    since: int,
    which: sa.ColumnElement[bool],
) -> Mapping[int, int]:
    """How many games fall on each day, counted from 1970."""
    day = (at // DAY).label("day")
    counted = sa.select(day, sa.func.count()).where(at >= since, which).group_by(day)
    return {int(on): many for on, many in connection.execute(counted)}


def _people(connection: sa.Connection, since: int) -> Mapping[int, Iterable[str]]:
    """Who did something on each day, counted from 1970."""
    day = (events.c.at // DAY).label("day")
    acted = sa.select(events.c.game, events.c.actor, day).distinct()
    rows = connection.execute(acted.where(events.c.at >= since, events.c.actor >= 0, *PUBLIC_KINDS))
    since_then = games.c.ended.is_(None) | (games.c.ended >= since)
    went_on = connection.execute(sa.select(games.c.id, games.c.people).where(since_then))
    people = {row.id: row.people or [] for row in went_on}
    there = dict[int, set[str]]()
    for game, seat, on in rows:
        for _, who, bot in people.get(game, [])[seat : seat + 1]:
            if who and not bot:
                there.setdefault(int(on), set()).add(who)
    return there
