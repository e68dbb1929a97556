"""Games and their events on disk: what is acknowledged here survives the process."""

import asyncio
import queue
import sqlite3
import threading
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import sqlalchemy as sa

from yegg.table import metrics

from .schema import events, games, server, sittings

Row = Mapping[str, Any]
TABLES = (games, events, sittings)  # rows that refer to others come last
WAITING = 2000  # writes; more are refused, and may be repeated
AT_ONCE = 32  # rows of one statement
COMPANY = 0.002  # seconds to wait for more writes, when the last did not come alone

NEWEST = (
    sa.select(events.c.at)
    .where(events.c.game == games.c.id)
    .order_by(events.c.number.desc())
    .limit(1)
    .scalar_subquery()
    .label("newest")
)
"""When something last happened in a game, in ms since 1970; None before its first event."""

CHANGE = sa.update(games).where(games.c.id == sa.bindparam("of"))


class Taken(Exception):
    """Another process has written an event of that number: the game has gone on."""


class Unwritten(Exception):
    """Nothing was written: too many writes wait, or the disk is full or broken."""


class Change(NamedTuple):
    """What the lobby shows of a game, and how it ended: written with the events it follows from."""

    game: int
    values: Mapping[str, Any]
    """By column of `games`."""


@dataclass(frozen=True)
class Write:
    """Rows that are written together: all of them, or none."""

    done: asyncio.Future[None]
    rows: tuple[tuple[sa.Table, Row], ...]
    change: Change | None = None


class Store:
    """Any thread reads, one thread writes: all that came during a transaction is the next one."""

    def __init__(self, url: str) -> None:
        """Open the database; it must have been migrated."""
        self.engine = connected(url)
        self.queue: queue.SimpleQueue[Write | None] = queue.SimpleQueue()
        self.thread = threading.Thread(target=self._write, name="writer")
        self.thread.start()
        with self.engine.connect() as connection:
            self.last = connection.scalar(sa.select(sa.func.max(games.c.id))) or 0

    def next_game(self) -> int:
        """The number of a game about to be kept."""
        self.last += 1
        return self.last

    async def keep(
        self, rows: Iterable[tuple[sa.Table, Row]], *, change: Change | None = None
    ) -> None:
        """Return when the rows, all or none, are on disk.  Raises Taken, Unwritten."""
        if self.queue.qsize() >= WAITING:
            raise Unwritten("too much waits for the disk")
        done = asyncio.get_running_loop().create_future()
        self.queue.put(Write(done, tuple(rows), change))
        await done

    def _write(self) -> None:
        closing, group = False, list[Write | None]()
        with self.engine.connect() as connection:
            while not closing:
                busy = len(group) > 1
                group = [self.queue.get()]
                if busy:
                    time.sleep(COMPANY)
                while not self.queue.empty():
                    group.append(self.queue.get())
                closing = None in group
                if writes := [write for write in group if write]:
                    settled = self._settle(connection, writes)
                    metrics.groups.observe(len(writes))
                    writes[0].done.get_loop().call_soon_threadsafe(_answer, settled)

    def _settle(
        self, connection: sa.Connection, group: list[Write]
    ) -> list[tuple[asyncio.Future[None], Exception | None]]:
        """Write the group; each write's future with its error, None when it is on disk."""
        try:
            with metrics.commits.time(), connection.begin():
                for table in TABLES:
                    if rows := [row for w in group for into, row in w.rows if into is table]:
                        _insert(connection, table, rows)
                for changes in _alike(group):
                    connection.execute(CHANGE, changes)
        except Exception as error:  # noqa: BLE001  any: the thread must live, and everybody be answered
            if len(group) > 1:  # write each by itself to find the one that fails
                return [answer for write in group for answer in self._settle(connection, [write])]
            if isinstance(error, sa.exc.IntegrityError):
                return [(group[0].done, Taken())]
            return [(group[0].done, Unwritten(str(error)))]
        return [(write.done, None) for write in group]

    def read(self, key: str) -> sa.Row[Any] | None:
        """The row of a game."""
        with self.engine.connect() as connection:
            return connection.execute(sa.select(games).where(games.c.key == key)).one_or_none()

    def events(self, game: int, after: int = 0) -> list[sa.Row[Any]]:
        """A game's events after that number, in order, with who sat down at them."""
        seated = (sittings.c.game == events.c.game) & (sittings.c.number == events.c.number)
        wanted = (
            sa.select(events, sittings.c.name, sittings.c.person, sittings.c.bot)
            .join(sittings, seated, isouter=True)
            .where(events.c.game == game, events.c.number > after)
            .order_by(events.c.number)
        )
        with self.engine.connect() as connection:
            return list(connection.execute(wanted))

    def listed(self, since: int, limit: int) -> list[sa.Row[Any]]:
        """Games in the lobby that are not over, the newest first, with their ``newest`` event."""
        wanted = (
            sa.select(games, NEWEST)
            .where(games.c.listed, games.c.ended.is_(None), games.c.at > since)
            .order_by(games.c.id.desc())
            .limit(limit)
        )
        with self.engine.connect() as connection:
            return list(connection.execute(wanted))

    def of_person(self, person: str, limit: int) -> list[sa.Row[Any]]:
        """The games where somebody sat down, the newest first, with their ``newest`` event."""
        sat = sa.select(sittings.c.game).where(sittings.c.person == person)
        wanted = (
            sa.select(games, NEWEST)
            .where(games.c.id.in_(sat))
            .order_by(games.c.id.desc())
            .limit(limit)
        )
        with self.engine.connect() as connection:
            return list(connection.execute(wanted))

    def secret(self, fresh: str) -> str:
        """What signs the cookies: made once, at the first start.  Only before serving."""
        with self.engine.begin() as connection:
            kept = connection.scalar(sa.select(server.c.secret))
            if kept is None:
                connection.execute(sa.insert(server).values(secret=fresh))
            return kept or fresh

    def about(self) -> str:
        """The database in a word, for people who look after it."""
        name = self.engine.dialect.name
        return f"sqlite {sqlite3.sqlite_version}" if name == "sqlite" else name

    def close(self) -> None:
        """Write what waits, then stop."""
        self.queue.put(None)
        self.thread.join()
        self.engine.dispose()


def _alike(group: Iterable[Write]) -> Iterable[list[Row]]:
    """The changes of a group, those of the same columns together; each game has one at most."""
    found: dict[tuple[str, ...], list[Row]] = {}
    for write in group:
        if write.change:
            game, values = write.change
            found.setdefault(tuple(sorted(values)), []).append({"of": game, **values})
    return found.values()


def _insert(connection: sa.Connection, table: sa.Table, rows: list[Row]) -> None:
    """Insert rows into a table; events, which are many, in few statements.

    Every statement needs the interpreter's lock, which the event loop needs too.
    """
    if table is not events:
        connection.execute(sa.insert(table), rows)
        return
    for first in range(0, len(rows), AT_ONCE):
        some = rows[first : first + AT_ONCE]
        statement, places = together(connection.dialect, len(some))
        values = [some[i].get(name) for i, name in places.values()]
        by_place = statement.positional
        connection.exec_driver_sql(
            statement.string, tuple(values) if by_place else dict(zip(places, values, strict=True))
        )


@cache
def together(dialect: sa.Dialect, many: int) -> tuple[Any, dict[str, tuple[int, str]]]:
    """The statement that inserts so many events, and which row's which column goes where."""
    places = {f"{c.name}{i}": (i, c.name) for i in range(many) for c in events.c}
    rows: Any = [{c.name: sa.bindparam(f"{c.name}{i}") for c in events.c} for i in range(many)]
    statement: Any = sa.insert(events).values(rows).compile(dialect=dialect)
    return statement, {name: places[name] for name in statement.positiontup or places}


def connected(url: str) -> sa.Engine:
    """An engine for the address; SQLite made durable."""
    engine = sa.create_engine(url)
    if engine.dialect.name == "sqlite":
        sa.event.listen(engine, "connect", _durable)
        sa.event.listen(engine, "begin", _begin)
    return engine


def _begin(connection: sa.Connection) -> None:
    driver: Any = connection.connection.dbapi_connection
    driver.execute("BEGIN")


def _durable(connection: Any, _: object) -> None:
    connection.isolation_level = None  # `_begin` says BEGIN: migrations too are all or nothing
    for line in "journal_mode=WAL", "synchronous=FULL", "busy_timeout=5000", "foreign_keys=ON":
        connection.execute(f"PRAGMA {line}")


def _answer(settled: list[tuple[asyncio.Future[None], Exception | None]]) -> None:
    for done, error in settled:
        if done.done():
            continue
        if error is None:
            done.set_result(None)
        else:
            done.set_exception(error)
