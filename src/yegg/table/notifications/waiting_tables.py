"""Which tables wait for whom: read from the heads of the tables, so that none is replayed."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

import sqlalchemy as sa

from yegg.table.domain.clock import Span
from yegg.table.service.lobby import Waiting, waiting
from yegg.table.storage.schema import contacts, games, seen, sittings, told
from yegg.table.storage.store import NEWEST

from .contacts import Contact, of_row
from .schedule import Turn


def awaited(connection: sa.Connection, closed: Sequence[Span]) -> list[tuple[Contact, list[Turn]]]:
    """Everybody who wants to be told, and the tables that wait for them.

    ``closed``: when the house was closed.
    """
    confirmed = contacts.c.confirmed.is_not(None)
    there = [of_row(row) for row in connection.execute(sa.select(contacts).where(confirmed))]
    if not there:
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

    def turn(contact: Contact, one: Waiting) -> Turn:
        last = told_to.get((contact.id, one.game))
        number, called = (last.number, last.called) if last else (0, 0)
        saw = seen_by.get((contact.person, one.game), 0)
        return Turn(one.game, one.seat, one.number, one.since, one.until, saw, number, called)

    return [
        (
            contact,
            [turn(contact, one) for one in waiting(rows[contact.person], contact.person, closed)],
        )
        for contact in there
    ]


def keys(connection: sa.Connection, numbers: Iterable[int]) -> dict[int, str]:
    """The keys of tables, by the numbers of their games."""
    wanted = sa.select(games.c.id, games.c.key).where(games.c.id.in_(list(numbers)))
    return {row.id: row.key for row in connection.execute(wanted)}
