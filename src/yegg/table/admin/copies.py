"""A copy of a house as a file: its checksums, and whether it is whole.

A copy has one table more than a house, with a checksum of every other one.  Copies by versions
before 1.1 have none: they are judged by their tables and rows alone.
"""

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import msgspec
import sqlalchemy as sa

from yegg.engine import Refused
from yegg.table.storage.migrate import CHECKSUMS, age, empty
from yegg.table.storage.schema import metadata

from . import rows

COUNTED = "sqlite_sequence"
"""Where SQLite keeps the last number of tables that never give one twice."""
ALL = "sqlite_master"
UNREADABLE = sqlite3.Error, sa.exc.DBAPIError, UnicodeError
"""What is raised for a damaged file; even the sentences of SQLite may be damaged."""
TABLES = (
    "SELECT name FROM sqlite_master WHERE type = 'table'"
    " AND (name NOT LIKE 'sqlite\\_%' ESCAPE '\\' OR name = ?) AND name != ? ORDER BY name"
)
COLUMNS = 'SELECT name, type, "notnull", pk FROM pragma_table_info(?) ORDER BY name'
INDEXES = 'SELECT name, "unique", origin, partial FROM pragma_index_list(?) ORDER BY name'
KEY = "SELECT name FROM pragma_table_info(?) WHERE pk ORDER BY pk"
STRUCTURE = "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE tbl_name != ? ORDER BY 1, 2"
MADE = f"CREATE TABLE {CHECKSUMS} (name TEXT PRIMARY KEY, sha256 TEXT NOT NULL) WITHOUT ROWID"


class Copied(NamedTuple):
    """A copy: its file, and how many games and events it has."""

    path: str
    games: int
    events: int


def seal(path: Path) -> Copied:
    """Write checksums of all that a copy holds into it.  Raises Refused for a damaged one."""
    with closing(sqlite3.connect(path)) as copy, copy:
        _check_pages(copy)
        copy.execute(f"DROP TABLE IF EXISTS {CHECKSUMS}")
        found = _checksums(copy)
        copy.execute(MADE)
        copy.executemany(f"INSERT INTO {CHECKSUMS} VALUES (?, ?)", found.items())  # noqa: S608
        many = copy.execute("SELECT (SELECT count(*) FROM games), (SELECT count(*) FROM events)")
        return Copied(str(path), *many.fetchone())


def _check_pages(copy: sqlite3.Connection) -> None:
    if copy.execute("PRAGMA integrity_check(1)").fetchone() != ("ok",):
        raise Refused("it is damaged")


def judged(path: Path) -> Copied:
    """Check that a file is a whole copy by this version or an older one; nothing is changed.

    Raises Refused.
    """
    if not path.is_file():
        raise Refused(f"there is no file {path}")
    address = f"file:{quote(str(path.absolute()))}?mode=ro"
    try:
        with closing(sqlite3.connect(address, uri=True)) as copy:
            with empty(_age(copy)) as house:
                _check_pages(copy)
                _compare_structure(copy, house.connection.driver_connection)
            many = _judge_rows(copy)
            _compare_checksums(copy)
    except Refused as error:
        raise Refused(f"{path} cannot be restored: {error}") from None
    except UNREADABLE:
        raise Refused(f"{path} is no copy of a house, or it is damaged") from None
    return Copied(str(path), many["games"], many["events"])


def _age(copy: sqlite3.Connection) -> int:
    """How many migrations a copy has not seen."""
    engine = sa.create_engine("sqlite://", creator=lambda: copy, poolclass=sa.StaticPool)
    with engine.connect() as connection:
        unseen = age(connection)
    if unseen is None:
        raise Refused("it is no copy of a house, or one by a newer version of yegg")
    return unseen


def _tables(copy: sqlite3.Connection) -> list[str]:
    return [name for (name,) in copy.execute(TABLES, (COUNTED, CHECKSUMS))]


def _compare_structure(copy: sqlite3.Connection, house: Any) -> None:
    """Check that there are the tables, columns and indexes of a house, and no others."""
    found, wanted = (
        {
            name: [db.execute(line, (name,)).fetchall() for line in (COLUMNS, INDEXES)]
            for name in _tables(db)
            if name != COUNTED
        }
        for db in (copy, house)
    )
    for name in sorted(found.keys() | wanted.keys()):
        if found.get(name) != wanted.get(name):
            raise Refused(f"its table {name} is not that of a house, so it is no copy or damaged")


def _judge_rows(copy: sqlite3.Connection) -> dict[str, int]:
    """Check all rows; return how many each table has."""
    there, seats, many = _tables(copy), dict[int, int](), dict[str, int]()
    copy.text_factory = lambda text: text.decode(errors="surrogateescape")
    for table in metadata.sorted_tables:
        if table.name in there:
            key = ", ".join(f'"{column.name}"' for column in table.primary_key)
            found = copy.execute(f"SELECT * FROM {table.name} ORDER BY {key}")  # noqa: S608
            names = [name for name, *_ in found.description]
            each = (dict(zip(names, row, strict=True)) for row in found)
            many[table.name] = rows.check(table, each, seats)
    copy.text_factory = str
    return many


def _compare_checksums(copy: sqlite3.Connection) -> None:
    if not copy.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (CHECKSUMS,)).fetchone():
        return  # by an older version
    kept = dict(copy.execute(f"SELECT name, sha256 FROM {CHECKSUMS}"))  # noqa: S608
    for name, found in _checksums(copy).items():
        if kept.pop(name, "") != found:
            raise Refused(f"its table {name} is not as it was copied, so it is damaged")
    if kept:
        raise Refused(f"its table {min(kept)} is missing, so it is damaged")


def _checksums(copy: sqlite3.Connection) -> dict[str, str]:
    """By table what it holds, in the order of its key; by `ALL` how tables and indexes are made."""
    found = {ALL: _sum(copy.execute(STRUCTURE, (CHECKSUMS,)))}
    for name in _tables(copy):
        key = ", ".join(f'"{column}"' for (column,) in copy.execute(KEY, (name,)))
        found[name] = _sum(copy.execute(f'SELECT * FROM "{name}" ORDER BY {key or 1}'))  # noqa: S608
    return found


def _sum(found: Iterable[tuple[Any, ...]]) -> str:
    said = sha256()
    for row in found:
        said.update(msgspec.json.encode(row) + b"\n")
    return said.hexdigest()
