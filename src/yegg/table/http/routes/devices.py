"""Your page: your devices, and codes that take a seat, or everything, to another device."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Any, TypeVar

import sqlalchemy as sa
from litestar import Response, Router, get, post
from litestar.di import Provide
from litestar.params import FromQuery
from litestar.response import Redirect

from yegg.table.accounts import devices as accounts
from yegg.table.accounts.devices import Code, Device
from yegg.table.accounts.tokens import Person
from yegg.table.http import preferences_cookie
from yegg.table.http.requests import (
    COOKIE,
    Asked,
    address,
    alone,
    asker,
    asking,
    limits_of,
    reached_at,
    registry_of,
)
from yegg.table.http.responses import carry, keep_name, page, person_of
from yegg.table.refusals import HttpRefusal
from yegg.table.render.html_view import qr
from yegg.table.service.lobby import mine
from yegg.table.storage.people import EVERYWHERE
from yegg.table.storage.store import Taken, Unwritten
from yegg.table.storage.uptime import here
from yegg.table.storage.writes import Tell

from .api import Key, Me
from .notifications import offered

NO_CODE = (
    "this code is not good: it may be mistyped, used already, or older than ten minutes; "
    "ask for another one on the other device"
)
NOTES = {"confirm": "a letter is on its way: the link in it confirms your address"}
DIGEST = re.compile(r"[0-9a-f]{64}")
T = TypeVar("T")


async def changed(request: Asked, what: Callable[[sa.Connection, Tell], T]) -> T:
    """Change devices, on disk and here.  Raises HttpRefusal 503."""
    registry = registry_of(request)
    try:
        return await registry.keyring.change(registry.store, what)
    except (Taken, Unwritten):
        raise HttpRefusal(503, "this could not be saved; try again") from None


async def read(request: Asked, what: Callable[[sa.Connection], T]) -> T:
    """Read something about people, beside the event loop."""
    store = registry_of(request).store

    def reading() -> T:
        with store.database.reading.connect() as connection:
            return what(connection)

    return await store.aside(reading)


def agent(request: Asked) -> str:
    """What the asker's browser says of itself."""
    return request.headers.get("user-agent", "")[:300]


@get("/me")
async def me_page(request: Asked, me: Me, note: FromQuery[str] = "") -> Response[bytes]:
    """Your page."""
    limits = limits_of(request)
    limits.take(limits.asking, address(request))
    return await mine_shown(request, me, note=NOTES.get(note, ""))


async def mine_shown(request: Asked, me: Person | None, **more: Any) -> Response[bytes]:
    """Your page, with what there is to say."""
    found = await read(request, partial(accounts.devices, person=me.id)) if me else []
    devices = [await described(request, one, me) for one in found]
    return page(request, "me.html", me, devices=devices, **await offered(request, me), **more)


async def described(request: Asked, device: Device, me: Person | None) -> dict[str, Any]:
    """A device, for the page."""
    game = ""
    if device.game != EVERYWHERE:
        game = await registry_of(request).store.aside(
            registry_of(request).store.name_of, device.game
        )
    since = datetime.fromtimestamp(device.at / 1000, UTC).strftime("%Y-%m-%d") if device.at else ""
    here = me is not None and (me.key, EVERYWHERE) == (device.key, device.game)
    return {**device._asdict(), "table": game, "since": since, "here": here}


@post("/me/name")
async def rename(request: Asked, me: Me) -> Response[bytes] | Redirect:
    """Be called something else, from the next table on."""
    person_of(me)
    name, why = preferences_cookie.named(request, dict(await request.form()))
    if why:
        return await mine_shown(request, me, why=why)
    answer = Redirect("/me", status_code=303)
    keep_name(request, answer, name)
    return answer


@post("/me/code")
async def code_for_all(request: Asked, me: Me) -> Response[bytes]:
    """A code for everything that is the asker's."""
    return await coded(request, person_of(me), EVERYWHERE)


@post("/t/{key:str}/code")
async def code_for_seat(request: Asked, key: Key, me: Me) -> Response[bytes]:
    """A code for one seat.  Raises HttpRefusal 401 for somebody without a seat."""
    table, seat = asking(request, me).seat(key)
    whole = f"{table.game.title} at {table.name}"
    return await coded(request, person_of(me), table.id, table.now.seats[seat].name, whole, key)


async def coded(
    request: Asked, me: Person, game: int, name: str = "", table: str = "", key: str = ""
) -> Response[bytes]:
    """The page with a fresh code."""
    limits = limits_of(request)
    limits.take(limits.opening, address(request))
    name = name or preferences_cookie.named(request, {})[0]
    device = accounts.guess(agent(request))

    def make(connection: sa.Connection, told: Tell) -> str:
        accounts.note(connection, told, me.id, me.key, device)
        return accounts.make(connection, Code(me.id, game, name))

    code = await changed(request, make)
    link = f"{reached_at(request)}me/take?code={accounts.spelt(code)}"
    return page(
        request,
        "code.html",
        me,
        code=accounts.spelt(code),
        link=link,
        qr=None if alone(request) else qr(link),
        table=table,
        key=key,
        minutes=accounts.SOON // 60_000,
    )


def guessed(request: Asked, typed: str) -> str:
    """The code that somebody names; each counts as a guess.  Raises HttpRefusal 404, 429."""
    limits = limits_of(request)
    limits.take(limits.guessing, address(request))
    code = accounts.plain(typed)
    if code is None:
        raise HttpRefusal(404, NO_CODE)
    return code


@get("/me/take")
async def look(request: Asked, me: Me, code: FromQuery[str] = "") -> Response[bytes]:
    """What a code is good for; it is used up only by pressing the button there."""
    if not code:
        return page(request, "take.html", me, found=None)
    found = await read(request, partial(accounts.look, code=guessed(request, code)))
    if found is None:
        raise HttpRefusal(404, NO_CODE)
    store = registry_of(request).store
    own = me is not None and me.id == found.person
    left = await store.aside(mine, store, me.id) if me and not own else []
    return page(
        request,
        "take.html",
        me,
        found=found,
        own=own,
        table="" if found.game == EVERYWHERE else await store.aside(store.name_of, found.game),
        code=code[:40],
        device=accounts.guess(agent(request)),
        left=[table for table in left if not table.over and not table.older],
    )


@post("/me/take")
async def take(request: Asked, me: Me) -> Redirect:
    """Use a code up: from now on this device is also, or only, that person's."""
    person = person_of(me)
    form = await request.form()
    code = guessed(request, str(form.get("code", "")))
    device = accounts.fit_name(str(form.get("device", "")), agent(request))
    found = await read(request, partial(accounts.look, code=code))
    if found is None:
        raise HttpRefusal(404, NO_CODE)
    if found.game != EVERYWHERE:
        return await seat_taken(request, person, code, found, device)
    if found.person == person.id:
        raise HttpRefusal(409, "everything is on this device already")
    took = await changed(request, partial(accounts.take, code=code, device=device))
    if took is None:
        raise HttpRefusal(404, NO_CODE)
    answer = Redirect("/me", status_code=303)
    carry(request, answer, COOKIE, registry_of(request).signer.signed(took[1]))
    keep_name(request, answer, took[0].name)
    return answer


async def seat_taken(request: Asked, me: Person, code: str, found: Code, device: str) -> Redirect:
    """Take one seat to the asker's device, which stays who it is everywhere else."""
    registry = registry_of(request)
    key = await registry.store.aside(registry.store.key_of, found.game) or ""
    await registry.fetch(key)
    table = registry.table(key)
    if registry.keyring.person(me.key, table.id) == found.person:
        raise HttpRefusal(409, "this seat is on this device already")
    if table.now.seat_of(me.id) >= 0:
        raise HttpRefusal(409, "you have another seat at this table on this device")

    def taken(connection: sa.Connection, told: Tell) -> Code | None:
        used = accounts.use(connection, code)
        if used:
            own = Device(me.key, used.game, device, here())
            accounts.put(connection, told, used.person, own)
        return used

    if await changed(request, taken) is None:
        raise HttpRefusal(404, NO_CODE)
    return Redirect(f"/t/{key}", status_code=303)


@post("/me/end")
async def end(request: Asked, me: Me) -> Redirect:
    """Take a device away from oneself, at once and everywhere."""
    person = person_of(me)
    form = await request.form()
    limits_of(request).take(limits_of(request).opening, address(request))
    key, game = str(form.get("key", "")), str(form.get("game", ""))
    fits = DIGEST.fullmatch(key) and game.isdecimal() and len(game) < 10
    gone = partial(accounts.end, person=person.id, key=key, game=int(game) if fits else 0)
    if not fits or not await changed(request, gone):
        raise HttpRefusal(404, "this is no device of yours, or it was taken away already")
    answer = Redirect("/me", status_code=303)
    if (key, int(game)) == (person.key, EVERYWHERE):
        answer = Redirect("/", status_code=303)
        answer.delete_cookie(COOKIE)
    return answer


router = Router(
    "/",
    route_handlers=[
        me_page,
        rename,
        code_for_all,
        code_for_seat,
        look,
        take,
        end,
    ],
    dependencies={"me": Provide(asker)},
    include_in_schema=False,
)
