"""What is kept about guests: who blocks whom, and who is barred; and how a person is forgotten."""

import secrets
from collections.abc import Collection
from hashlib import sha256
from typing import Any

import sqlalchemy as sa

from .people import contacts, told
from .schema import games, metadata, sittings
from .uptime import here

NOBODY = "Somebody"
"""What a person is called who was forgotten."""
MOST = 200  # people whom one person can block

blocks = sa.Table(
    "blocks",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("person", sa.String(64), nullable=False),
    sa.Column("other", sa.String(64), nullable=False),  # whom this person would rather not meet
    sa.Column("name", sa.String(60), nullable=False),  # what they were called then
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.UniqueConstraint("person", "other"),
)

barred = sa.Table(
    "barred",
    metadata,
    sa.Column("who", sa.String(64), primary_key=True),  # a person, or a network
    sa.Column("why", sa.String(200), nullable=False),  # for those who look after the house
    sa.Column("at", sa.BigInteger, nullable=False),
)

touched = sa.Table(
    "touched",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("game", sa.Integer, nullable=False),  # to be read again; 0: only about guests
    sa.Column("at", sa.BigInteger, nullable=False),
)
LOOKED_AT = 1000  # rows; older ones are known to all servers, and are not kept
LATEST = sa.select(touched.c.id, touched.c.game).order_by(touched.c.id.desc()).limit(LOOKED_AT)


def touch(connection: sa.Connection, game: int = 0) -> None:
    """Let servers read a game, and what is kept about guests, again."""
    connection.execute(sa.insert(touched).values(game=game, at=here()))
    newest = connection.scalar(sa.select(sa.func.max(touched.c.id))) or 0
    connection.execute(sa.delete(touched).where(touched.c.id <= newest - LOOKED_AT))


def block(connection: sa.Connection, person: str, other: str, name: str) -> bool:
    """Keep two people apart; False if the person has blocked too many already."""
    mine = sa.select(sa.func.count()).where(blocks.c.person == person)
    if (connection.scalar(mine) or 0) >= MOST:
        return False
    unblock(connection, person, blocks.c.other == other)
    row = {"person": person, "other": other, "name": name, "at": here()}
    connection.execute(sa.insert(blocks).values(row))
    touch(connection)
    return True


def unblock(connection: sa.Connection, person: str, which: sa.ColumnElement[bool]) -> None:
    """Let a person meet somebody again."""
    if connection.execute(sa.delete(blocks).where(blocks.c.person == person, which)).rowcount:
        touch(connection)


def blocked(connection: sa.Connection, person: str) -> list[sa.Row[Any]]:
    """Whom a person would rather not meet, the newest first."""
    mine = sa.select(blocks).where(blocks.c.person == person).order_by(blocks.c.id.desc())
    return list(connection.execute(mine))


def apart(connection: sa.Connection, person: str, others: Collection[str]) -> bool:
    """Whether a person has blocked one of the others, or one of them the person."""
    either = ((blocks.c.person == person) & blocks.c.other.in_(others)) | (
        (blocks.c.other == person) & blocks.c.person.in_(others)
    )
    return connection.scalar(sa.select(sa.func.count()).where(either)) != 0


def bar(connection: sa.Connection, who: str, why: str) -> None:
    """Let a person, or whoever comes from a network, not play here any more."""
    connection.execute(sa.delete(barred).where(barred.c.who == who))
    connection.execute(sa.insert(barred).values(who=who, why=why, at=here()))
    touch(connection)


def let_in(connection: sa.Connection, who: str) -> bool:
    """Let somebody in again; False if nobody kept them out."""
    done = connection.execute(sa.delete(barred).where(barred.c.who == who))
    touch(connection)
    return done.rowcount > 0


def seat(connection: sa.Connection, key: str, number: int) -> str | None:
    """Who sits on a seat, counted from 1; None if no person does."""
    people = connection.scalar(sa.select(games.c.people).where(games.c.key == key)) or []
    return people[number - 1][1] if 0 < number <= len(people) else None


# Forgetting


def forget(connection: sa.Connection, person: str) -> int:
    """Erase a person: name, devices, addresses.  Their games stay, as somebody's; return how many.

    In their place is somebody whom nobody is, so that no seat becomes free by it.  That they are
    barred is not forgotten.
    """
    wanted = sa.select(sittings.c.game).where(sittings.c.person == person).distinct()
    theirs = list(connection.scalars(wanted))
    for game in theirs:
        _nameless(connection, game, person)
        touch(connection, game)
    ours = sa.select(contacts.c.id).where(contacts.c.person == person)
    connection.execute(sa.delete(told).where(told.c.contact.in_(ours)))
    for table in metadata.sorted_tables:
        if "person" in table.c and table is not sittings:
            connection.execute(sa.delete(table).where(table.c.person == person))
    connection.execute(sa.delete(blocks).where(blocks.c.other == person))
    touch(connection)
    return len(theirs)


def _nameless(connection: sa.Connection, game: int, person: str) -> None:
    """Put somebody whom nobody is in a person's place, in one game."""
    nobody = sha256(secrets.token_bytes(32)).hexdigest()
    names = set(connection.scalars(sa.select(sittings.c.name).where(sittings.c.game == game)))
    called = next(n for n in (NOBODY, *(f"{NOBODY} {i}" for i in range(2, 99))) if n not in names)
    theirs = (sittings.c.game == game) & (sittings.c.person == person)
    own = list(connection.scalars(sa.select(sittings.c.name).where(theirs)))
    stand_in = (sittings.c.game == game) & sittings.c.person.is_(None) & sittings.c.name.in_(own)
    connection.execute(sa.update(sittings).where(stand_in).values(name=called))
    connection.execute(sa.update(sittings).where(theirs).values(person=nobody, name=called))
    seats = connection.scalar(sa.select(games.c.people).where(games.c.id == game)) or []
    people = [
        [called, nobody, bot] if who == person else [name, who, bot] for name, who, bot in seats
    ]
    connection.execute(sa.update(games).where(games.c.id == game).values(people=people))


def listed(connection: sa.Connection) -> list[sa.Row[Any]]:
    """Who is barred, the newest first."""
    return list(connection.execute(sa.select(barred).order_by(barred.c.at.desc())))
