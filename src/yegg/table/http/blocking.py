"""Keeping apart from somebody: who is blocked is not seated beside them, nor heard."""

from contextlib import suppress

import msgspec
import sqlalchemy as sa
from litestar.params import JSONBody

from yegg.table.refusals import HttpRefusal
from yegg.table.service import block_list
from yegg.table.storage.schema import blocks
from yegg.table.storage.store import Unread

from .bodies import Blocking
from .requests import Asker, Key, Who


class Blocked(msgspec.Struct):
    """Whether you are kept apart now."""

    blocked: bool
    """Whether you are; the other one is not told."""


async def block(who: Who, key: Key, data: JSONBody[Blocking]) -> Blocked:
    """Not be seated with somebody any more, nor hear their phrases; this game goes on."""
    table, seat = who.seat(key)
    who.count(who.limits.opening)
    me, other = who.me, (data.seat or 0) - 1
    if me is None or who.registry.keyring.person(me.key) != me.id:
        raise HttpRefusal(403, "only one seat was taken to this device; block from another one")
    place = table.now.seats[other] if 0 <= other < len(table.now.seats) else None
    if place is None or place.person is None or other == seat:
        raise HttpRefusal(409, "only another person at your table can be blocked")
    name, person = place.name, place.person
    if not data.blocked:
        await unblock(who, me.id, blocks.c.other == person)
    elif not await who.change(lambda c, _: block_list.block(c, me.id, person, name)):
        raise HttpRefusal(409, f"you have blocked {block_list.MOST} people; let somebody go first")
    await looked_around(who)
    return Blocked(data.blocked)


async def unblock(who: Asker, person: str, which: sa.ColumnElement[bool]) -> None:
    """Let somebody meet others again."""
    await who.change(lambda c, _: block_list.unblock(c, person, which))
    await looked_around(who)


async def looked_around(who: Asker) -> None:
    """Know here what has just been changed on disk; if that cannot be read, it is known soon."""
    with suppress(Unread):
        await who.registry.look_around()
