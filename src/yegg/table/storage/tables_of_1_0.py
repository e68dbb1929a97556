"""What version 1.0 made: the tables that all databases begin with."""

import sqlalchemy as sa
from alembic.operations import Operations
from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Integer, SmallInteger, String


def make(op: Operations) -> None:
    """All tables of 1.0."""
    _games(op)
    _house(op)
    _people(op)
    _contacts(op)


def _games(op: Operations) -> None:
    """Games, their events, who sat down, and the promises of their dice."""
    short = op.get_context().dialect.name == "sqlite"  # files of 1.0 say so, and do not mind more
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
        Column("result", sa.JSON),
        Column("people", sa.JSON),
        Column("to_act", Integer),
        Column("origin", String(120)),
        Column("bots_turn", Boolean),
        Column("clock", sa.JSON),
        Column("waits", sa.JSON),
        Column("due", BigInteger),
    )
    bots, due = sa.text("bots_turn"), sa.text("due IS NOT NULL")
    op.create_index("games_of_bots", "games", ["id"], postgresql_where=bots, sqlite_where=bots)
    op.create_index("games_by_due", "games", ["due"], postgresql_where=due, sqlite_where=due)
    op.create_table(
        "events",
        Column("game", Integer, ForeignKey("games.id"), primary_key=True),
        Column("number", Integer, primary_key=True, autoincrement=False),
        Column("actor", SmallInteger, nullable=False),
        Column("choice", SmallInteger, nullable=False),
        Column("at", BigInteger, nullable=False),
        Column("words", String(200) if short else sa.Text()),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "sittings",
        Column("game", Integer, ForeignKey("games.id"), primary_key=True),
        Column("number", Integer, primary_key=True, autoincrement=False),
        Column("name", String(60), nullable=False),
        Column("person", String(64)),
        Column("bot", String(40 if short else 100)),
        sqlite_with_rowid=False,
    )
    op.create_index("sittings_of_person", "sittings", ["person"])
    op.create_table(
        "dice",
        Column("game", Integer, ForeignKey("games.id"), primary_key=True),
        Column("promise", String(64), nullable=False, unique=True),
        Column("seed", String(64), nullable=False),
        Column("after", Integer, nullable=False),
        Column("early", Boolean, nullable=False),
        Column("origin", String(64)),
    )


def _house(op: Operations) -> None:
    """What signs the cookies, what dice are made of, its processes, and when it was closed."""
    op.create_table(
        "house",
        Column("id", Integer, primary_key=True),
        Column("secret", String(64), nullable=False),
        Column("open_at", BigInteger),
        Column("dice", String(64)),
    )
    op.create_table(
        "processes",
        Column("id", String(22), primary_key=True),
        Column("at", BigInteger, nullable=False),
    )
    op.create_table(
        "closed",
        Column("since", BigInteger, primary_key=True, autoincrement=False),
        Column("until", BigInteger, nullable=False),
    )
    op.create_table(
        "touched",
        Column("id", Integer, primary_key=True),
        Column("game", Integer, nullable=False),
        Column("at", BigInteger, nullable=False),
    )


def _people(op: Operations) -> None:
    """People's devices, whom they block, and who is barred."""
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


def _contacts(op: Operations) -> None:
    """How people are told that it is their turn, and what they were told."""
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
