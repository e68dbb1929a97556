"""The store of games and their events: many readers, one writer, durable once acknowledged."""

import asyncio
import queue
import secrets
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from itertools import chain, groupby
from operator import itemgetter
from typing import Any, TypeVar

import sqlalchemy as sa

from yegg.files import make_private
from yegg.table import metrics
from yegg.table.domain.lobby_columns import Change

from .database import Database, Row, Tell, Write
from .schema import FOR_ALL, deals, dice, events, games, of_bots, server, sittings
from .sqlite import Sqlite, files
from .sqlite_file import check, path_of
from .uptime import Uptime

LATELY = 600_000  # milliseconds: bots have sat down long before, if somebody is still there
TABLES = (games, dice, deals, events, sittings)  # rows that refer to others come last
WAITING = 2000  # writes; more are refused, and may be repeated
PATIENCE = 4  # how many times as long as a usual commit the writer waits for more writes
MOST = 0.02  # seconds that it waits at most
READERS = 4  # threads
T = TypeVar("T")
Waiting = tuple[asyncio.Future[Any], Write]
"""Something to be written, and who waits for it."""

LAST = sa.select(events.c.at).where(events.c.game == games.c.id).order_by(events.c.number.desc())
NEWEST = LAST.limit(1).scalar_subquery().label("newest")
"""When something last happened in a game, in ms since 1970; None before its first event."""

SEALED = (-5, -6, -70, -71)  # `UNDO`, `DROP`, `SEAL`, `OPEN` of `Kind`; and from `ORDER` down
PUBLIC_KINDS = events.c.choice > -100, events.c.choice.not_in(SEALED)
PUBLIC = LAST.where(*PUBLIC_KINDS)
NEWS = PUBLIC.limit(1).scalar_subquery().label("news")
"""When that last was something that all may know: no order under seal, and none taken back."""

NEWEST_FIRST = sa.select(games, NEWEST, NEWS).order_by(games.c.id.desc())

EVENTS = (
    sa.select(events, sittings.c.name, sittings.c.person, sittings.c.bot)
    .join(
        sittings,
        (sittings.c.game == events.c.game) & (sittings.c.number == events.c.number),
        isouter=True,
    )
    .order_by(events.c.game, events.c.number)
)
"""Events in order, with who sat down at them."""

WITH_DICE = sa.select(
    games, dice.c.seed, dice.c.after, dice.c.early, dice.c.origin.label("dice_origin")
).outerjoin(dice)
"""Games with the seeds of their dice."""

CHANGE = sa.update(games).where(games.c.id == sa.bindparam("of"))


class Taken(Exception):
    """Raised where another process has written an event of that number: the game has gone on."""


class Unwritten(Exception):
    """Raised where nothing was written: too many writes wait, or the disk is full or broken."""


class Unanswered(Unwritten):
    """Raised where the database went away; nobody knows yet whether it was written."""


class Unread(Exception):
    """Raised where the database does not answer."""


class Store:
    """Any thread reads, one thread writes: all that came during a transaction is the next one."""

    def __init__(self, url: str) -> None:
        """Open the database; it must have been migrated."""
        self.database = connected(url)
        self.engine = self.database.engine
        self.closed = False
        self.hours = Uptime()
        self.numbers: list[int] = []
        self.writer = secrets.token_urlsafe()
        """Who writes, in what others are told; another one once an answer was lost."""
        self.readers = ThreadPoolExecutor(READERS, "reader")
        self.queue: queue.SimpleQueue[Waiting | None] = queue.SimpleQueue()
        self.thread = threading.Thread(target=self._write, name="writer")
        self.thread.start()

    async def aside(self, read: Callable[..., T], *what: Any) -> T:
        """Read beside the event loop, once more if the connection was broken.  Raises Unread."""
        if self.closed:
            raise Unread("the server is ending")
        beside = partial(asyncio.get_running_loop().run_in_executor, self.readers)
        try:
            try:
                return await beside(partial(read, *what))
            except sa.exc.DBAPIError as error:
                if not self.database.away(error):
                    raise
                return await beside(partial(read, *what))
        except (sa.exc.DBAPIError, sa.exc.TimeoutError) as error:
            raise Unread(str(error)) from error

    async def query(self, what: Callable[[sa.Connection], T]) -> T:
        """Read something from the database beside the event loop.  Raises Unread."""

        def reading() -> T:
            with self.database.reading.connect() as connection:
                return what(connection)

        return await self.aside(reading)

    async def next_game(self) -> int:
        """The number of a game about to be kept.  Raises Unread."""
        while not self.numbers:
            self.numbers += await self.query(self.database.numbers)
        return self.numbers.pop(0)

    async def keep(
        self, rows: Iterable[tuple[sa.Table, Row]], *, change: Change | None = None
    ) -> None:
        """Return when the rows, all or none, are on disk.  Raises Taken, Unwritten."""
        await self._queued(Write(tuple(rows), change))

    async def work(self, what: Callable[[sa.Connection, Tell], T]) -> T:
        """Return what a change of the database returns, once it is on disk.

        It may be made in one transaction with others, and once more after one of these failed.
        Raises Taken, Unwritten.
        """
        answer: T = await self._queued(Write(work=what))
        return answer

    def _queued(self, write: Write) -> asyncio.Future[Any]:
        if self.queue.qsize() >= WAITING:
            metrics.unwritten.inc()
            raise Unwritten("too much waits for the disk")
        done = asyncio.get_running_loop().create_future()
        self.queue.put((done, write))
        return done

    def at_once(self, write: Write) -> Any:
        """Write in this thread, for commands beside the servers; return what its work returns.

        Raises Taken, Unwritten.
        """
        (answer,) = self._settle([write])
        if isinstance(answer, Exception):
            raise answer
        return answer

    def _write(self) -> None:
        closing, company, usual = False, False, 0.0
        while not closing:
            group = [self.queue.get()]
            if company:
                time.sleep(min(PATIENCE * usual, MOST))
            while not self.queue.empty():
                group.append(self.queue.get())
            closing = None in group
            if waiting := [waiter for waiter in group if waiter]:
                start = time.perf_counter()
                answers = self._settle([write for _, write in waiting])
                usual += (time.perf_counter() - start - usual) / 10
                company = len(waiting) > 1
                metrics.groups.observe(len(waiting))
                waiters = [done for done, _ in waiting]
                waiters[0].get_loop().call_soon_threadsafe(_answer, waiters, answers)

    def _settle(self, group: list[Write]) -> list[Any]:
        """Write the group; each write's answer once it is on disk, or its error."""
        try:
            with metrics.commits.time():
                return self._written(group)
        except Exception as error:  # noqa: BLE001  any: the thread must live, and everybody be answered
            if self.database.away(error):
                metrics.unwritten.inc(len(group))
                self.writer = secrets.token_urlsafe()
                return [Unanswered(str(error)) for _ in group]
            if len(group) > 1:  # write each by itself to find the one that fails
                return [answer for write in group for answer in self._settle([write])]
            if isinstance(error, sa.exc.IntegrityError):
                return [Taken()]
            metrics.unwritten.inc()
            return [Unwritten(str(error))]

    def _written(self, group: list[Write]) -> list[Any]:
        happened = sorted(chain.from_iterable(w.happened() for w in group), key=itemgetter(0, 1))
        if not all(write.plain for write in group):
            with self.engine.begin() as connection:
                return self._put(connection, group, happened)
        turns = sorted(chain.from_iterable(write.turn() for write in group), key=itemgetter(0))
        self.database.put(happened, turns, self._news(group))
        return [None] * len(group)

    def _news(self, group: list[Write]) -> list[str]:
        if not self.database.shared:
            return []
        return [f"kept {self.writer} {line}" for write in group for line in write.news()]

    def _put(
        self, connection: sa.Connection, group: list[Write], happened: list[tuple[Any, ...]]
    ) -> list[Any]:
        """All in the same order everywhere, so that no two processes wait for one another."""
        told: list[str] = []
        for table in TABLES:
            rows = [row for w in group for into, row in w.rows if into is table]
            if table is events and rows:
                self.database.put(happened, connection=connection)
            elif rows:
                connection.execute(sa.insert(table), rows)
        changes = [{"of": w.change.game, **w.change.values} for w in group if w.change]
        changes.sort(key=lambda change: (sorted(change), change["of"]))
        for _, alike in groupby(changes, key=sorted):  # those of the same columns together
            connection.execute(CHANGE, list(alike))
        answers = [write.work and write.work(connection, told.append) for write in group]
        if said := told + self._news(group):
            self.database.put((), said=said, connection=connection)
        return answers

    def _rows(self, wanted: sa.Select[Any]) -> list[sa.Row[Any]]:
        with self.database.reading.connect() as connection:
            return list(connection.execute(wanted))

    def read(self, key: str) -> sa.Row[Any] | None:
        """The row of a game, with the seed of its dice, which must not leave the server."""
        return next(iter(self._rows(WITH_DICE.where(games.c.key == key))), None)

    def whole(self, key: str) -> tuple[sa.Row[Any], list[sa.Row[Any]]] | None:
        """The row of a game, and its events."""
        row = self.read(key)
        return row and (row, self.events(row.id))

    def events(self, game: int, after: int = 0) -> list[sa.Row[Any]]:
        """A game's events after that number, in order, with who sat down at them."""
        return self._rows(EVENTS.where(events.c.game == game, events.c.number > after))

    def listed(self, since: int, limit: int) -> list[sa.Row[Any]]:
        """Games in the lobby that are not over, the newest first, with ``newest`` and ``news``."""
        shown = games.c.listed, games.c.ended.is_(None), games.c.at > since
        return self._rows(NEWEST_FIRST.where(*shown).limit(limit))

    def for_all(self, ended: int, limit: int) -> list[sa.Row[Any]]:
        """Begun games that everybody in the lobby may watch, the newest first.

        They are not over, or not since before ``ended``, in ms since 1970.
        """
        going_on = games.c.ended.is_(None) | (games.c.ended > ended)
        wanted = sa.select(games).where(FOR_ALL, games.c.begun.is_(True), going_on)
        return self._rows(wanted.order_by(games.c.id.desc()).limit(limit))

    def of_person(self, person: str, limit: int) -> list[sa.Row[Any]]:
        """The games where somebody sat down, the newest first, with ``newest`` and ``news``."""
        sat = sa.select(sittings.c.game).where(sittings.c.person == person)
        return self._rows(NEWEST_FIRST.where(games.c.id.in_(sat)).limit(limit))

    def waiting_at(self, lane: str) -> str | None:
        """The key of the table where a quick match waits (`domain.quick_match.lanes`)."""
        wanted = sa.select(games.c.key).where(games.c.quick == lane)
        return next((key for (key,) in self._rows(wanted)), None)

    def lanes_waiting(self) -> list[str]:
        """The lanes where a quick match waits."""
        lately = games.c.at > self.hours.now() - LATELY
        wanted = sa.select(games.c.quick).where(games.c.quick.is_not(None), lately)
        return [lane for (lane,) in self._rows(wanted)]

    def finished(self, person: str, limit: int) -> list[sa.Row[Any]]:
        """The finished games where somebody sat down, the one that ended last first."""
        sat = sa.select(sittings.c.game).where(sittings.c.person == person)
        theirs = sa.select(games).where(games.c.id.in_(sat), games.c.ended.is_not(None))
        return self._rows(theirs.order_by(games.c.ended.desc()).limit(limit))

    def first_of(self, challenge: str) -> str:
        """The key of the game that a challenge repeats; "" if there is none."""
        wanted = sa.select(games.c.key).join(deals, deals.c.game == games.c.id)
        found = self._rows(wanted.where(deals.c.day == challenge).order_by(games.c.id).limit(1))
        return next((key for (key,) in found), "")

    def done(self, challenge: str) -> list[str]:
        """Those who have finished a game of a challenge."""
        wanted = sa.select(deals.c.person).join(games, deals.c.game == games.c.id)
        over = deals.c.day == challenge, games.c.ended.is_not(None)
        return [person for (person,) in self._rows(wanted.where(*over))]

    def key_of(self, game: int) -> str | None:
        """The key of a game, by its number."""
        wanted = sa.select(games.c.key).where(games.c.id == game)
        return next((key for (key,) in self._rows(wanted)), None)

    def name_of(self, game: int) -> str:
        """The name of a table, by its game's number; "" if there is none."""
        wanted = sa.select(games.c.name).where(games.c.id == game)
        return next((name for (name,) in self._rows(wanted)), "")

    def games_of_bots(self) -> list[tuple[int, str]]:
        """The numbers and keys of all games where a bot is to act."""
        wanted = sa.select(games.c.id, games.c.key).where(of_bots)
        return [(row.id, row.key) for row in self._rows(wanted)]

    def games_due(self, now: int) -> list[tuple[int, str, int]]:
        """The numbers and keys of games where somebody's time is up, and since when.

        In truth it may be up later: closures of the house are not counted here.
        """
        wanted = sa.select(games.c.id, games.c.key, games.c.due).where(games.c.due <= now)
        return [(row.id, row.key, row.due) for row in self._rows(wanted)]

    def secret(self, made: str) -> str:
        """The secret that signs cookies: made once, at the first start.  Only before serving."""
        return self._once(server.c.secret, made)

    def secret_of_dice(self, made: str) -> str:
        """The secret from which dice are seeded: as `secret`, which must be there already."""
        return self._once(server.c.dice, made)

    def secret_of_deals(self, made: str) -> str:
        """The secret from which the keys of the deals of each day follow: as `secret_of_dice`."""
        return self._once(server.c.deals, made)

    def _once(self, column: sa.Column[Any], made: str) -> str:
        """What the house keeps in a column; the first who asks writes ``made`` there."""
        with self.engine.begin() as connection:
            self.database.lock(connection)
            kept: list[str | None] = list(connection.scalars(sa.select(column)))
            if kept and kept[0] is not None:
                return kept[0]
            change = sa.update(server) if kept else sa.insert(server)
            connection.execute(change.values({column: made}))
            return made

    def about(self) -> str:
        """The database in a word, for people who look after it."""
        return self.database.about()

    def close(self) -> None:
        """Write what waits, then stop."""
        self.closed = True
        self.queue.put(None)
        self.thread.join()
        self.readers.shutdown()
        self.database.close()
        if not self.database.shared:  # else others may be running
            with suppress(sa.exc.DBAPIError):
                self.database.sign(self.hours)
        self.engine.dispose()


def mended(url: str) -> list[str]:
    """Let only its owner read a database of files; return what is to be said of it, in sentences.

    Those of older versions could be read by everybody on the machine.  Raises Refused for a file
    that is something else, which stays as it is.
    """
    path = path_of(url)
    if path is None:
        return []
    check(path)
    return make_private(path, files(path))


def connected(url: str) -> Database:
    """The database of that address; nothing is asked of it yet."""
    if path := path_of(url):
        return Sqlite(path)
    from .postgres import Postgres

    return Postgres(url)


def _answer(waiters: list[asyncio.Future[Any]], answers: list[Any]) -> None:
    for done, answer in zip(waiters, answers, strict=True):
        if done.done():
            continue
        if isinstance(answer, Exception):
            done.set_exception(answer)
        else:
            done.set_result(answer)
