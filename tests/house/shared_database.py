"""A database that several processes share: a model of what we ask of PostgreSQL, over SQLite.

What it promises: a transaction is there as a whole or not at all; its notices go out once it is
committed, in that order, to every process that listens then; a process that gives no sign of life
counts as dead.  Signs of life go by the loop's time, so that the house's can stand still meanwhile.
"""

import asyncio

import sqlalchemy as sa

from yegg.table.storage.database import Database
from yegg.table.storage.postgres import Postgres
from yegg.table.storage.schema import events, games, processes
from yegg.table.storage.sqlite import Sqlite
from yegg.table.storage.store import EVENTS
from yegg.table.storage.uptime import sign

NUMBERS = 50
SAID = "said"  # what is told at the commit, on a connection


class Cut(Exception):
    """Raised where the connection of a process that listens is lost."""


class Notices:
    """What processes tell one another; each hears all of it in order, a moment later."""

    def __init__(self, loop):
        self.loop, self.lines, self.last = loop, [], 0
        self.told = 0

    def tell(self, said):
        """Tell everybody who listens now."""
        if not said:
            return
        self.told += 1
        for line in self.lines:
            line.coming.append(list(said))
            self.loop.soon(line.arrives)

    def cut(self, number):
        """The connection of one of those who listen is lost, with all that has not arrived."""
        if self.lines:
            self.lines[number % len(self.lines)].cut()


class Line:
    """The connection of a process that listens."""

    def __init__(self):
        self.coming, self.there = [], asyncio.Queue()

    def arrives(self):
        if self.coming:
            self.there.put_nowait(self.coming.pop(0))

    def cut(self):
        self.coming.clear()
        self.there.put_nowait(None)


class Shared(Postgres):
    """As one process of several has it."""

    silent = Sqlite.silent
    clock = None

    def __init__(self, path, notices):
        self.file, self.notices, self.ended = Sqlite(path), notices, False
        Database.__init__(self, self.file.engine)
        self.reading = self.file.reading
        sa.event.listen(self.engine, "commit", self._committed)
        sa.event.listen(self.engine, "rollback", lambda on: on.info.pop(SAID, None))

    def _committed(self, connection):
        self.notices.tell(connection.info.pop(SAID, []))

    def lock(self, connection):
        """Each transaction that writes has the file alone."""

    def put(self, happened, turns=(), said=(), connection=None):
        self.file.put(happened, turns, connection=connection)
        if connection is None:
            self.notices.tell(said)
        else:
            connection.info.setdefault(SAID, []).extend(said)

    def numbers(self, connection):
        there = connection.scalar(sa.select(sa.func.max(games.c.id))) or 0
        first = max(self.notices.last, there) + 1
        self.notices.last = first + NUMBERS - 1
        return list(range(first, first + NUMBERS))

    def away(self, _):
        return False

    def about(self):
        return "a model of postgresql"

    def size(self, connection):
        return self.file.size(connection)

    def close(self):
        self.file.close()

    # Who lives

    def _moment(self):
        return int(1000 * self.notices.loop.time())

    def living(self, connection, silent):
        since = self._moment() - int(1000 * silent)
        return list(connection.scalars(sa.select(processes.c.id).where(processes.c.at > since)))

    def beat(self, process, silent, said, hours, *, first=False):
        with self.engine.begin() as connection:
            company = bool(self.living(connection, silent))
            closed = 0 if first and not company else self.silent
            given = sign(connection, self.clock, closed, hours, company=company)
            connection.execute(sa.delete(processes).where(processes.c.id == process))
            connection.execute(sa.insert(processes).values(id=process, at=self._moment()))
            self.put((), said=said, connection=connection)
            return self.living(connection, silent), given

    def leave(self, process, hours):
        if not self.ended:  # who is dead says nothing
            super().leave(process, hours)

    def newer(self, known):
        found = []
        with self.reading.connect() as connection:
            for game in sorted(known):
                of_it = events.c.game == game, events.c.number > known[game]
                found += connection.execute(EVENTS.where(*of_it))
        return found

    async def heard(self):
        line = Line()
        self.notices.lines.append(line)
        try:
            yield []
            while (said := await line.there.get()) is not None:
                yield said
            raise Cut("the connection was lost")
        finally:
            self.notices.lines.remove(line)
