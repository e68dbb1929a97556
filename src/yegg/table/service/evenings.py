"""Evenings: who has joined, the rounds that were drawn, and what happened at their tables.

A round is drawn once: its tables are rows before any of them is opened, and the database takes
each row once, whichever process comes first.  A table's key is in its row, so that whatever
process finds it not opened yet opens it, after a restart as well; a second one cannot.
"""

from collections.abc import Callable
from random import Random
from typing import Any, TypeVar

import msgspec
import sqlalchemy as sa

from yegg import games as known
from yegg.engine import Refused
from yegg.table.accounts.tokens import new_token
from yegg.table.domain.evening import (
    LEFT_OUT,
    Evening,
    Member,
    Plan,
    RoundTable,
    allowed,
    next_round,
)
from yegg.table.domain.pairing import Round
from yegg.table.refusals import HttpRefusal
from yegg.table.storage.database import Row, Tell
from yegg.table.storage.schema import RUNS, evening_members, evening_tables, evenings, games
from yegg.table.storage.store import Store, Taken, Unwritten
from yegg.text.phrases import listing

from .new_tables import clock_terms

T = TypeVar("T")
LAST_TABLES = 2 * 86_400_000  # ms for which tables are looked after once the evening has ended
TRIES = 5
NOT_HERE = "there is no such evening: the link may be mistyped or cut off; ask for it once more"


# As it is on disk


def load(connection: sa.Connection, key: str) -> Evening | None:
    """An evening by its key; None if there is none."""
    row = connection.execute(sa.select(evenings).where(evenings.c.key == key)).first()
    if row is None:
        return None
    members, rounds = evening_members.c, evening_tables.c
    joined = sa.select(evening_members).where(members.evening == row.id).order_by(members.number)
    wanted = (
        sa.select(
            evening_tables, games.c.id, games.c.ended, games.c.result, games.c.people, games.c.waits
        )
        .outerjoin(games, games.c.key == rounds.game)
        .where(rounds.evening == row.id)
        .order_by(rounds.round, rounds.number)
    )
    drawn: dict[int, tuple[list[RoundTable], list[int]]] = {}
    for one in connection.execute(wanted):
        tables, out = drawn.setdefault(one.round, ([], []))
        if one.number:
            tables.append(_table(one))
        else:
            out += one.members
    return Evening(
        row.id,
        row.key,
        row.name,
        row.host,
        msgspec.convert(row.plan, Plan),
        row.begun,
        row.ended,
        tuple(map(_member, connection.execute(joined))),
        tuple(
            Round(tuple(t.members for t in tables), tuple(out)) for tables, out in drawn.values()
        ),
        tuple(tuple(tables) for tables, _ in drawn.values()),
    )


def _member(row: sa.Row[Any]) -> Member:
    return Member(row.number, row.person, row.name, row.away, row.source)


def _table(row: sa.Row[Any]) -> RoundTable:
    places = row.result["places"] if row.result else None
    bots = tuple(bot for _, _, bot in row.people or ())
    waits = tuple((seat, since) for seat, _, since, _ in row.waits or ())
    head = row.round, row.number, row.game, tuple(row.members), row.at
    return RoundTable(*head, row.id, row.ended, places, bots, waits)


def running(connection: sa.Connection, now: int) -> list[str]:
    """The keys of all evenings that go on, and of those whose last tables may; ``now`` in ms."""
    columns = evenings.c
    ends = columns.begun.is_not(None) & (columns.ended > now - LAST_TABLES)
    return list(connection.scalars(sa.select(columns.key).where(RUNS | ends)))


def of_person(connection: sa.Connection, person: str) -> list[sa.Row[Any]]:
    """The evenings that somebody has joined or opened, the newest first; ten at most."""
    joined = sa.select(evening_members.c.evening).where(evening_members.c.person == person)
    theirs = evenings.c.id.in_(joined) | (evenings.c.host == person)
    return list(
        connection.execute(
            sa.select(evenings).where(theirs).order_by(evenings.c.id.desc()).limit(10)
        )
    )


async def find(store: Store, key: str) -> Evening:
    """An evening.  Raises HttpRefusal 404, Unread."""
    found = await store.query(lambda connection: load(connection, key))
    if found is None:
        raise HttpRefusal(404, NOT_HERE)
    return found


# What people may do


def checked(plan: Plan) -> Plan:
    """A plan that can be played.  Raises Refused."""
    game, fit = known.find(plan.game), allowed(plan)
    if plan.seats not in fit:
        numbers = listing([*map(str, fit)], "or") if fit else "no number of"
        raise Refused(f"with these options {game.title} has tables for {numbers} people")
    if plan.kind == "swiss" and plan.rounds is None:
        raise Refused("say how many rounds there are; a round robin ends when all have met")
    options = game.chosen(plan.seats, plan.options)
    clock_terms(plan.terms, game, plan.seats, options)
    return msgspec.structs.replace(plan, options=options)


async def worked(store: Store, what: Callable[[sa.Connection, Tell], T]) -> T:
    """Change the database, again where another process was faster.  Raises HttpRefusal 503."""
    for _ in range(TRIES):
        try:
            return await store.work(what)
        except Taken:
            continue
        except Unwritten:
            break
    raise HttpRefusal(503, "this could not be saved; try again")


async def open_evening(store: Store, plan: Plan, name: str, person: str) -> str:
    """Open an evening; its key.  Raises Refused, HttpRefusal."""
    key = new_token()
    row = {"key": key, "name": name, "host": person, "at": store.hours.now()}
    kept = msgspec.to_builtins(checked(plan))

    def write(connection: sa.Connection, _: Tell) -> None:
        connection.execute(sa.insert(evenings).values(**row, plan=kept))

    await worked(store, write)
    return key


async def leave(store: Store, key: str, person: str) -> None:
    """Be in no further round.  Raises HttpRefusal 404, 409."""
    evening = await find(store, key)
    if evening.of(person) is None:
        raise HttpRefusal(409, "you have not joined this evening")
    columns = evening_members.c
    mine = (columns.evening == evening.id) & (columns.person == person)

    def write(connection: sa.Connection, _: Tell) -> None:
        connection.execute(sa.update(evening_members).where(mine).values(away=True))

    await worked(store, write)


async def begin(store: Store, key: str, person: str) -> None:
    """Begin an evening: its first round is drawn.  Raises HttpRefusal 403, 404, 409."""
    evening = await find(store, key)
    hosts(evening, person)
    least = min(allowed(evening.plan))
    if sum(not one.away for one in evening.members) < least:
        raise HttpRefusal(409, f"a table needs {least} people; wait until so many have joined")
    await _at(store, evening, "begun")


async def end(store: Store, key: str, person: str) -> None:
    """End an evening after the tables that go on.  Raises HttpRefusal 403, 404."""
    evening = await find(store, key)
    hosts(evening, person)
    await _at(store, evening, "ended")


def hosts(evening: Evening, person: str) -> None:
    """Refuse whoever has not opened an evening.  Raises HttpRefusal 403."""
    if evening.host != person:
        raise HttpRefusal(403, "only whoever opened this evening can do that")


async def _at(store: Store, evening: Evening, column: str) -> None:
    """Note when an evening has begun or ended, once."""
    unset = (evenings.c.id == evening.id) & evenings.c[column].is_(None)
    change = sa.update(evenings).where(unset).values({column: store.hours.now()})

    def write(connection: sa.Connection, _: Tell) -> None:
        connection.execute(change)

    await worked(store, write)


# The next round


def draw_round(evening: Evening) -> Round | None:
    """The next round by what is known; None if the evening is over.  Takes up to a second."""
    gone = evening.missed if evening.plan.missing == LEFT_OUT else frozenset()
    order = [one.number for one in evening.members if not one.away and one.number not in gone]
    Random(f"{evening.key} {len(evening.rounds)}").shuffle(order)  # noqa: S311  a lot, the same everywhere
    total = {one.member: one.points for one in evening.standings}
    return next_round(evening.plan, order, evening.rounds, total, allowed(evening.plan))


async def keep_round(store: Store, evening: Evening, drew: Round | None) -> None:
    """Write a round down, or that the evening is over; nothing if another process was faster."""
    if drew is None:
        await _at(store, evening, "ended")
        return
    number, at = len(evening.rounds) + 1, store.hours.now()
    same = {"evening": evening.id, "round": number, "at": at}
    rows: list[Row] = [{**same, "number": 0, "game": None, "members": list(drew.out)}]
    for n, table in enumerate(drew.tables, 1):
        rows.append({**same, "number": n, "game": new_token(), "members": list(table)})
    columns, gone = evening_members.c, evening.missed
    left = (columns.evening == evening.id) & columns.number.in_(gone)

    def write(connection: sa.Connection, _: Tell) -> None:
        ended = sa.select(evenings.c.ended).where(evenings.c.id == evening.id)
        if connection.scalar(ended.with_for_update()) is not None:
            return
        connection.execute(sa.insert(evening_tables), rows)
        if evening.plan.missing == LEFT_OUT:
            connection.execute(sa.update(evening_members).where(left).values(away=True))

    try:
        await store.work(write)
    except (Taken, Unwritten):
        return
