"""Which tables wait for whom: read from the heads of the tables, so that none is replayed."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from typing import Any

import sqlalchemy as sa

from yegg import games as known
from yegg.engine import Refused
from yegg.table.storage.people import contacts, seen, told
from yegg.table.storage.schema import games, sittings

from .contacts import Contact, of_row
from .decide import Turn


def awaited(connection: sa.Connection) -> list[tuple[Contact, list[Turn]]]:
    """Everybody who wants to be told, and the tables that wait for them."""
    confirmed = contacts.c.confirmed.is_not(None)
    there = [of_row(row) for row in connection.execute(sa.select(contacts).where(confirmed))]
    if not there:
        return []
    people = {contact.person for contact in there}
    sat = sa.select(sittings.c.game).join(contacts, contacts.c.person == sittings.c.person)
    open_ones = sa.select(games).where(
        games.c.ended.is_(None), games.c.to_act > 0, games.c.id.in_(sat.where(confirmed))
    )
    turns: dict[str, list[Turn]] = defaultdict(list)
    for row in connection.execute(open_ones):
        for person, turn in turns_of(row, people):
            turns[person].append(turn)
    seen_by = {(row.person, row.game): row.number for row in connection.execute(sa.select(seen))}
    told_to = {(row.contact, row.game): row for row in connection.execute(sa.select(told))}
    return [
        (contact, [_known(turn, contact, seen_by, told_to) for turn in turns[contact.person]])
        for contact in there
    ]


def _known(turn: Turn, contact: Contact, seen_by: dict[Any, int], told_to: dict[Any, Any]) -> Turn:
    last = told_to.get((contact.id, turn.game))
    number, called = (last.number, last.called) if last else (0, 0)
    saw = seen_by.get((contact.person, turn.game), 0)
    return turn._replace(seen=saw, told=number, called=called)


def turns_of(row: sa.Row[Any], people: Collection[str]) -> Iterator[tuple[str, Turn]]:
    """Whose turn it is at a table, of these people; nobody where a bot plays for them."""
    if not current(row):
        return
    for seat, (_, person, bot) in enumerate(row.people or []):
        began = (row.turns or {}).get(str(seat))
        if person in people and not bot and began and row.to_act >> seat & 1:
            number, since = began
            yield person, Turn(row.id, seat, number, since, None, 0, 0, 0)


def current(row: sa.Row[Any]) -> bool:
    """Whether a table can go on under today's rules."""
    try:
        return bool(known.find(row.game).version == row.version)
    except Refused:
        return False


def keys(connection: sa.Connection, numbers: Iterable[int]) -> dict[int, str]:
    """The keys of tables, by the numbers of their games."""
    wanted = sa.select(games.c.id, games.c.key).where(games.c.id.in_(list(numbers)))
    return {row.id: row.key for row in connection.execute(wanted)}
