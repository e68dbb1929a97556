"""Which tables wait for a person: since when, and until when."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa

from yegg.engine import Refused
from yegg.engine.earlier import in_version
from yegg.table.domain.clock import Span, moment
from yegg.table.domain.clock_terms import Terms
from yegg.table.storage.store import Store

MANY = 500  # games of a person that are looked at, the newest first


class Waiting(NamedTuple):
    """A table that waits for somebody.  All times are milliseconds since 1970."""

    game: int
    """The game's number."""
    key: str
    """The table's key, which links carry."""
    title: str
    """The game's name for people."""
    name: str
    """The table's name."""
    seat: int
    """Theirs, from 0."""
    number: int
    """The number of the event since which the table waits."""
    since: int
    until: int | None
    """When their time is up; None if nobody is hurried."""
    terms: Terms | None
    """What happens then (`Terms.then`)."""


def waiting(rows: Iterable[sa.Row[Any]], person: str, closed: Sequence[Span]) -> list[Waiting]:
    """The tables that wait for a person; ``rows`` are of `schema.games`.

    The first is the one whose time is up first; those without a clock come last, the longest
    waited for first.  ``closed``: when the house was closed (`Hours.closed`).
    """
    found = [one for row in rows for one in _at(row, person, closed)]
    return sorted(found, key=lambda one: (one.until is None, one.until or 0, one.since))


def _at(row: sa.Row[Any], person: str, closed: Sequence[Span]) -> Iterable[Waiting]:
    try:
        game = in_version(row.game, row.version)
    except Refused:
        return
    people = row.people or []
    if row.ended is not None or row.version != game.version:
        return
    for seat, number, since, due in row.waits or []:
        if seat < len(people) and people[seat][1] == person:
            until = None if due is None else later(due, row.newest or since, closed)
            yield Waiting(
                row.id,
                row.key,
                game.title,
                row.name,
                seat,
                number,
                since,
                until,
                Terms.read(row.clock),
            )


def later(due: int, known: int, closed: Sequence[Span]) -> int:
    """When time is up, if the house was closed since this was reckoned, at ``known``.

    >>> later(100, 50, [(10, 20), (60, 80)]), later(100, 50, [(100, 110)])
    (120, 100)
    """
    return due if due <= known else moment(known, due - known, closed)


async def of_person(store: Store, person: str) -> list[Waiting]:
    """The tables that wait for a person now.  Raises Unread."""
    rows = await store.aside(store.of_person, person, MANY)
    return waiting(rows, person, store.hours.closed)
