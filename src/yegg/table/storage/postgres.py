"""PostgreSQL as the database: any number of processes serve the same games."""

from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import aclosing
from select import POLLIN, poll
from typing import Any

import sqlalchemy as sa

from .database import Database, as_json
from .schema import processes
from .uptime import Sign, Uptime, sign

CHANNEL = "yegg"
LONGEST = 7000  # bytes of one notice; PostgreSQL takes 8,000
FEW = 7  # connections of a process, beside the one that hears the others
GIVE_UP = {  # a connection that is silent for some seconds is given up
    "connect_timeout": 3,
    "keepalives_idle": 3,
    "keepalives_interval": 1,
    "keepalives_count": 3,
    "tcp_user_timeout": 6000,
    "options": "-c statement_timeout=8000 -c synchronous_commit=on",
}
PUT = """
WITH added AS (
    INSERT INTO events (game, number, actor, choice, at, words)
    SELECT (e->>0)::int, (e->>1)::int, (e->>2)::int, (e->>3)::int, (e->>4)::bigint, e->>5
    FROM json_array_elements(%s::json) AS e
), waited AS (
    UPDATE games SET to_act = (t->>1)::int, bots_turn = (t->>2)::bool, waits = t->3,
        due = (t->>4)::bigint
    FROM json_array_elements(%s::json) AS t WHERE games.id = (t->>0)::int
)
SELECT pg_notify(%s, said) FROM json_array_elements_text(%s::json) AS said
"""
NEWER = sa.text(
    "SELECT e.*, s.name, s.person, s.bot"
    " FROM unnest(CAST(:games AS int[]), CAST(:numbers AS int[])) AS known (game, number)"
    " CROSS JOIN LATERAL (SELECT * FROM events WHERE events.game = known.game"  # by the index only
    " AND events.number > known.number ORDER BY events.number LIMIT 100000) AS e"
    " LEFT JOIN sittings AS s ON s.game = e.game AND s.number = e.number"
    " ORDER BY e.game, e.number"
)
NUMBERS = sa.text(
    "SELECT nextval(pg_get_serial_sequence('games', 'id')) FROM generate_series(1, 50)"
)
NOW = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
CLOCK = sa.text(f"SELECT {NOW}")
ALIVE = sa.text(
    f"INSERT INTO processes (id, at) VALUES (:id, {NOW})"  # noqa: S608  a constant
    " ON CONFLICT (id) DO UPDATE SET at = excluded.at"
)
LIVING = sa.text(f"SELECT id FROM processes WHERE abs(at - {NOW}) < :silent")  # noqa: S608
SIZE = sa.text("SELECT pg_database_size(current_database())")
FORGET = sa.text(f"DELETE FROM processes WHERE at < {NOW} - 3600000")  # noqa: S608


class Postgres(Database):
    """PostgreSQL by psycopg 3."""

    shared = True
    silent = 3_000
    clock = CLOCK

    def __init__(self, url: str) -> None:
        """Connect when something is asked.

        When one connection breaks, all of the process are made anew.  Since each process gives a
        sign of life every second, a person seldom meets a broken one.
        """
        self.address = address = sa.make_url(url).set(drivername="postgresql+psycopg")
        self.options = {key: value for key, value in GIVE_UP.items() if key not in address.query}
        engine = sa.create_engine(
            address, pool_size=FEW, max_overflow=0, connect_args=self.options, hide_parameters=True
        )
        super().__init__(engine)
        self.reading = engine.execution_options(isolation_level="AUTOCOMMIT")
        self.pen: Any = None
        self.unasked = poll()

    def lock(self, connection: sa.Connection) -> None:
        """An advisory lock of the transaction; its number is ours alone."""
        connection.execute(sa.text("SET LOCAL statement_timeout = 0"))
        connection.execute(sa.text("SELECT pg_advisory_xact_lock(7366453)"))

    def put(
        self,
        happened: Sequence[tuple[Any, ...]],
        turns: Sequence[tuple[Any, ...]] = (),
        said: Sequence[str] = (),
        connection: sa.Connection | None = None,
    ) -> None:
        """All in one statement: one answer to wait for.

        NOTIFY goes out just when the transaction is committed, and only then.
        """
        values = as_json(happened), as_json(turns), CHANNEL, as_json(list(_packed(said)))
        if connection is not None:
            connection.exec_driver_sql(PUT, values)
            return
        driver: Any = self.engine.dialect.loaded_dbapi
        try:
            self._pen().execute(PUT, values, prepare=True)
        except driver.Error as error:
            if self.line and self.pen.connection.closed:
                self.close()
            raise sa.exc.DBAPIError.instance("", None, error, driver.Error) from error

    def _pen(self) -> Any:
        """A cursor of the connection for `put`; another one if the last one has been closed."""
        if self.line and self.unasked.poll(0):  # the server says farewell
            self.close()
        if self.line is None:
            self.line = self.engine.raw_connection()
            driver: Any = self.line.driver_connection
            driver.autocommit = True
            self.pen, self.unasked = driver.cursor(), poll()
            self.unasked.register(driver.fileno(), POLLIN)
        return self.pen

    def numbers(self, connection: sa.Connection) -> list[int]:
        """Fifty of a sequence."""
        return list(connection.scalars(NUMBERS))

    def away(self, error: Exception) -> bool:
        """Whether the connection is gone, or there was none to be had."""
        if not isinstance(error, sa.exc.DBAPIError):
            return isinstance(error, sa.exc.TimeoutError)
        state = getattr(error.orig, "sqlstate", None) or "08"
        return error.connection_invalidated or state[:2] == "08" or state[:4] == "57P0"

    def about(self) -> str:
        """With its version, once it has answered."""
        version = self.engine.dialect.server_version_info
        return "postgresql" + (f" {'.'.join(map(str, version))}" if version else "")

    def size(self, connection: sa.Connection) -> int:
        """As PostgreSQL counts it."""
        return int(connection.scalar(SIZE) or 0)

    # Beyond what SQLite can do

    def beat(
        self, process: str, silent: float, said: list[str], hours: Uptime, *, first: bool = False
    ) -> tuple[list[str], Sign]:
        """Give a sign of life, tell the others something, and return who is alive.

        Whoever was silent for ``silent`` seconds by the database's clock is not.  ``hours`` and
        ``first``: as for `sign`.
        """
        after = {"silent": int(1000 * silent)}
        with self.engine.begin() as connection:
            company = bool(connection.scalars(LIVING, after).all())
            closed = 0 if first and not company else self.silent
            given = sign(connection, self.clock, closed, hours, company=company)
            connection.execute(ALIVE, {"id": process})
            connection.execute(FORGET)
            self.put((), said=said, connection=connection)
            return list(connection.scalars(LIVING, after)), given

    def living(self, connection: sa.Connection, silent: float) -> list[str]:
        """The processes that have given a sign of life in the last ``silent`` seconds."""
        return list(connection.scalars(LIVING, {"silent": int(1000 * silent)}))

    def shout(self, line: str) -> None:
        """Tell the others something at once."""
        with self.engine.begin() as connection:
            self.put((), said=[line], connection=connection)

    def leave(self, process: str, hours: Uptime) -> None:
        """Say that a process is ending, so that nobody waits for its silence."""
        with self.engine.begin() as connection:
            sign(connection, self.clock, self.silent, hours)
            connection.execute(sa.delete(processes).where(processes.c.id == process))

    def newer(self, known: Mapping[int, int]) -> list[sa.Row[Any]]:
        """The events of several games after the number that is known of each, in order."""
        wanted = {"games": list(known), "numbers": list(known.values())}
        with self.reading.connect() as connection:
            return list(connection.execute(NEWER, wanted))

    async def heard(self) -> AsyncGenerator[list[str], None]:
        """What processes tell one another, in lines, from now on; at first none: it has begun.

        Before that anything may have been missed, and nothing after it.  Raises an error of psycopg
        if there is no connection, or when it is lost.
        """
        _, how = self.engine.dialect.create_connect_args(self.address)
        driver: Any = self.engine.dialect.loaded_dbapi
        async with await driver.AsyncConnection.connect(
            autocommit=True, **how, **self.options
        ) as line:
            await line.execute(f"LISTEN {CHANNEL}")
            yield []
            async with aclosing(line.notifies()) as notices:
                async for notice in notices:
                    yield notice.payload.split("\n")


def _packed(said: Sequence[str]) -> Iterator[str]:
    """Lines put together, as many as one notice takes."""
    lines, size = list[str](), 0
    for line in said:
        length = len(line.encode()) + 1
        if lines and size + length > LONGEST:
            yield "\n".join(lines)
            lines, size = [], 0
        lines.append(line)
        size += length
    if lines:
        yield "\n".join(lines)
