"""What the host may do to tables and people; each is on disk, and every process minds it.

A name is changed, and a table closed, by an event there.  Whom the host bars or mutes is read from
the disk by every process within seconds (`block_list.touch`), and here at once.
"""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TypeVar

import sqlalchemy as sa
import structlog

from yegg.table.domain.seats import Event, Kind, unlike_others
from yegg.table.refusals import HttpRefusal
from yegg.table.storage.database import Tell
from yegg.table.storage.schema import evening_members, evenings
from yegg.table.storage.store import Taken, Unread, Unwritten
from yegg.text.names import unlike

from . import block_list
from .lobby import seat_of
from .optimistic_lock import retried
from .registry import Registry, close_any
from .table import Table

NOT_SAVED = "this could not be saved; try again"
T = TypeVar("T")
MANY = 500  # tables of a person that are looked at, the newest first
log = structlog.get_logger()


def note(did: str, **what: object) -> None:
    """A line in the log about what the host has done; people stand there by their marks alone.

    A name would stay in the log after somebody has asked to be forgotten.
    """
    log.info("host", did=did, **what)


def mark(person: str) -> str:
    """The beginning of a person's id, by which the log and `yegg house people` name them."""
    return person[:8]


async def close(registry: Registry, key: str) -> None:
    """Close a table.  Raises HttpRefusal 404, 409, 410, 503, and Unread."""
    try:
        await registry.store.aside(close_any, registry.store, key)
    except Unwritten:
        raise HttpRefusal(503, NOT_SAVED) from None
    note("close", table=key[:8])
    await _known_here(registry)


async def rename(registry: Registry, person: str, name: str) -> int:
    """Call a person something else at all tables in play; return at how many.

    Raises HttpRefusal 503, and Unread.
    """
    store, changed = registry.store, 0
    for row in await store.aside(store.of_person, person, MANY):
        if row.ended is None and seat_of(row, person) >= 0:
            try:
                changed += await _call(await registry.fetched(row.key), person, name)
            except HttpRefusal as refusal:
                if refusal.status == 503:
                    raise
    await _change(registry, partial(_in_evenings, person=person, name=name))
    note("rename", person=mark(person), tables=changed)
    return changed


@retried
async def _call(table: Table, person: str, name: str) -> bool:
    """Call a person something else at a table; whether that is new there.  Raises HttpRefusal."""
    async with table.lock:
        seats, seat = table.now.seats, table.now.seat_of(person)
        table.not_over()
        if seat < 0 or seats[seat].name == name:
            return False
        await table.keep(Event(seat, Kind.CALLED, name=unlike_others(name, seats, seat)))
        return True


def _in_evenings(connection: sa.Connection, _: Tell, person: str, name: str) -> None:
    """Call somebody something else in all evenings that are not over."""
    member = evening_members.c
    open_ones = sa.select(evenings.c.id).where(evenings.c.ended.is_(None))
    mine = (member.person == person) & member.evening.in_(open_ones)
    for evening in list(connection.scalars(sa.select(member.evening).where(mine))):
        here = member.evening == evening
        others = connection.scalars(sa.select(member.name).where(here, member.person != person))
        new = sa.update(evening_members).where(here, mine)
        connection.execute(new.values(name=unlike(name, list(others))))


async def mute(registry: Registry, person: str) -> None:
    """Let nobody hear what a person says.  Raises HttpRefusal 404, 503, and Unread."""
    name = await _called(registry, person)
    await _change(registry, lambda c, _: block_list.mute(c, person, name))
    note("mute", person=mark(person))


async def unmute(registry: Registry, person: str) -> None:
    """Let a person be heard again.  Raises HttpRefusal 404, 503, and Unread."""
    if not await _change(registry, lambda c, _: block_list.unmute(c, person)):
        raise HttpRefusal(404, "they are not muted")
    note("unmute", person=mark(person))


async def block(registry: Registry, person: str) -> None:
    """Let a person only look on.  Raises HttpRefusal 404, 503, and Unread."""
    name = await _called(registry, person)
    await _change(registry, lambda c, _: block_list.bar(c, person, "", name))
    note("block", person=mark(person))


async def unblock(registry: Registry, who: str) -> None:
    """Let a person or a network in again.  Raises HttpRefusal 404, 503, and Unread."""
    if not await _change(registry, lambda c, _: block_list.let_in(c, who)):
        raise HttpRefusal(404, "they are not blocked")
    note("unblock", person=mark(who))


async def _called(registry: Registry, person: str) -> str:
    """What a person is called.  Raises HttpRefusal 404, and Unread."""
    name = await registry.store.query(lambda c: block_list.called(c, person))
    if name is None:
        raise HttpRefusal(404, "there is no such person here any more")
    return name


async def _change(registry: Registry, what: Callable[[sa.Connection, Tell], T]) -> T:
    """Change something on disk, and know it here.  Raises HttpRefusal 503."""
    try:
        answer = await registry.store.work(what)
    except (Taken, Unwritten):
        raise HttpRefusal(503, NOT_SAVED) from None
    await _known_here(registry)
    return answer


async def _known_here(registry: Registry) -> None:
    """Know here what has just been changed on disk; if that cannot be read, it is known soon."""
    with suppress(Unread):
        await registry.look_around()
