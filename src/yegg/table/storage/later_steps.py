"""The newer steps of `migrate`, which are never edited either."""

import sqlalchemy as sa
from alembic.operations import Operations
from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Integer, String


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
