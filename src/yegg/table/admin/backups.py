"""Backups of a server's data, made while people play, and restoring them.

A copy is one SQLite file, whichever database it came from.  So it can be looked into by anything,
and restored into either database.  The seeds of its games may be known by then, since the house
that was copied may have gone on: a restored house seals the dice of all games that go on anew.
"""

import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from yegg.engine import Refused
from yegg.files import open_private, replacing
from yegg.table.domain.dice import Promised, chance_of, promised_anew
from yegg.table.service.older_rules import replayed
from yegg.table.storage.database import Database
from yegg.table.storage.migrate import age, migrate
from yegg.table.storage.postgres import Postgres
from yegg.table.storage.schema import EVENT, dice, events, games, metadata, processes, server
from yegg.table.storage.sqlite import Sqlite
from yegg.table.storage.sqlite_file import address, path_of
from yegg.table.storage.store import EVENTS, WITH_DICE, connected

from .copies import UNREADABLE, Copied, judged, seal

AT_ONCE = 1000  # rows
NAMED = "yegg-%Y%m%dT%H%M%S.%fZ.db"
SILENT = 3.0  # seconds after which a process counts as dead
FIRST_FREE = sa.text("SELECT setval(pg_get_serial_sequence(:table, :column), :last)")


def backup(url: str, path: Path) -> Copied:
    """Copy a house into a new file, as it is at one moment.  Raises Refused."""
    if path.exists():
        raise Refused(f"{path} exists already; name another file")
    with _half_made(path) as part, _opened(url) as database:
        with database.reading.connect() as connection:
            if age(connection) != 0:
                raise Refused(
                    "this database is of another version of yegg: back it up with the one that "
                    "serves it"
                )
        if isinstance(database, Postgres):
            _pour(database, part)
        else:
            _copy(_file(url), part)
        found = seal(part)
    return found._replace(path=str(path))


def backup_into(url: str, folder: Path, keep: int = 0) -> Copied:
    """Copy a house into a file named by the time; of older ones the newest ``keep`` - 1 remain.

    ``keep`` 0: all remain.  Raises Refused.
    """
    folder.mkdir(parents=True, exist_ok=True)
    made = backup(url, folder / datetime.now(UTC).strftime(NAMED))
    for old in sorted(folder.glob("yegg-*Z.db"))[:-keep] if keep else ():
        old.unlink()
    return made


def restore(path: Path, url: str) -> Copied:
    """Make a house of a copy, in a database that is empty.  Raises Refused."""
    found = judged(path)
    if url.startswith("postgres"):
        with tempfile.TemporaryDirectory() as folder:
            newest = Path(folder) / "copy.db"
            _copy(path, newest)
            _seal_anew(newest)
            with _opened(address(newest)) as source, _opened(url) as target:
                migrate(target)
                _fill(source, target)
    else:
        where = _file(url)
        if where.exists():
            raise Refused(f"{where} exists already: move it away first; nothing was changed")
        with _half_made(where) as part:
            _copy(path, part)
            _seal_anew(part)
    return found


@contextmanager
def _opened(url: str) -> Iterator[Database]:
    """The database of that address, which has to be there already if it is a file."""
    if not url.startswith("postgres") and not _file(url).is_file():
        raise Refused(f"there is no house at {_file(url)}")
    database = connected(url)
    try:
        yield database
    except sa.exc.OperationalError as error:
        raise Refused(f"the database does not answer: {error.orig}") from None
    except sa.exc.DatabaseError as error:
        raise Refused(f"the database is damaged: {error.orig}") from None
    finally:
        database.engine.dispose()


def _file(url: str) -> Path:
    return path_of(url) or Path()


@contextmanager
def _half_made(path: Path) -> Iterator[Path]:
    """Where to write what becomes the file once it is whole; only its owner may read it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as part:
        try:
            yield part
        except UNREADABLE as error:
            raise Refused(f"{path} could not be made: {error}") from None
        finally:
            for end in "-wal", "-shm":
                Path(f"{part}{end}").unlink(missing_ok=True)


def _copy(source: Path, target: Path) -> None:
    """Write a database anew in one read transaction, which nobody who writes has to wait for."""
    open_private(target, "ab").close()
    with closing(sqlite3.connect(source)) as there:
        there.execute("VACUUM INTO ?", (str(target),))


def _one_file(path: Path) -> None:
    """Put what SQLite keeps beside a file into it."""
    with closing(sqlite3.connect(path)) as here:
        here.execute("PRAGMA journal_mode=DELETE")


# Dice that go on


def _seal_anew(path: Path) -> None:
    """Bring a copy up to date, and promise all dice that are still to come anew."""
    database = Sqlite(path)
    migrate(database)
    with database.engine.begin() as connection:
        going = WITH_DICE.where(games.c.ended.is_(None), dice.c.seed.is_not(None))
        for row in connection.execute(going).all():
            of, sealed = dice.c.game == row.id, _sealed(connection, row)
            if sealed:
                connection.execute(sa.update(dice).where(of).values(sealed.row(row.id)))
            else:
                connection.execute(sa.delete(dice).where(of))
        connection.execute(sa.update(server).values(dice=None))  # it is made again at the start
    database.engine.dispose()
    _one_file(path)


def _sealed(connection: sa.Connection, row: sa.Row[Any]) -> Promised | None:
    """The dice of a game from now on; None if its rules are not here, so that nobody plays on."""
    happened = connection.execute(EVENTS.where(events.c.game == row.id)).all()
    try:
        now = replayed(row, happened)
    except Refused:
        return None
    before, played = chance_of(row), now.played
    seen = any(seat.person for seat in now.seats)
    return before and promised_anew(
        played, early=before.early and not seen, origin=before.behind(played)
    )


# From PostgreSQL, and into it


def _kept() -> list[sa.Table]:
    """The tables of a copy, those that others refer to first."""
    return [table for table in metadata.sorted_tables if table is not processes]


def _pour(database: Database, path: Path) -> None:
    """Copy all rows, as they are at one moment, into a new file."""
    target = Sqlite(path)
    migrate(target)
    engine = database.engine.execution_options(isolation_level="REPEATABLE READ")
    with engine.connect() as source, target.engine.begin() as connection:
        source.execute(sa.text("SET LOCAL statement_timeout = 0"))
        for table in _kept():
            _rows(source, target, connection, table)
    target.engine.dispose()
    _one_file(path)


def _rows(
    source: sa.Connection, target: Database, connection: sa.Connection, table: sa.Table
) -> None:
    found = source.execution_options(yield_per=AT_ONCE).execute(sa.select(table))
    into = sa.insert(table).values({c.name: _bound(c) for c in table.c})
    for some in found.mappings().partitions():
        if table is events:
            target.put([tuple(map(row.get, EVENT)) for row in some], connection=connection)
        else:
            connection.execute(into, [dict(row) for row in some])


def _bound(column: sa.Column[object]) -> sa.BindParameter[object]:
    """A column's value; nothing stays nothing, and does not become JSON's null."""
    kind = sa.JSON(none_as_null=True) if isinstance(column.type, sa.JSON) else column.type
    return sa.bindparam(column.name, type_=kind)


def _fill(source: Database, target: Database) -> None:
    """Put all rows into an empty database, all or none.  Raises Refused."""
    with source.reading.connect() as rows, target.engine.begin() as connection:
        target.lock(connection)
        if connection.scalar(sa.select(sa.func.count()).select_from(games)):
            raise Refused("there are games in that database already; nothing was changed")
        if isinstance(target, Postgres) and target.living(connection, SILENT):
            raise Refused("a server is running on that database: stop it first")
        for table in reversed(_kept()):
            connection.execute(sa.delete(table))  # what an empty house has made for itself
        for table in _kept():
            _rows(rows, target, connection, table)
            _count_on(connection, table)


def _count_on(connection: sa.Connection, table: sa.Table) -> None:
    """Let the database go on counting where the rows end."""
    column = table.autoincrement_column
    last = connection.scalar(sa.select(sa.func.max(column))) if column is not None else None
    if column is not None and last:
        values = {"table": table.name, "column": column.name, "last": last}
        connection.execute(FIRST_FREE, values)
