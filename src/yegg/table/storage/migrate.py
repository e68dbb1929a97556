"""Migrations: bring a database up to what this version expects, at every start.

Each step is what one version changed.  Steps are never edited: databases of every age exist, and
`schema` says only what the tables are like today.
"""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import sqlalchemy as sa
from alembic.migration import MigrationContext
from alembic.operations import Operations
from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Integer, SmallInteger, String

from yegg.engine import Refused

from . import later_steps
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


def migrate(database: Database, last: str = "") -> None:
    """Run the migrations that the database has not seen; all or nothing, and one process alone.

    ``last``: the one to stop after; by default the newest.  Raises Refused for a database that a
    newer version has migrated.
    """
    with database.engine.begin() as connection:
        database.lock(connection)
        unseen = age(connection)
        if unseen is None:
            raise Refused("this database is of a newer version of yegg")
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


def age(connection: sa.Connection) -> int | None:
    """How many migrations of this version a database has not seen; None: it is of another one."""
    newest_first = [(name,) for name in reversed(STEPS)] + [()]
    seen = MigrationContext.configure(connection).get_current_heads()
    return newest_first.index(seen) if seen in newest_first else None


@contextmanager
def empty(unseen: int) -> Iterator[sa.Connection]:
    """A house without games, in memory, that has not seen so many migrations."""
    with sa.create_engine("sqlite://").begin() as connection:
        _run(connection, list(STEPS)[: len(STEPS) - unseen])
        yield connection


def _first(op: Operations) -> None:
    """Games, their events, who sat down, and what signs the cookies."""
    op.create_table(
        "games",
        Column("id", Integer, primary_key=True),
        Column("key", String(22), nullable=False, unique=True),
        Column("game", String(40), nullable=False),
        Column("version", Integer, nullable=False),
        Column("seats", SmallInteger, nullable=False),
        Column("options", sa.JSON, nullable=False),
        Column("name", String(60), nullable=False),
        Column("odds", Boolean, nullable=False),
        Column("listed", Boolean, nullable=False),
        Column("at", BigInteger, nullable=False),
        Column("ended", BigInteger),
    )
    op.create_table(
        "events",
        Column("game", Integer, ForeignKey("games.id"), primary_key=True),
        Column("number", Integer, primary_key=True, autoincrement=False),
        Column("actor", SmallInteger, nullable=False),
        Column("choice", SmallInteger, nullable=False),
        Column("at", BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "sittings",
        Column("game", Integer, ForeignKey("games.id"), primary_key=True),
        Column("number", Integer, primary_key=True, autoincrement=False),
        Column("name", String(60), nullable=False),
        Column("person", String(64)),
        Column("bot", String(40)),
        sqlite_with_rowid=False,
    )
    op.create_index("sittings_of_person", "sittings", ["person"])
    op.create_table(
        "house",
        Column("id", Integer, primary_key=True),
        Column("secret", String(64), nullable=False),
    )


def _words(op: Operations) -> None:
    """What later rules cannot find out: each event's words, and how a game ended."""
    op.add_column("events", Column("words", String(200)))
    op.add_column("games", Column("result", sa.JSON))


def _lobby(op: Operations) -> None:
    """Who sits where; all games so far are of older rules, where nobody is to act."""
    op.add_column("games", Column("people", sa.JSON))
    op.add_column("games", Column("to_act", Integer))
    connection = op.get_bind()
    for game, seats in connection.execute(sa.text("SELECT id, seats FROM games")).all():
        connection.execute(
            sa.text("UPDATE games SET people = :people, to_act = 0 WHERE id = :game"),
            {"people": json.dumps(_people(connection, game, seats)), "game": game},
        )


def _people(connection: sa.Connection, game: int, seats: int) -> list[list[str | None]]:
    """Name, person and bot by seat, as the events of the seats leave them."""
    sit, leave, back, order = -1, -2, -4, -100  # as these events were numbered then
    people: list[list[str | None]] = [[f"Seat {i + 1}", None, None] for i in range(seats)]
    happened = sa.text(
        "SELECT e.actor, e.choice, s.name, s.person, s.bot FROM events e"
        " LEFT JOIN sittings s ON s.game = e.game AND s.number = e.number"
        " WHERE e.game = :game AND e.choice < 0 AND e.choice > :order ORDER BY e.number"
    )
    rows = connection.execute(happened, {"game": game, "order": order})
    for actor, choice, name, person, bot in rows:
        if choice == sit:
            people[actor] = [name, person, bot]
        elif choice == leave:
            people[actor] = [f"Seat {actor + 1}", None, None]
        elif choice == back:
            people[actor][2] = None
        elif bot is not None:
            people[actor][2] = bot
    return people


def _origin(op: Operations) -> None:
    """Where the first events of a game were played; no game so far was begun in the middle."""
    op.add_column("games", Column("origin", String(120)))


def _processes(op: Operations) -> None:
    """Several processes: who is alive, and where a bot is to act.

    In games so far nobody knows where: they go on when somebody comes.
    """
    op.create_table(
        "processes",
        Column("id", String(22), primary_key=True),
        Column("at", BigInteger, nullable=False),
    )
    op.add_column("games", Column("bots_turn", Boolean))
    turn = sa.text("bots_turn")
    op.create_index("games_of_bots", "games", ["id"], postgresql_where=turn, sqlite_where=turn)
    if op.get_context().dialect.name == "postgresql":  # SQLite does not mind longer ones
        op.alter_column("sittings", "bot", type_=String(100))
        op.alter_column("events", "words", type_=sa.Text())


def _clocks(op: Operations) -> None:
    """Clocks: their terms, for whom a game waits and until when, and when the house was closed.

    No game so far has a clock; for whom it waits is known again at its next event.
    """
    op.create_table(
        "closed",
        Column("since", BigInteger, primary_key=True, autoincrement=False),
        Column("until", BigInteger, nullable=False),
    )
    op.add_column("house", Column("open_at", BigInteger))
    op.add_column("games", Column("clock", sa.JSON))
    op.add_column("games", Column("waits", sa.JSON))
    op.add_column("games", Column("due", BigInteger))
    due = sa.text("due IS NOT NULL")
    op.create_index("games_by_due", "games", ["due"], postgresql_where=due, sqlite_where=due)


def _people_and_devices(op: Operations) -> None:
    """People: their devices, how they are told, and what they were told."""
    op.create_table(
        "keys",
        Column("digest", String(64), primary_key=True),
        Column("game", Integer, primary_key=True, autoincrement=False),
        Column("person", String(64), nullable=False, index=True),
        Column("device", String(60), nullable=False),
        Column("at", BigInteger, nullable=False),
        Column("ended", BigInteger),
    )
    op.create_table(
        "codes",
        Column("digest", String(64), primary_key=True),
        Column("person", String(64), nullable=False, index=True),
        Column("game", Integer, nullable=False),
        Column("name", String(40), nullable=False),
        Column("until", BigInteger, nullable=False),
        Column("used", BigInteger),
    )
    op.create_table(
        "contacts",
        Column("id", Integer, primary_key=True),
        Column("person", String(64), nullable=False),
        Column("kind", String(8), nullable=False),
        Column("address", String(1000), nullable=False),
        Column("more", sa.JSON, nullable=False),
        Column("hours", sa.JSON, nullable=False),
        Column("zone", String(60), nullable=False),
        Column("at", BigInteger, nullable=False),
        Column("confirmed", BigInteger),
        Column("last", BigInteger, nullable=False),
        Column("pending", sa.JSON),
        Column("tries", SmallInteger, nullable=False),
        Column("next", BigInteger, nullable=False),
        sa.UniqueConstraint("person", "kind", "address"),
        sqlite_autoincrement=True,
    )
    op.create_index("contacts_of_address", "contacts", ["address"])
    op.create_table(
        "told",
        Column("contact", Integer, primary_key=True, autoincrement=False),
        Column("game", Integer, primary_key=True, autoincrement=False),
        Column("number", Integer, nullable=False),
        Column("called", Integer, nullable=False),
    )
    op.create_table(
        "seen",
        Column("person", String(64), primary_key=True),
        Column("game", Integer, primary_key=True, autoincrement=False),
        Column("number", Integer, nullable=False),
    )
    op.create_table(
        "letters",
        Column("digest", String(64), primary_key=True),
        Column("at", BigInteger, nullable=False),
    )


def _dice(op: Operations) -> None:
    """Dice that are promised: a seed for each table opened from now on.

    Tables that are open already have none, and go on with dice that nobody promised.
    """
    op.create_table(
        "dice",
        Column("game", Integer, ForeignKey("games.id"), primary_key=True),
        Column("promise", String(64), nullable=False, unique=True),
        Column("seed", String(64), nullable=False),
        Column("after", Integer, nullable=False),
        Column("early", Boolean, nullable=False),
    )
    op.add_column("house", Column("dice", String(64)))


def _guests(op: Operations) -> None:
    """Guests: who blocks whom, and who is barred; and what was changed beside the servers."""
    op.create_table(
        "blocks",
        Column("id", Integer, primary_key=True),
        Column("person", String(64), nullable=False),
        Column("other", String(64), nullable=False),
        Column("name", String(60), nullable=False),
        Column("at", BigInteger, nullable=False),
        sa.UniqueConstraint("person", "other"),
    )
    op.create_table(
        "barred",
        Column("who", String(64), primary_key=True),
        Column("why", String(200), nullable=False),
        Column("at", BigInteger, nullable=False),
    )
    op.create_table(
        "touched",
        Column("id", Integer, primary_key=True),
        Column("game", Integer, nullable=False),
        Column("at", BigInteger, nullable=False),
    )


def _seats(op: Operations) -> None:
    """A bot put on a seat by the owner of the eleventh or a later one has numbers of its own.

    They were those of time that is given, at which no bot sits down.
    """
    op.execute(
        "UPDATE events SET choice = choice - 30 WHERE choice BETWEEN -35 AND -30 AND EXISTS"
        " (SELECT 1 FROM sittings WHERE sittings.game = events.game"
        " AND sittings.number = events.number AND sittings.bot IS NOT NULL)"
    )


def _origin_of_dice(op: Operations) -> None:
    """Where the dice of events come from that were played before a promise."""
    op.add_column("dice", Column("origin", String(64)))


def _deals(op: Operations) -> None:
    """The deals of the day: whose chance a game has, who has played which, and what makes keys."""
    op.add_column("games", Column("chance", String(40)))
    op.add_column("house", Column("deals", String(64)))
    op.create_table(
        "deals",
        Column("game", Integer, ForeignKey("games.id"), primary_key=True),
        Column("day", String(10), nullable=False),
        Column("name", String(40), nullable=False),
        Column("person", String(64), nullable=False),
        Column("looked", sa.JSON),
        sa.UniqueConstraint("day", "name", "person"),
    )
    op.create_index("deals_of_person", "deals", ["person"])


def _quick(op: Operations) -> None:
    """Which quick match waits at a table: no two tables have the same."""
    op.add_column("games", Column("quick", String(60)))
    op.create_index("games_quick", "games", ["quick"], unique=True)


def _puzzles(op: Operations) -> None:
    """Whether people found the answer of a puzzle at their first try."""
    op.create_table(
        "puzzle_tries",
        Column("game", String(40), primary_key=True),
        Column("puzzle", Integer, primary_key=True, autoincrement=False),
        Column("person", String(64), primary_key=True),
        Column("found", Boolean, nullable=False),
        Column("at", BigInteger, nullable=False),
    )


STEPS = {
    "0001": _first,
    "0002_words": _words,
    "0003_lobby": _lobby,
    "0004_origin": _origin,
    "0005_processes": _processes,
    "0006_clocks": _clocks,
    "0007_people": _people_and_devices,
    "0008_dice": _dice,
    "0009_house": _guests,
    "0010_seats": _seats,
    "0011_origin_of_dice": _origin_of_dice,
    "0012_deals": _deals,
    "0013_quick": _quick,
    "0014_puzzles": _puzzles,
    "0015_challenges": later_steps.challenges,
    "0016_host": later_steps.host,
    "0017_evenings": later_steps.evenings,
    "0018_watch": later_steps.watch,
}
"""All migrations in order, by the name that a database keeps of its last one."""
