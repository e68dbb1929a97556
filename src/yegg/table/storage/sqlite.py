"""SQLite as the database: one file, nothing to set up, one process that serves it."""

import shutil
import sqlite3
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from yegg.files import open_private

from .database import Database, as_json
from .schema import games

LASTING = (
    "journal_mode=WAL",
    "synchronous=FULL",
    "busy_timeout=5000",
    "foreign_keys=ON",
    "secure_delete=ON",  # what is erased is overwritten
)
ADD = (
    "INSERT INTO events (game, number, actor, choice, at, words)"
    " SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]'),"
    " json_extract(value, '$[3]'), json_extract(value, '$[4]'), json_extract(value, '$[5]')"
    " FROM json_each(?)"
)
WAITS = (
    "UPDATE games SET (to_act, bots_turn, waits, due)"
    " = (json_extract(value, '$[1]'), json_extract(value, '$[2]'), json_extract(value, '$[3]'),"
    " json_extract(value, '$[4]')) FROM json_each(?) WHERE games.id = json_extract(value, '$[0]')"
)


class Sqlite(Database):
    """SQLite, durable at every commit."""

    shared = False
    silent = 15_000

    def __init__(self, path: Path) -> None:
        """The file is made if there is none."""
        url = sa.URL.create("sqlite", database=str(path))
        super().__init__(sa.create_engine(url, hide_parameters=True))  # some are secret
        sa.event.listen(self.engine, "do_connect", _private)
        sa.event.listen(self.engine, "connect", _durable)
        sa.event.listen(self.engine, "begin", _begin)
        self.reading = self.engine.execution_options(begin="BEGIN")
        self.counting = threading.Lock()
        self.last: int | None = None

    def lock(self, connection: sa.Connection) -> None:
        """One process serves a file."""

    def put(
        self,
        happened: Sequence[tuple[Any, ...]],
        turns: Sequence[tuple[Any, ...]] = (),
        said: Sequence[str] = (),  # noqa: ARG002  there is nobody else
        connection: sa.Connection | None = None,
    ) -> None:
        """One statement for all events, and one for all games."""
        lines = [(line, as_json(rows)) for line, rows in ((ADD, happened), (WAITS, turns)) if rows]
        if connection is not None:
            for line, values in lines:
                connection.exec_driver_sql(line, (values,))
            return
        if self.line is None:
            self.line = self.engine.raw_connection()
        pen: Any = self.line.driver_connection
        try:
            if len(lines) > 1:  # one statement is a transaction by itself
                pen.execute("BEGIN")
            for line, values in lines:
                pen.execute(line, (values,))
            if len(lines) > 1:
                pen.execute("COMMIT")
        except sqlite3.Error as error:
            pen.rollback()
            raise sa.exc.DBAPIError.instance("", None, error, sqlite3.Error) from error

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
        """SQLite with its version."""
        return f"sqlite {sqlite3.sqlite_version}"

    def size(self, connection: sa.Connection) -> int:  # noqa: ARG002  the file system knows
        """The file, and those beside it."""
        there = files(Path(self.engine.url.database or ""))
        return sum(path.stat().st_size for path in there if path.exists())

    def free(self) -> int | None:
        """Bytes that are free beside the file."""
        folder = Path(self.engine.url.database or "").absolute().parent
        return shutil.disk_usage(folder).free


def _begin(connection: sa.Connection) -> None:
    """A change begins with the lock: nobody else can write between its reading and its writing."""
    driver: Any = connection.connection.dbapi_connection
    driver.execute(connection.get_execution_options().get("begin", "BEGIN IMMEDIATE"))


def files(database: Path) -> list[Path]:
    """The file of a database, and those that SQLite keeps beside it."""
    path = database.resolve()
    return [path.with_name(path.name + end) for end in ("", "-wal", "-shm", "-journal")]


def _private(_dialect: Any, _record: Any, where: list[Any], _how: Any) -> None:
    """Make the file before SQLite does; those beside it get the same mode."""
    (path, *_) = files(Path(where[0]))
    if not path.exists():
        open_private(path, "ab").close()


def _durable(connection: Any, _: object) -> None:
    connection.isolation_level = None  # `_begin` says BEGIN: migrations too are all or nothing
    for line in LASTING:
        connection.execute(f"PRAGMA {line}")
