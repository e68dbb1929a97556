"""Games in a file: nothing to set up, and one process that serves it."""

import shutil
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec
import sqlalchemy as sa

from yegg.files import open_private

from .database import Database, Row
from .schema import EVENT, games

AT_ONCE = 32  # rows of one statement
LASTING = (
    "journal_mode=WAL",
    "synchronous=FULL",
    "busy_timeout=5000",
    "foreign_keys=ON",
    "secure_delete=ON",  # what is erased is overwritten
)
ADD = "INSERT INTO events (game, number, actor, choice, at, words) VALUES"
NOW = "WITH now (game, to_act, bots_turn, waits, due) AS (VALUES"
WAITS = (
    ") UPDATE games SET to_act = now.to_act, bots_turn = now.bots_turn, waits = now.waits,"
    " due = now.due FROM now WHERE games.id = now.game"
)


class Sqlite(Database):
    """SQLite, durable at every commit."""

    shared = False
    silent = 15_000

    def __init__(self, url: str) -> None:
        """The file is made if there is none."""
        super().__init__(sa.create_engine(url, hide_parameters=True))  # some are secret
        sa.event.listen(self.engine, "do_connect", _private)
        sa.event.listen(self.engine, "connect", _durable)
        sa.event.listen(self.engine, "begin", _begin)
        self.counting = threading.Lock()
        self.last: int | None = None
        self.pen: sa.PoolProxiedConnection | None = None

    def lock(self, connection: sa.Connection) -> None:
        """One process serves a file."""

    def add_events(self, connection: sa.Connection, rows: list[Row]) -> None:
        """Many rows in one statement: each needs the interpreter's lock, as the loop does."""
        for line, values in _together([tuple(map(row.get, EVENT)) for row in rows], ADD):
            connection.exec_driver_sql(line, values)

    def jot(
        self,
        happened: Sequence[tuple[Any, ...]],
        turns: Sequence[tuple[Any, ...]],
        said: Sequence[str],  # noqa: ARG002  there is nobody else
    ) -> None:
        """By the driver itself, on a connection that is kept for it."""
        if self.pen is None:
            self.pen = self.engine.raw_connection()
        pen: Any = self.pen.driver_connection
        waits = [(*turn[:3], msgspec.json.encode(turn[3]).decode(), turn[4]) for turn in turns]
        lines = [*_together(happened, ADD), *_together(waits, NOW, WAITS)]
        try:
            if len(lines) > 1:  # one statement is a transaction by itself
                pen.execute("BEGIN")
            for line, values in lines:
                pen.execute(line, values)
            if len(lines) > 1:
                pen.execute("COMMIT")
        except sqlite3.Error as error:
            pen.rollback()
            raise sa.exc.DBAPIError.instance("", None, error, sqlite3.Error) from error

    def close(self) -> None:
        """Give the connection back that was kept for `jot`."""
        if self.pen:
            self.pen.close()
            self.pen = None

    def tell(self, connection: sa.Connection, said: list[str]) -> None:
        """There is nobody else."""

    def numbers(self, connection: sa.Connection) -> list[int]:
        """The one after the last; several threads may ask at once."""
        with self.counting:
            if self.last is None:
                self.last = connection.scalar(sa.select(sa.func.max(games.c.id))) or 0
            self.last += 1
            return [self.last]

    def away(self, error: Exception) -> bool:  # noqa: ARG002  as every database
        """A file answers, if only with an error."""
        return False

    def about(self) -> str:
        """As people call it."""
        return f"sqlite {sqlite3.sqlite_version}"

    def free(self) -> int | None:
        """Bytes that are free beside the file."""
        folder = Path(self.engine.url.database or "").absolute().parent
        return shutil.disk_usage(folder).free


def _together(
    rows: Sequence[tuple[Any, ...]], before: str, after: str = ""
) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Statements that hold so many rows together, and their values."""
    for first in range(0, len(rows), AT_ONCE):
        some = rows[first : first + AT_ONCE]
        places = _places(len(some), len(some[0]))
        yield f"{before}{places}{after}", tuple(chain.from_iterable(some))


@cache
def _places(rows: int, columns: int) -> str:
    return ", ".join([f"({', '.join('?' * columns)})"] * rows)


def _begin(connection: sa.Connection) -> None:
    driver: Any = connection.connection.dbapi_connection
    driver.execute("BEGIN")


def files(database: str) -> list[Path]:
    """The file of a database, and those that SQLite keeps beside it."""
    path = Path(database).resolve()
    return [path.with_name(path.name + end) for end in ("", "-wal", "-shm", "-journal")]


def _private(_dialect: Any, _record: Any, where: list[Any], _how: Any) -> None:
    """Make the file before SQLite does; those beside it get the same mode."""
    (path, *_) = files(where[0])
    if not path.exists():
        open_private(path, "ab").close()


def _durable(connection: Any, _: object) -> None:
    connection.isolation_level = None  # `_begin` says BEGIN: migrations too are all or nothing
    for line in LASTING:
        connection.execute(f"PRAGMA {line}")
