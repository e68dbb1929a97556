"""Migrations: bring a database up to what this version expects, at every start.

Each step is what one version changed.  Steps are never edited: databases of every age exist, and
`schema` says only what the tables are like today.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import sqlalchemy as sa
from alembic.migration import MigrationContext
from alembic.operations import Operations
from sqlalchemy import Column, String

from yegg.engine import Refused

from . import migrations, tables_of_1_0
from .database import Database

VERSION = sa.Table(
    "alembic_version",
    sa.MetaData(),
    Column("version_num", String(32), nullable=False),
    sa.PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)
"""Where a database says what its last migration was."""
CHECKSUMS = "checksums"
"""A table that only a copy has, until it is served: see `admin.copies`."""
FIRST = "0011_origin_of_dice"  # ten came before 1.0
STEPS = {
    FIRST: tables_of_1_0.make,
    "0012_deals": migrations.deals,
    "0013_quick": migrations.quick,
    "0014_puzzles": migrations.puzzles,
    "0015_challenges": migrations.challenges,
    "0016_host": migrations.host,
    "0017_evenings": migrations.evenings,
    "0018_watch": migrations.watch,
    "0019_sources": migrations.sources,
}
"""All migrations in order, by the name that a database keeps of its last one."""


def migrate(database: Database, last: str = "") -> None:
    """Run the migrations that the database has not seen; all or nothing, and one process alone.

    ``last``: the one to stop after; by default the newest.  Raises Refused for a database that
    another version has migrated which this one does not know.
    """
    with database.engine.begin() as connection:
        database.lock(connection)
        unseen = age(connection)
        if unseen is None:
            raise Refused(f"this database is of {stranger(*_seen(connection))}")
        if not database.shared:  # what goes on is no copy any more
            connection.execute(sa.text(f"DROP TABLE IF EXISTS {CHECKSUMS}"))
        names = list(STEPS)[len(STEPS) - unseen :]
        _run(connection, names[: names.index(last) + 1] if last in names else names)


def _run(connection: sa.Connection, names: Iterable[str]) -> None:
    op = Operations(MigrationContext.configure(connection))
    VERSION.create(connection, checkfirst=True)
    for name in names:
        STEPS[name](op)
        connection.execute(sa.delete(VERSION))
        connection.execute(sa.insert(VERSION).values(version_num=name))


def _seen(connection: sa.Connection) -> tuple[str, ...]:
    return MigrationContext.configure(connection).get_current_heads()


def age(connection: sa.Connection) -> int | None:
    """How many migrations of this version a database has not seen; None: it is of another one."""
    newest_first = [(name,) for name in reversed(STEPS)] + [()]
    seen = _seen(connection)
    return newest_first.index(seen) if seen in newest_first else None


def stranger(*seen: str) -> str:
    """Of which version a database is whose last migration this one does not know."""
    if max(seen) < FIRST:
        return "a version before 1.0; start yegg 1.0 with it once, and then this one"
    return "a newer version of yegg"


@contextmanager
def empty(unseen: int) -> Iterator[sa.Connection]:
    """A house without games, in memory, that has not seen so many migrations."""
    with sa.create_engine("sqlite://").begin() as connection:
        _run(connection, list(STEPS)[: len(STEPS) - unseen])
        yield connection
