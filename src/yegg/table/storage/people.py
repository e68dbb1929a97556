"""The tables about people: their devices, how they are told, and what they were told."""

from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa

from .schema import metadata

EVERYWHERE = 0
"""In place of a game: good for everything that is somebody's."""

keys = sa.Table(
    "keys",
    metadata,
    sa.Column("digest", sa.String(64), primary_key=True),  # of the token that a device carries
    sa.Column("game", sa.Integer, primary_key=True, autoincrement=False),  # or `EVERYWHERE`
    sa.Column("person", sa.String(64), nullable=False, index=True),
    sa.Column("device", sa.String(60), nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("ended", sa.BigInteger),  # never deleted: without it, it were a person of its own
)

codes = sa.Table(
    "codes",
    metadata,
    sa.Column("digest", sa.String(64), primary_key=True),
    sa.Column("person", sa.String(64), nullable=False, index=True),
    sa.Column("game", sa.Integer, nullable=False),
    sa.Column("name", sa.String(40), nullable=False),  # what the person is called
    sa.Column("until", sa.BigInteger, nullable=False),
    sa.Column("used", sa.BigInteger),
)

contacts = sa.Table(
    "contacts",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("person", sa.String(64), nullable=False),
    sa.Column("kind", sa.String(8), nullable=False),
    sa.Column("address", sa.String(1000), nullable=False),
    sa.Column("more", sa.JSON, nullable=False),  # what this kind needs beside an address
    sa.Column("hours", sa.JSON, nullable=False),  # of a digest; none: soon after each turn
    sa.Column("zone", sa.String(60), nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("confirmed", sa.BigInteger),
    sa.Column("last", sa.BigInteger, nullable=False),  # when something was last sent
    sa.Column("pending", sa.JSON(none_as_null=True)),  # what is being sent, until it has gone out
    sa.Column("tries", sa.SmallInteger, nullable=False),
    sa.Column("next", sa.BigInteger, nullable=False),  # when it is tried again
    sa.UniqueConstraint("person", "kind", "address"),
    sqlite_autoincrement=True,  # links name it: no number is ever another's
)
sa.Index("contacts_of_address", contacts.c.address)

told = sa.Table(
    "told",
    metadata,
    sa.Column("contact", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("game", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("number", sa.Integer, nullable=False),  # the turn that was told last
    sa.Column("called", sa.Integer, nullable=False),  # … and was called a last time
)

seen = sa.Table(
    "seen",
    metadata,
    sa.Column("person", sa.String(64), primary_key=True),
    sa.Column("game", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("number", sa.Integer, nullable=False),  # the turn that they have seen
)

letters = sa.Table(
    "letters",
    metadata,
    sa.Column("digest", sa.String(64), primary_key=True),  # of a letter that was read
    sa.Column("at", sa.BigInteger, nullable=False),
)


def put(
    connection: sa.Connection, table: sa.Table, which: Mapping[str, Any], **values: Any
) -> None:
    """Change the row of a table that is named by these columns, or make it."""
    same = sa.and_(*(table.c[name] == value for name, value in which.items()))
    if not connection.execute(sa.update(table).where(same).values(values)).rowcount:
        connection.execute(sa.insert(table).values(**which, **values))
