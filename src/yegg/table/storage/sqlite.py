"""Games in a file: nothing to set up, and one process that serves it."""

import shutil
import sqlite3
from functools import cache
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from .database import Database, Row
from .schema import events, games

AT_ONCE = 32  # rows of one statement
LASTING = (
    "journal_mode=WAL",
    "synchronous=FULL",
    "busy_timeout=5000",
    "foreign_keys=ON",
    "secure_delete=ON",  # what is erased is overwritten
)


class Sqlite(Database):
    """SQLite, durable at every commit."""

    shared = False
    silent = 15_000

    def __init__(self, url: str) -> None:
        """The file is made if there is none."""
        super().__init__(sa.create_engine(url, hide_parameters=True))  # some are secret
        sa.event.listen(self.engine, "connect", _durable)
        sa.event.listen(self.engine, "begin", _begin)
        self.last: int | None = None

    def lock(self, connection: sa.Connection) -> None:
        """One process serves a file."""

    def add_events(self, connection: sa.Connection, rows: list[Row]) -> None:
        """Many rows in one statement: each needs the interpreter's lock, as the loop does."""
        for first in range(0, len(rows), AT_ONCE):
            some = rows[first : first + AT_ONCE]
            statement, places = _together(connection.dialect, len(some))
            values = tuple(some[i].get(name) for i, name in places)
            connection.exec_driver_sql(statement, values)

    def tell(self, connection: sa.Connection, said: list[str]) -> None:
        """There is nobody else."""

    def numbers(self, connection: sa.Connection) -> list[int]:
        """The one after the last."""
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


@cache
def _together(dialect: sa.Dialect, many: int) -> tuple[str, list[tuple[int, str]]]:
    """The statement that inserts so many events, and which row's which column goes where."""
    places = {f"{c.name}{i}": (i, c.name) for i in range(many) for c in events.c}
    rows: Any = [{c.name: sa.bindparam(f"{c.name}{i}") for c in events.c} for i in range(many)]
    statement: Any = sa.insert(events).values(rows).compile(dialect=dialect)
    return statement.string, [places[name] for name in statement.positiontup]


def _begin(connection: sa.Connection) -> None:
    driver: Any = connection.connection.dbapi_connection
    driver.execute("BEGIN")


def _durable(connection: Any, _: object) -> None:
    connection.isolation_level = None  # `_begin` says BEGIN: migrations too are all or nothing
    for line in LASTING:
        connection.execute(f"PRAGMA {line}")
