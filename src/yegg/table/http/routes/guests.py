"""Guests among one another: closing a table, blocking somebody; and being forgotten."""

from collections.abc import Callable
from functools import partial
from typing import Annotated, TypeVar

import msgspec
import sqlalchemy as sa
from litestar import Response, Router, get, post
from litestar.di import Provide
from litestar.params import JSONBody
from litestar.response import Redirect
from msgspec import Meta

from yegg.engine.record import SIDES
from yegg.table.http.actions import Asker
from yegg.table.http.requests import COOKIE, Asked, address, asker, asking, limits_of, registry_of
from yegg.table.http.responses import NAME, page, person_of, to_table, tried
from yegg.table.refusals import HttpRefusal
from yegg.table.service import closing
from yegg.table.storage import block_list
from yegg.table.storage.store import Taken, Unread, Unwritten

from .api import Key, Me, no
from .pages import seat_in

T = TypeVar("T")
GONE = "you were forgotten here: your name, your devices and your addresses are erased"


class Closed(msgspec.Struct):
    """Whether the table is closed now; if not, others have to agree first."""

    closed: bool


class Blocking(msgspec.Struct, forbid_unknown_fields=True):
    """Whom you would rather not meet, by a seat of theirs; false takes it back."""

    seat: Annotated[int, Meta(ge=1, le=SIDES)]
    blocked: bool


class Blocked(msgspec.Struct):
    """Whether you are kept apart now."""

    blocked: bool


class Forgotten(msgspec.Struct):
    """How many games stay without your name."""

    games: int


async def change(who: Asker, what: Callable[[sa.Connection], T]) -> T:
    """Change something about guests, on disk and here.  Raises HttpRefusal 503."""
    try:
        done = await who.registry.store.work(lambda connection, _: what(connection))
        await who.registry.look_around()
    except (Taken, Unwritten, Unread):
        raise HttpRefusal(503, "this could not be saved; try again") from None
    return done


async def close(who: Asker, key: str) -> bool:
    """Close a table, or say that one would like to."""
    table, seat = who.to_arrange(key)
    return await closing.close(table, seat, who.person)


async def block(who: Asker, key: str, other: int, *, blocked: bool = True) -> None:
    """Keep the asker and the owner of another seat apart from now on, or no longer."""
    table, seat = who.seat(key)
    who.limits.take(who.limits.opening, who.address)
    if who.registry.keyring.person(person_of(who.me).key) != person_of(who.me).id:
        raise HttpRefusal(403, "only one seat was taken to this device; block from another one")
    place = table.now.seats[other] if 0 <= other < len(table.now.seats) else None
    if place is None or place.person is None or other == seat:
        raise HttpRefusal(409, "only another person at your table can be blocked")
    me, name, person = person_of(who.me).id, place.name, place.person
    if not blocked:
        await change(who, lambda c: block_list.unblock(c, me, block_list.blocks.c.other == person))
    elif not await change(who, lambda c: block_list.block(c, me, person, name)):
        raise HttpRefusal(409, f"you have blocked {block_list.MOST} people; let somebody go first")


async def forget(who: Asker) -> int:
    """Erase the asker.  Returns how many games stay without the name."""
    who.limits.take(who.limits.opening, who.address)
    return await change(who, partial(block_list.forget, person=person_of(who.me).id))


@post(
    "/games/{key:str}/close", status_code=200, responses=no(400, 401, 403, 404, 409, 410, 429, 503)
)
async def close_it(request: Asked, key: Key, me: Me) -> Closed:
    """Close the table: alone before the game begins, later if all people there would like it."""
    return Closed(await close(asking(request, me), key))


@post(
    "/games/{key:str}/block",
    status_code=200,
    responses=no(400, 401, 403, 404, 409, 410, 413, 429, 503),
)
async def block_it(request: Asked, key: Key, data: JSONBody[Blocking], me: Me) -> Blocked:
    """Not be seated with somebody any more, nor hear their phrases; this game goes on."""
    await block(asking(request, me), key, data.seat - 1, blocked=data.blocked)
    return Blocked(data.blocked)


@post("/me/forget", status_code=200, responses=no(400, 401, 403, 429, 503))
async def forget_me(request: Asked, me: Me) -> Forgotten:
    """Erase your name, devices and addresses; your games stay without your name."""
    who = asking(request, me)
    await who.sat_down()
    return Forgotten(await forget(who))


@post("/t/{key:str}/close")
async def close_page(request: Asked, key: Key, me: Me) -> Response[bytes] | Redirect:
    """Close the table, by a plain form."""
    return await tried(request, key, me, close(asking(request, me), key)) or to_table(request, key)


@post("/t/{key:str}/block")
async def block_page(request: Asked, key: Key, me: Me) -> Response[bytes] | Redirect:
    """Block somebody at the table, by a plain form."""
    other = seat_in(dict(await request.form()))
    done = block(asking(request, me), key, -1 if other is None else other)
    return await tried(request, key, me, done) or Redirect("/me/guests", status_code=303)


@get("/me/guests")
async def guests_page(request: Asked, me: Me) -> Response[bytes]:
    """Whom you have blocked, and what can be erased."""
    limits_of(request).take(limits_of(request).asking, address(request))
    store, mine = registry_of(request).store, me.id if me else ""

    def read() -> list[sa.Row[tuple[object, ...]]]:
        with store.database.reading.connect() as connection:
            return block_list.blocked(connection, mine)

    return page(request, "guests.html", me, blocked=await store.aside(read))


@post("/me/unblock")
async def unblock_page(request: Asked, me: Me) -> Redirect:
    """Let somebody meet you again."""
    said = str((await request.form()).get("which", ""))
    which = int(said) if said.isascii() and said.isdecimal() and len(said) < 10 else 0
    mine, who = person_of(me).id, asking(request, me)
    who.limits.take(who.limits.opening, who.address)
    await change(who, lambda c: block_list.unblock(c, mine, block_list.blocks.c.id == which))
    return Redirect("/me/guests", status_code=303)


@post("/me/forget")
async def forget_page(request: Asked, me: Me) -> Response[bytes]:
    """Be forgotten; this browser forgets, too."""
    await forget(asking(request, me))
    answer = page(request, "forgotten.html", None, note=GONE)
    for key in COOKIE, NAME:
        answer.delete_cookie(key)
    return answer


routers = [
    Router(
        "/api",
        route_handlers=[close_it, block_it, forget_me],
        dependencies={"me": Provide(asker)},
        tags=["table"],
    ),
    Router(
        "/",
        route_handlers=[close_page, block_page, guests_page, unblock_page, forget_page],
        dependencies={"me": Provide(asker)},
        include_in_schema=False,
    ),
]
