"""Routes of the host's page, behind a key of its own: who plays here, and order among guests.

Without the key no address answers but the door, and where no key was made there is no door.  The
key is typed into a form there, and the browser keeps it in a cookie that goes to this page alone.
"""

import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import sqlalchemy as sa
from litestar import Response, get, post
from litestar.connection import ASGIConnection
from litestar.exceptions import NotFoundException
from litestar.handlers import BaseRouteHandler
from litestar.response import Redirect

from yegg.engine import Refused
from yegg.table.accounts import host_key
from yegg.table.http.cookies import fitting
from yegg.table.http.form_answers import answer_for, see, told_at
from yegg.table.http.requests import Asked, Visitor, Who
from yegg.table.http.responses import page
from yegg.table.refusals import HttpRefusal
from yegg.table.service import block_list, host, overview

PATH, COOKIE = "/host", "yegg-host"
KEEP = 30 * 86400  # seconds for which a browser keeps the key
WRONG = "this is not the key; yegg house host-key makes another one"
DIGEST = re.compile(r"[0-9a-f]{64}")
KEY = re.compile(r"[A-Za-z0-9_-]{22}")
Form = Mapping[str, Any]
DONE = {
    "close": "the table is closed, and all who look at it are told",
    "rename": "the name is changed at all tables in play, and all there are told",
    "mute": "nobody hears what they say any more, and every page tells them so",
    "unmute": "they can be heard again",
    "block": "they can only look on from now on, and every page tells them so",
    "unblock": "they can play here again",
}
"""By what was done: what the page says of it."""


async def for_the_host(asked: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Let those pass who have shown the key.  Raises NotFoundException, and Unread."""
    if not await has_key(asked):
        raise NotFoundException


async def has_key(asked: ASGIConnection[Any, Any, Any, Any]) -> bool:
    """Whether a browser brings the key of today.  Raises Unread.

    Only this server signs what it brings, so that nobody can try keys in this way.
    """
    registry = asked.app.state.registry
    key = registry.signer.token(asked.cookies.get(COOKIE))
    return key is not None and host_key.fits(key, await registry.store.query(host_key.stored))


@get(PATH)
async def host_page(request: Asked, who: Who) -> Response[bytes]:
    """The host's page, or its door.  Raises NotFoundException where there is no key."""
    who.count(who.limits.asking)
    said = answer_for(who)
    why = said.why if said else ""
    if await has_key(request):
        answer = await overlooked(who, why)
    elif await who.store.query(host_key.stored):
        answer = page(who, "host_door.html", why=why)
    else:
        raise NotFoundException
    answer.status_code = said.status if said else 200
    return answer


async def overlooked(who: Visitor, why: str) -> Response[bytes]:
    """The page itself."""

    def read(connection: sa.Connection) -> dict[str, Any]:
        return {
            "tables": overview.in_play(connection),
            "many": overview.how_many(connection),
            "people": overview.people(connection),
            "blocked": block_list.listed(connection),
            "muted": block_list.silent(connection),
        }

    what = await who.store.query(read)
    done = DONE.get(who.request.query_params.get("done", ""), "")
    return page(who, "host.html", now=who.store.hours.now(), done=done, why=why, **what)


@post(f"{PATH}/enter")
async def enter(who: Who) -> Redirect:
    """Show the key.  Raises NotFoundException where there is none, and HttpRefusal 403, 429."""
    who.sender()
    kept = await who.store.query(host_key.stored)
    if kept is None:
        raise NotFoundException
    who.count(who.limits.guessing)
    key = str((await who.request.form()).get("key", "")).strip()
    if not host_key.fits(key, kept):
        host.note("wrong key")
        return told_at(who.request, PATH, HttpRefusal(403, WRONG))
    host.note("enter")
    response = see(PATH)
    response.set_cookie(
        COOKIE,
        who.registry.signer.signed(key),
        path=PATH,
        max_age=KEEP,
        httponly=True,
        samesite="strict",
        secure=who.request.app.state.settings.secure,
    )
    return response


async def pressed(who: Visitor, did: str, act: Callable[[Form], Awaitable[object]]) -> Redirect:
    """Do what a form asks for; lead back to the page, which says what was done, or why not."""
    who.sender()
    try:
        await act(await who.request.form())
    except (HttpRefusal, Refused) as refusal:
        said = refusal if isinstance(refusal, HttpRefusal) else HttpRefusal(422, str(refusal))
        return told_at(who.request, PATH, said)
    return see(PATH, done=did)


def field(form: Form, name: str, fits: re.Pattern[str]) -> str:
    """A field of a form.  Raises HttpRefusal 404 for one that no button sends."""
    value = str(form.get(name, ""))
    if not fits.fullmatch(value):
        raise HttpRefusal(404, "there is nobody and nothing of that kind here")
    return value


@post(f"{PATH}/close", guards=[for_the_host])
async def close(who: Who) -> Redirect:
    """Close a table."""
    return await pressed(who, "close", lambda f: host.close(who.registry, field(f, "table", KEY)))


@post(f"{PATH}/rename", guards=[for_the_host])
async def rename(who: Who) -> Redirect:
    """Call a person something else at all tables in play."""

    async def act(form: Form) -> None:
        name = fitting(str(form.get("you", "")))
        if not await host.rename(who.registry, field(form, "person", DIGEST), name):
            raise HttpRefusal(409, "they sit at no table in play where that would be a new name")

    return await pressed(who, "rename", act)


@post(f"{PATH}/mute", guards=[for_the_host])
async def mute(who: Who) -> Redirect:
    """Let nobody hear what a person says."""
    return await pressed(who, "mute", lambda f: host.mute(who.registry, field(f, "person", DIGEST)))


@post(f"{PATH}/unmute", guards=[for_the_host])
async def unmute(who: Who) -> Redirect:
    """Let a person be heard again."""
    act = host.unmute
    return await pressed(who, "unmute", lambda f: act(who.registry, field(f, "person", DIGEST)))


@post(f"{PATH}/block", guards=[for_the_host])
async def block(who: Who) -> Redirect:
    """Let a person only look on."""
    act = host.block
    return await pressed(who, "block", lambda f: act(who.registry, field(f, "person", DIGEST)))


@post(f"{PATH}/unblock", guards=[for_the_host])
async def unblock(who: Who) -> Redirect:
    """Let a person or a network in again."""
    return await pressed(who, "unblock", lambda f: host.unblock(who.registry, str(f.get("who"))))


@post(f"{PATH}/leave", guards=[for_the_host])
async def leave(who: Who) -> Redirect:
    """Let this browser forget the key."""
    who.sender()
    response = see("/")
    response.delete_cookie(COOKIE, path=PATH)
    return response
