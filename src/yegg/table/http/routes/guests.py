"""Whom somebody has blocked, and how somebody is forgotten."""

from functools import partial

import msgspec
import sqlalchemy as sa
from litestar import Response, Router, get, post
from litestar.di import Provide
from litestar.response import Redirect

from yegg.table.http.actions import Asker, change
from yegg.table.http.requests import COOKIE, Asked, address, asker, asking, limits_of, registry_of
from yegg.table.http.responses import NAME, page, person_of
from yegg.table.service import block_list
from yegg.table.storage.schema import blocks

from .api import Me, no

GONE = "you were forgotten here: your name, your devices and your addresses are erased"


class Forgotten(msgspec.Struct):
    """How many games stay without your name."""

    games: int


async def forget(who: Asker) -> int:
    """Erase the asker.  Returns how many games stay without the name."""
    who.limits.take(who.limits.opening, who.address)
    return await change(who, partial(block_list.forget, person=person_of(who.me).id))


@post("/me/forget", status_code=200, responses=no(400, 401, 403, 429, 503))
async def forget_me(request: Asked, me: Me) -> Forgotten:
    """Erase your name, devices and addresses; your games stay without your name."""
    who = asking(request, me)
    await who.sat_down()
    return Forgotten(await forget(who))


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
    await change(who, lambda c: block_list.unblock(c, mine, blocks.c.id == which))
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
        route_handlers=[forget_me],
        dependencies={"me": Provide(asker)},
        tags=["table"],
    ),
    Router(
        "/",
        route_handlers=[guests_page, unblock_page, forget_page],
        dependencies={"me": Provide(asker)},
        include_in_schema=False,
    ),
]
