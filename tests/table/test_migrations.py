"""Migrations: whatever version a database is of, they make of it what `schema` says of today's."""

import pytest
import sqlalchemy as sa

from yegg.engine import Refused
from yegg.table.service.block_list import listed
from yegg.table.storage.migrate import CHECKSUMS, STEPS, VERSION, age, empty, migrate
from yegg.table.storage.schema import metadata
from yegg.table.storage.sqlite_file import address
from yegg.table.storage.store import connected

LONGER = {("sittings", "bot"), ("events", "words"), ("deals", "day")}
"""Columns that became longer, which an old SQLite file neither says nor minds."""


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request, tmp_path):
    """An empty one of each kind."""
    url = address(tmp_path / "games.db")
    made = connected(url if request.param == "sqlite" else request.getfixturevalue("shared"))
    yield made
    made.engine.dispose()


def columns(look, table, dialect):
    for column in look.get_columns(table):
        longer = dialect == "sqlite" and (table, column["name"]) in LONGER
        kind = None if longer else str(column["type"])
        made_by_itself = bool(column.get("default"))  # PostgreSQL numbers some keys
        yield column["name"], kind, column["nullable"], made_by_itself


def of_which(options):
    """Which rows an index is of; a bare column is true, however that is said."""
    where = "".join(str(said) for name, said in options.items() if name.endswith("_where"))
    return where.strip("()").replace(" IS TRUE", "").replace(" IS 1", "").lower()


def about(engine):
    """All that a database says of its tables, whatever order their columns were made in."""
    look, dialect = sa.inspect(engine), engine.dialect.name
    found = {}
    for table in look.get_table_names():
        key = look.get_pk_constraint(table)["constrained_columns"]
        unique = sorted(tuple(one["column_names"]) for one in look.get_unique_constraints(table))
        refers = [
            (one["constrained_columns"], one["referred_table"], one["referred_columns"])
            for one in look.get_foreign_keys(table)
        ]
        indexes = sorted(
            (one["name"], one["column_names"], of_which(one["dialect_options"]))
            for one in look.get_indexes(table)
            if not one.get("duplicates_constraint")
        )
        found[table] = sorted(columns(look, table, dialect)), key, unique, refers, indexes
    return found


def how_rows_lie(engine):
    """Of SQLite: tables without numbers of rows, and those where none is given again."""
    with engine.connect() as connection:
        rows = connection.execute(sa.text("PRAGMA table_list")).all()
        made = connection.scalars(sa.text("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL"))
        once = [sql.split()[2].strip('"') for sql in made if "AUTOINCREMENT" in sql]
        return {row.name for row in rows if row.wr}, once


def test_all_steps_together_make_what_the_schema_says(database, tmp_path, request):
    migrate(database)
    dialect = database.engine.dialect.name
    url = f"sqlite:///{tmp_path / 'new.db'}"
    if dialect == "postgresql":
        url = request.getfixturevalue("postgres").database("asthe_schema_says")
    fresh = connected(url).engine
    metadata.create_all(fresh)
    VERSION.create(fresh)
    assert about(database.engine) == about(fresh)
    if dialect == "sqlite":
        assert how_rows_lie(database.engine) == how_rows_lie(fresh)
    fresh.dispose()


def test_a_database_says_how_old_it_is_and_is_migrated_once(database):
    first, *_, last = STEPS
    migrate(database, first)
    with database.engine.connect() as connection:
        assert age(connection) == len(STEPS) - 1
        tables = sa.inspect(connection).get_table_names()
    assert {"games", "events", "sittings", "house", "dice", "contacts"} < set(tables)
    assert not {"deals", "evenings"} & set(tables), "they came after 1.0"
    for _ in range(2):
        migrate(database)
        with database.engine.connect() as connection:
            assert age(connection) == 0
            assert connection.scalars(sa.select(VERSION.c.version_num)).all() == [last]


def test_a_database_of_a_newer_version_is_refused(database):
    migrate(database)
    with database.engine.begin() as connection:
        connection.execute(sa.update(VERSION).values(version_num="9999_future"))
        assert age(connection) is None
    with pytest.raises(Refused, match=r"^this database is of a newer version of yegg$"):
        migrate(database)


def test_what_is_served_is_no_copy_any_more(tmp_path):
    database = connected(address(tmp_path / "games.db"))
    with database.engine.begin() as connection:
        connection.execute(sa.text(f"CREATE TABLE {CHECKSUMS} (sum TEXT)"))
    migrate(database)
    assert CHECKSUMS not in sa.inspect(database.engine).get_table_names()
    database.engine.dispose()


def test_an_empty_house_of_an_older_version():
    newest_two = list(STEPS)[-2:]
    with empty(2) as house:
        assert age(house) == 2
        assert house.scalar(sa.select(VERSION.c.version_num)) not in newest_two
    with empty(0) as house:
        assert age(house) == 0


GAME = (
    "INSERT INTO games (id, key, game, version, seats, options, name, odds, listed, at)"
    " VALUES (:id, :key, 'pig', 1, :seats, '{}', 'Lantern Row', :yes, :yes, 0)"
)
EVENT = "INSERT INTO events (game, number, actor, choice, at) VALUES (:of, :n, :actor, :choice, 0)"
SAT = "INSERT INTO sittings (game, number, name, person, bot) VALUES (:of, :n, :name, :who, :bot)"
SIT = -1


def test_those_who_were_barred_have_the_name_that_they_sat_down_with_last(database):
    ann, network = "a" * 64, "192.0.2.0/24"
    migrate(database, "0014_puzzles")
    with database.engine.begin() as connection:
        for game, name in ((1, "Old"), (2, "Ann")):
            row = {"id": game, "key": f"key{game}", "seats": 2, "yes": True}
            connection.execute(sa.text(GAME), row)
            at = {"of": game, "n": 1}
            connection.execute(sa.text(EVENT), {**at, "actor": 0, "choice": SIT})
            connection.execute(sa.text(SAT), {**at, "name": name, "who": ann, "bot": None})
        for who in (ann, network):
            line = "INSERT INTO barred (who, why, at) VALUES (:who, 'rude', 5)"
            connection.execute(sa.text(line), {"who": who})
    migrate(database)
    with database.engine.connect() as connection:
        kept = {one.name: (one.who, one.at, one.why) for one in listed(connection)}
    assert kept == {"Ann": (ann, 5, "rude"), network: (network, 5, "rude")}
