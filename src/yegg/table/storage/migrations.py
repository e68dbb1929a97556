"""What each version since 1.0 changed."""

import sqlalchemy as sa
from alembic.operations import Operations
from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Integer, String


def deals(op: Operations) -> None:
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


def quick(op: Operations) -> None:
    """Which quick match waits at a table: no two tables have the same."""
    op.add_column("games", Column("quick", String(60)))
    op.create_index("games_quick", "games", ["quick"], unique=True)


def puzzles(op: Operations) -> None:
    """Whether people found the answer of a puzzle at their first try."""
    op.create_table(
        "puzzle_tries",
        Column("game", String(40), primary_key=True),
        Column("puzzle", Integer, primary_key=True, autoincrement=False),
        Column("person", String(64), primary_key=True),
        Column("found", Boolean, nullable=False),
        Column("at", BigInteger, nullable=False),
    )


def challenges(op: Operations) -> None:
    """Where a game by the deal of a day has its day, one by another game's deal has a key."""
    if op.get_context().dialect.name == "postgresql":  # SQLite does not mind longer ones
        op.alter_column("deals", "day", type_=String(22))


def host(op: Operations) -> None:
    """The key to the host's page, who is muted, and what those who are barred were last called."""
    op.add_column("house", Column("host", String(64)))
    op.create_table(
        "muted",
        Column("who", String(64), primary_key=True),
        Column("name", String(60), nullable=False),
        Column("at", BigInteger, nullable=False),
    )
    op.add_column("barred", Column("name", String(60)))
    op.execute(
        "UPDATE barred SET name = (SELECT name FROM sittings WHERE sittings.person = barred.who"
        " ORDER BY sittings.game DESC, sittings.number DESC LIMIT 1)"
    )


def evenings(op: Operations) -> None:
    """Evenings of several rounds, and which games count for the season."""
    op.add_column("games", Column("counts", Boolean))
    op.add_column("games", Column("evening", String(22)))
    counts = sa.text("counts IS TRUE")
    op.create_index(
        "games_counted", "games", ["ended"], postgresql_where=counts, sqlite_where=counts
    )
    op.create_table(
        "evenings",
        Column("id", Integer, primary_key=True),
        Column("key", String(22), nullable=False, unique=True),
        Column("name", String(60), nullable=False),
        Column("host", String(64), nullable=False),
        Column("plan", sa.JSON, nullable=False),
        Column("at", BigInteger, nullable=False),
        Column("begun", BigInteger),
        Column("ended", BigInteger),
    )
    op.create_table(
        "evening_members",
        Column("evening", Integer, ForeignKey("evenings.id"), primary_key=True),
        Column("number", Integer, primary_key=True, autoincrement=False),
        Column("person", String(64), nullable=False),
        Column("name", String(60), nullable=False),
        Column("away", Boolean, nullable=False),
        sa.UniqueConstraint("evening", "person"),
    )
    op.create_index("evenings_of_person", "evening_members", ["person"])
    op.create_table(
        "evening_tables",
        Column("evening", Integer, ForeignKey("evenings.id"), primary_key=True),
        Column("round", Integer, primary_key=True, autoincrement=False),
        Column("number", Integer, primary_key=True, autoincrement=False),
        Column("game", String(22)),
        Column("members", sa.JSON, nullable=False),
        Column("at", BigInteger, nullable=False),
    )


def watch(op: Operations) -> None:
    """Who may watch a game, and whether it has begun."""
    op.add_column("games", Column("watch", String(40)))
    op.add_column("games", Column("begun", Boolean))
    shown = sa.text("watch LIKE 'lobby %'")
    op.create_index("games_for_all", "games", ["id"], postgresql_where=shown, sqlite_where=shown)


def sources(op: Operations) -> None:
    """Which members of an evening have joined from one address."""
    op.add_column("evening_members", Column("source", String(32)))
