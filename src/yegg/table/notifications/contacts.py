"""Contacts: mail addresses, browsers and webhooks, confirmed by their owner; pending messages."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple
from zoneinfo import available_timezones

import sqlalchemy as sa

from yegg.engine import Refused
from yegg.table.domain.clock import Span
from yegg.table.service.lobby import waiting
from yegg.table.storage.database import put_row
from yegg.table.storage.schema import contacts, games, seen, sittings, told
from yegg.table.storage.store import NEWEST

from .challenge_news import FINISHED, FRIEND, finished
from .schedule import MINUTE, Rhythm, Turn, last_call

MAIL, PUSH, HOOK = "mail", "push", "hook"
MANY = 8  # contacts of one person
WAIT = 2 * 86_400_000  # ms for which an address may be confirmed
LEASE = 2 * MINUTE
"""Whoever begins to send has this long before another process tries."""
TRIES = 9  # the pauses between them double, from a minute
ADDRESS = re.compile(
    r"(?=[^@]{1,64}@.{1,180}\Z)[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
    r"@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z0-9-]{2,63}",
    re.ASCII,
)


class Contact(NamedTuple):
    """A contact: where and how somebody is told."""

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


def fit_address(typed: str) -> str:
    """A mail address.  Raises Refused."""
    address = typed.strip(" ")
    if not ADDRESS.fullmatch(address):
        raise Refused(
            "this is no mail address that letters can be sent to: it is like ann@home.example"
        )
    local, _, domain = address.rpartition("@")
    return f"{local}@{domain.lower()}"


def fit_rhythm(hours: Sequence[str], zone: str) -> Rhythm:
    """When somebody wants to be told.  Raises Refused."""
    fine = [hour for hour in hours if hour.isdecimal() and len(hour) < 3 and int(hour) < 24]
    if len(fine) < len(hours):
        raise Refused("hours of a day are 0 to 23")
    if zone not in available_timezones():
        raise Refused("this time zone is not known; they are called like Europe/Berlin")
    return Rhythm(sorted({int(hour) for hour in fine}), zone)


def select(connection: sa.Connection, *which: sa.ColumnElement[bool]) -> list[Contact]:
    """All contacts of which this is true, the oldest first."""
    rows = connection.execute(sa.select(contacts).where(*which).order_by(contacts.c.id))
    return [_of_row(row) for row in rows]


def _of_row(row: sa.Row[Any]) -> Contact:
    rhythm = Rhythm(tuple(row.hours), row.zone, row.last)
    what = row.id, row.person, row.kind, row.address, row.more, rhythm
    return Contact(*what, row.confirmed is not None, row.pending, row.tries, row.next)


def mine(connection: sa.Connection, person: str) -> list[Contact]:
    """All contacts of a person."""
    return select(connection, contacts.c.person == person)


def find(connection: sa.Connection, number: int) -> Contact | None:
    """A contact by its number."""
    return next(iter(select(connection, contacts.c.id == number)), None)


def of_address(connection: sa.Connection, address: str) -> list[Contact]:
    """Everybody who has confirmed a mail address."""
    c = contacts.c
    return select(connection, c.kind == MAIL, c.address == address, c.confirmed.is_not(None))


def update(connection: sa.Connection, *which: sa.ColumnElement[bool], **values: Any) -> bool:
    """Change the contact of which this is true; whether there is one."""
    done = connection.execute(sa.update(contacts).where(*which).values(values))
    return done.rowcount == 1


def add(connection: sa.Connection, now: int, new: Contact) -> Contact:
    """Set up a contact, or the same one anew.  Raises Refused if there are too many.

    Addresses that nobody has confirmed in time are forgotten: they may be somebody else's.
    """
    c = contacts.c
    late = sa.and_(c.confirmed.is_(None), c.last == 0, c.at < now - WAIT)
    connection.execute(sa.delete(contacts).where(late))
    others = mine(connection, new.person)
    same = [one for one in others if (one.kind, one.address) == (new.kind, new.address)]
    hours, zone, _ = new.rhythm
    values: dict[str, Any] = {"more": new.more, "hours": list(hours), "zone": zone, "at": now}
    if same:
        if new.confirmed:
            values["confirmed"] = now
        update(connection, c.id == same[0].id, **values)
        return find(connection, same[0].id) or same[0]
    if len(others) >= MANY:
        raise Refused(f"there are {MANY} already; end one of them first")
    values |= {"person": new.person, "kind": new.kind, "address": new.address}
    values |= {"confirmed": now if new.confirmed else None, "last": 0, "tries": 0, "next": 0}
    added = sa.insert(contacts).values(values).returning(c.id)
    return new._replace(id=connection.execute(added).scalar_one())


def confirm(connection: sa.Connection, now: int, number: int) -> Contact | None:
    """Note that the owner of an address wants it; None if there is none, or it is too late."""
    c = contacts.c
    done = update(connection, c.id == number, c.at > now - WAIT, confirmed=now)
    return find(connection, number) if done else None


def change(connection: sa.Connection, person: str, number: int, rhythm: Rhythm) -> bool:
    """Change when somebody is told; whether the contact is theirs."""
    which = contacts.c.id == number, contacts.c.person == person
    return update(connection, *which, hours=list(rhythm.hours), zone=rhythm.zone)


def stop(connection: sa.Connection, number: int, person: str | None = None) -> bool:
    """End a contact and forget it; ``person``: only if it is theirs.  Whether there was one."""
    which = sa.delete(contacts).where(contacts.c.id == number)
    if person is not None:
        which = which.where(contacts.c.person == person)
    gone = connection.execute(which).rowcount == 1
    if gone:
        connection.execute(sa.delete(told).where(told.c.contact == number))
    return gone


# What is being sent


def pending(now: int, turns: Sequence[Turn]) -> dict[str, Any]:
    """A pending message as the database has it: when it was decided, and its turns."""
    return {"at": now, "turns": [[t.game, t.number, last_call(now, t)] for t in turns]}


def claim(connection: sa.Connection, now: int, contact: Contact, turns: Sequence[Turn]) -> bool:
    """Note that these turns are told now; False if another process has been faster."""
    c = contacts.c
    free = c.id == contact.id, c.last == contact.rhythm.last, c.pending.is_(sa.null())
    begun = {"pending": pending(now, turns), "last": now, "tries": 0, "next": now + LEASE}
    if not update(connection, *free, **begun):
        return False
    for turn in turns:
        called = turn.number if last_call(now, turn) else turn.called
        which = {"contact": contact.id, "game": turn.game}
        put_row(connection, told, which, number=turn.number, called=called)
    return True


def claim_again(connection: sa.Connection, now: int, contact: Contact) -> bool:
    """Note that what has not gone out is tried again; False if another process has been faster."""
    c = contacts.c
    free = c.id == contact.id, c.next == contact.next, c.pending.is_not(sa.null())
    return update(connection, *free, next=now + LEASE, tries=c.tries + 1)


def settle(connection: sa.Connection, now: int, number: int, *, again: bool) -> None:
    """Note that what was being sent has gone out, or has to be tried again."""
    contact = find(connection, number)
    values: dict[str, Any] = {"pending": None, "tries": 0}
    if contact and again and contact.tries < TRIES:
        values = {"next": now + MINUTE * 2**contact.tries}
    update(connection, contacts.c.id == number, **values)


def refused(connection: sa.Connection, number: int, why: str) -> None:
    """Note that an address is refused for good: nothing goes there until it is confirmed again."""
    if contact := find(connection, number):
        values = {"confirmed": None, "pending": None, "more": {**contact.more, "why": why[:200]}}
        update(connection, contacts.c.id == number, **values)


def saw(connection: sa.Connection, person: str, game: int, number: int) -> None:
    """Note that somebody has seen that it is their turn."""
    put_row(connection, seen, {"person": person, "game": game}, number=number)


# What waits for somebody


def awaited(
    connection: sa.Connection, closed: Sequence[Span], now: int
) -> list[tuple[Contact, list[Turn]]]:
    """Everybody who wants to be told, and the tables that wait for them, none of them replayed.

    Challenges that friends have finished follow as turns do, with `FRIEND` in place of a seat.
    ``closed``: when the house was closed.
    """
    confirmed = contacts.c.confirmed.is_not(None)
    people = select(connection, confirmed)
    if not people:
        return []
    sat = sa.select(sittings.c.game).join(contacts, contacts.c.person == sittings.c.person)
    open_ones = sa.select(games, NEWEST).where(
        games.c.ended.is_(None), games.c.to_act > 0, games.c.id.in_(sat.where(confirmed))
    )
    rows: dict[str, list[sa.Row[Any]]] = defaultdict(list)
    for row in connection.execute(open_ones):
        for person in {who for _, who, _ in row.people or [] if who}:
            rows[person].append(row)
    seen_by = {(row.person, row.game): row.number for row in connection.execute(sa.select(seen))}
    told_to = {(row.contact, row.game): row for row in connection.execute(sa.select(told))}

    heard = finished(connection, now)

    def turn(contact: Contact, game: int, seat: int, what: tuple[int, int, int | None]) -> Turn:
        last = told_to.get((contact.id, game))
        number, called = (last.number, last.called) if last else (0, 0)
        return Turn(game, seat, *what, seen_by.get((contact.person, game), 0), number, called)

    def turns(contact: Contact) -> list[Turn]:
        found = waiting(rows[contact.person], contact.person, closed, now)
        return [
            *(turn(contact, w.game, w.seat, (w.number, w.since, w.until)) for w in found),
            *(turn(contact, f.game, FRIEND, (FINISHED, f.ended, None)) for f in heard[contact.id]),
        ]

    return [(contact, turns(contact)) for contact in people]


def keys(connection: sa.Connection, numbers: Iterable[int]) -> dict[int, str]:
    """The keys of tables, by the numbers of their games."""
    wanted = sa.select(games.c.id, games.c.key).where(games.c.id.in_(list(numbers)))
    return {row.id: row.key for row in connection.execute(wanted)}
