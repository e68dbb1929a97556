"""Where somebody wants to be told: kept on disk, confirmed by its owner, stopped by one click."""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple
from zoneinfo import available_timezones

import sqlalchemy as sa

from yegg.engine import Refused
from yegg.table.storage.schema import contacts, letters, seen, told

from .schedule import MINUTE, Rhythm, Turn, last_call

MAIL, PUSH, HOOK = "mail", "push", "hook"
MANY = 8  # contacts of one person
WAIT = 2 * 86_400_000  # ms for which an address may be confirmed
LEASE = 2 * MINUTE
"""Whoever begins to send has this long before another process tries."""
TRIES = 9  # the pauses between them double, from a minute
REMEMBERED = 60 * 86_400_000  # ms for which a letter that was read is known
ADDRESS = re.compile(
    r"(?=[^@]{1,64}@.{1,180}\Z)[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
    r"@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z0-9-]{2,63}",
    re.ASCII,
)


class Contact(NamedTuple):
    """Where and how somebody is told."""

    id: int
    person: str
    kind: str
    address: str
    more: dict[str, Any]
    rhythm: Rhythm
    confirmed: bool
    pending: dict[str, Any] | None
    """What is being sent: when that was decided, and the turns."""
    tries: int
    next: int
    """When it is sent, or tried again."""


def of_row(row: sa.Row[Any]) -> Contact:
    """A contact as it is on disk."""
    rhythm = Rhythm(tuple(row.hours), row.zone, row.last)
    what = row.id, row.person, row.kind, row.address, row.more, rhythm
    return Contact(*what, row.confirmed is not None, row.pending, row.tries, row.next)


def fit_address(typed: str) -> str:
    """A mail address.  Raises Refused."""
    said = typed.strip(" ")
    if not ADDRESS.fullmatch(said):
        raise Refused(
            "this is no mail address that letters can be sent to: it is like ann@home.example"
        )
    local, _, domain = said.rpartition("@")
    return f"{local}@{domain.lower()}"


def fit_rhythm(hours: Sequence[str], zone: str) -> Rhythm:
    """When somebody wants to be told.  Raises Refused."""
    fine = [hour for hour in hours if hour.isdecimal() and len(hour) < 3 and int(hour) < 24]
    if len(fine) < len(hours):
        raise Refused("hours of a day are 0 to 23")
    if zone not in available_timezones():
        raise Refused("this time zone is not known; they are called like Europe/Berlin")
    return Rhythm(sorted({int(hour) for hour in fine}), zone)


def mine(connection: sa.Connection, person: str) -> list[Contact]:
    """Everything that somebody has set up."""
    wanted = sa.select(contacts).where(contacts.c.person == person).order_by(contacts.c.id)
    return [of_row(row) for row in connection.execute(wanted)]


def find(connection: sa.Connection, number: int) -> Contact | None:
    """A contact by its number."""
    row = connection.execute(sa.select(contacts).where(contacts.c.id == number)).one_or_none()
    return of_row(row) if row else None


def of_address(connection: sa.Connection, address: str) -> list[Contact]:
    """Everybody who has confirmed a mail address."""
    c = contacts.c
    there = sa.and_(c.kind == MAIL, c.address == address, c.confirmed.is_not(None))
    return [of_row(row) for row in connection.execute(sa.select(contacts).where(there))]


def add(connection: sa.Connection, now: int, new: Contact) -> Contact:
    """Set up a contact, or the same one anew.  Raises Refused if there are too many.

    Addresses that nobody has confirmed in time are forgotten: they may be somebody else's.
    """
    c = contacts.c
    late = sa.and_(c.confirmed.is_(None), c.last == 0, c.at < now - WAIT)
    connection.execute(sa.delete(contacts).where(late))
    mine_now = mine(connection, new.person)
    same = [one for one in mine_now if (one.kind, one.address) == (new.kind, new.address)]
    values = {
        "more": new.more,
        "hours": list(new.rhythm.hours),
        "zone": new.rhythm.zone,
        "at": now,
    }
    if same:
        if new.confirmed:
            values["confirmed"] = now
        connection.execute(sa.update(contacts).where(contacts.c.id == same[0].id).values(values))
        return find(connection, same[0].id) or same[0]
    if len(mine_now) >= MANY:
        raise Refused(f"there are {MANY} already; end one of them first")
    first = {"person": new.person, "kind": new.kind, "address": new.address}
    rest = {"confirmed": now if new.confirmed else None, "last": 0, "tries": 0, "next": 0}
    made = sa.insert(contacts).values(**first, **values, **rest).returning(contacts.c.id)
    return new._replace(id=connection.execute(made).scalar_one())


def confirm(connection: sa.Connection, now: int, number: int) -> Contact | None:
    """Note that the owner of an address wants it; None if there is none, or it is too late."""
    there = sa.and_(contacts.c.id == number, contacts.c.at > now - WAIT)
    done = connection.execute(sa.update(contacts).where(there).values(confirmed=now))
    return find(connection, number) if done.rowcount else None


def change(connection: sa.Connection, person: str, number: int, rhythm: Rhythm) -> bool:
    """Change when somebody is told; whether the contact is theirs."""
    there = sa.and_(contacts.c.id == number, contacts.c.person == person)
    values = {"hours": list(rhythm.hours), "zone": rhythm.zone}
    return connection.execute(sa.update(contacts).where(there).values(values)).rowcount == 1


def stop(connection: sa.Connection, number: int, person: str | None = None) -> bool:
    """End a contact and forget it; ``person``: only if it is theirs.  Whether there was one."""
    there = contacts.c.id == number
    if person is not None:
        there = sa.and_(there, contacts.c.person == person)
    gone = connection.execute(sa.delete(contacts).where(there)).rowcount == 1
    if gone:
        connection.execute(sa.delete(told).where(told.c.contact == number))
    return gone


# What is being sent


def pending(now: int, turns: Sequence[Turn]) -> dict[str, Any]:
    """What is noted of a letter until it has gone out: when it was decided, and what it tells."""
    return {"at": now, "turns": [[t.game, t.number, last_call(now, t)] for t in turns]}


def claim(connection: sa.Connection, now: int, contact: Contact, turns: Sequence[Turn]) -> bool:
    """Note that these turns are told now; False if another process has been faster."""
    c = contacts.c
    free = sa.and_(c.id == contact.id, c.last == contact.rhythm.last, c.pending.is_(sa.null()))
    begun = {"pending": pending(now, turns), "last": now, "tries": 0, "next": now + LEASE}
    if connection.execute(sa.update(contacts).where(free).values(begun)).rowcount == 0:
        return False
    for turn in turns:
        called = turn.number if last_call(now, turn) else turn.called
        _put(
            connection,
            told,
            {"contact": contact.id, "game": turn.game},
            {"number": turn.number, "called": called},
        )
    return True


def claim_again(connection: sa.Connection, now: int, contact: Contact) -> bool:
    """Note that what has not gone out is tried again; False if another process has been faster."""
    c = contacts.c
    free = sa.and_(c.id == contact.id, c.next == contact.next, c.pending.is_not(sa.null()))
    begun = {"next": now + LEASE, "tries": c.tries + 1}
    return connection.execute(sa.update(contacts).where(free).values(begun)).rowcount == 1


def settle(connection: sa.Connection, now: int, number: int, *, again: bool) -> None:
    """Note that what was being sent has gone out, or has to be tried again."""
    there = contacts.c.id == number
    contact = find(connection, number)
    if contact is None:
        return
    values: dict[str, Any] = {"pending": None, "tries": 0}
    if again and contact.tries < TRIES:
        values = {"next": now + MINUTE * 2**contact.tries}
    connection.execute(sa.update(contacts).where(there).values(values))


def refused(connection: sa.Connection, number: int, why: str) -> None:
    """Note that an address is refused for good: nothing goes there until it is confirmed again."""
    contact = find(connection, number)
    if contact:
        values = {"confirmed": None, "pending": None, "more": {**contact.more, "why": why[:200]}}
        connection.execute(sa.update(contacts).where(contacts.c.id == number).values(values))


def saw(connection: sa.Connection, person: str, game: int, number: int) -> None:
    """Note that somebody has seen that it is their turn."""
    _put(connection, seen, {"person": person, "game": game}, {"number": number})


def was_read(connection: sa.Connection, digest: str) -> bool:
    """Whether a letter has been read before."""
    found = sa.select(letters.c.digest).where(letters.c.digest == digest)
    return connection.execute(found).first() is not None


def read_once(connection: sa.Connection, now: int, digest: str) -> bool:
    """Note that a letter is read; False if it was read before."""
    connection.execute(sa.delete(letters).where(letters.c.at < now - REMEMBERED))
    if was_read(connection, digest):
        return False
    connection.execute(sa.insert(letters).values(digest=digest, at=now))
    return True


def _put(
    connection: sa.Connection, table: sa.Table, which: dict[str, Any], values: dict[str, Any]
) -> None:
    """Change a row, or make it."""
    same = sa.and_(*(table.c[name] == value for name, value in which.items()))
    if not connection.execute(sa.update(table).where(same).values(values)).rowcount:
        connection.execute(sa.insert(table).values(**which, **values))
