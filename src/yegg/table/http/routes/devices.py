"""Routes of your own page: devices, transfer codes, and whom you have blocked."""

import re
from datetime import UTC, datetime
from functools import partial
from typing import Any

import sqlalchemy as sa
from litestar import Response, get, post
from litestar.params import FromQuery
from litestar.response import Redirect

from yegg.table.accounts import devices as accounts
from yegg.table.accounts.devices import Code, Device
from yegg.table.accounts.tokens import Person
from yegg.table.http.blocking import unblock
from yegg.table.http.bodies import number
from yegg.table.http.cookies import carry, keep_name, named
from yegg.table.http.form_answers import answer_for, see, told_at
from yegg.table.http.requests import COOKIE, Key, Visitor, Who
from yegg.table.http.responses import page
from yegg.table.refusals import HttpRefusal
from yegg.table.render.html_view import qr
from yegg.table.service import block_list
from yegg.table.service.table import Table
from yegg.table.storage.database import Tell
from yegg.table.storage.schema import EVERYWHERE, blocks
from yegg.table.storage.uptime import here

from .api import own_tables
from .notifications import offered

NO_CODE = (
    "this code is not good: it may be mistyped, used already, or older than ten minutes; "
    "ask for another one on the other device"
)
NOTES = {"confirm": "a letter is on its way: the link in it confirms your address"}
DIGEST = re.compile(r"[0-9a-f]{64}")


def agent(who: Visitor) -> str:
    """What the asker's browser says of itself."""
    return who.request.headers.get("user-agent", "")[:300]


@get("/me")
async def me_page(who: Who, note: FromQuery[str] = "") -> Response[bytes]:
    """Your page."""
    who.count(who.limits.asking)
    me, devices = who.me, list[dict[str, Any]]()
    for device in await who.store.query(partial(accounts.devices, person=me.id)) if me else []:
        devices.append(await described(who, device))
    said = answer_for(who)
    what = {"note": NOTES.get(note, ""), "why": said.why if said else ""}
    response = page(who, "me.html", devices=devices, **await offered(who), **what)
    response.status_code = said.status if said else 200
    return response


async def described(who: Visitor, device: Device) -> dict[str, Any]:
    """A device, for the page."""
    game = ""
    if device.game != EVERYWHERE:
        game = await who.store.aside(who.store.name_of, device.game)
    since = datetime.fromtimestamp(device.at / 1000, UTC).strftime("%Y-%m-%d") if device.at else ""
    here = who.me is not None and (who.me.key, EVERYWHERE) == (device.key, device.game)
    return {**device._asdict(), "table": game, "since": since, "here": here}


@post("/me/name")
async def rename(who: Who) -> Redirect:
    """Be called something else, from the next table on."""
    who.sender()
    name, why = named(who, await who.request.form())
    if why:
        return told_at(who.request, "/me", HttpRefusal(422, why))
    response = see("/me")
    keep_name(who, response, name)
    return response


@post("/me/code")
async def code_for_all(who: Who) -> Redirect:
    """A code for everything that is the asker's."""
    return await coded(who, EVERYWHERE)


@post("/t/{key:str}/code")
async def code_for_seat(who: Who, key: Key) -> Redirect:
    """A code for one seat.  Raises HttpRefusal 401 for somebody without a seat."""
    table, seat = who.seat(key)
    return await coded(who, table.id, table.now.seats[seat].name)


async def coded(who: Visitor, game: int, name: str = "") -> Redirect:
    """To the page with a fresh code."""
    me = who.sender()
    who.count(who.limits.opening)
    name, device = name or named(who, {})[0], accounts.guess(agent(who))

    def make(connection: sa.Connection, tell: Tell) -> str:
        accounts.note(connection, tell, me.id, me.key, device)
        return accounts.make(connection, Code(me.id, game, name))

    return see("/me/code", code=accounts.spelt(await who.change(make)))


@get("/me/code")
async def show_code(who: Who, code: FromQuery[str] = "") -> Response[bytes]:
    """A code of the asker's own, as long as it is good."""
    who.count(who.limits.asking)
    typed, found = accounts.plain(code), None
    if typed and who.me:
        found = await who.store.query(partial(accounts.look, code=typed))
    if typed is None or found is None or found.person != who.person:
        raise HttpRefusal(404, NO_CODE)
    key, table, code = "", "", accounts.spelt(typed)
    if found.game != EVERYWHERE:
        key, there = await table_of(who, found)
        table = f"{there.game.title} at {there.name}"
    link = f"{who.home}me/take?code={code}"
    return page(
        who,
        "code.html",
        code=code,
        link=link,
        qr=None if who.alone else qr(link),
        table=table,
        key=key,
        minutes=accounts.SOON // 60_000,
    )


def guessed(who: Visitor, typed: str) -> str:
    """The code that somebody names; each counts as a guess.  Raises HttpRefusal 404, 429."""
    who.count(who.limits.guessing)
    code = accounts.plain(typed)
    if code is None:
        raise HttpRefusal(404, NO_CODE)
    return code


@get("/me/take")
async def look(who: Who, code: FromQuery[str] = "") -> Response[bytes]:
    """What a code is good for; it is used up only by pressing the button there."""
    if not code:
        return page(who, "take.html", found=None)
    found = await who.store.query(partial(accounts.look, code=guessed(who, code)))
    if found is None:
        raise HttpRefusal(404, NO_CODE)
    own, name_of = who.person == found.person, who.store.name_of
    left = [] if own else await own_tables(who)
    return page(
        who,
        "take.html",
        found=found,
        own=own,
        table="" if found.game == EVERYWHERE else await who.store.aside(name_of, found.game),
        code=code[:40],
        device=accounts.guess(agent(who)),
        left=[table for table in left if not table.over and not table.older],
    )


@post("/me/take")
async def take(who: Who) -> Redirect:
    """Use a code up: from now on this device is also, or only, that person's."""
    person, form = who.sender(), await who.request.form()
    code = guessed(who, str(form.get("code", "")))
    device = accounts.fit_name(str(form.get("device", "")), agent(who))
    found = await who.store.query(partial(accounts.look, code=code))
    if found is None:
        raise HttpRefusal(404, NO_CODE)
    if found.game != EVERYWHERE:
        return await seat_taken(who, person, code, found, device)
    if found.person == person.id:
        raise HttpRefusal(409, "everything is on this device already")
    taken = await who.change(partial(accounts.take, code=code, device=device))
    if taken is None:
        raise HttpRefusal(404, NO_CODE)
    response = see("/me")
    carry(who, response, COOKIE, who.registry.signer.signed(taken[1]))
    keep_name(who, response, taken[0].name)
    return response


async def seat_taken(who: Visitor, me: Person, code: str, found: Code, device: str) -> Redirect:
    """Take one seat to the asker's device, which stays who it is everywhere else."""
    registry = who.registry
    key, table = await table_of(who, found)
    if registry.keyring.person(me.key, table.id) == found.person:
        raise HttpRefusal(409, "this seat is on this device already")
    if table.now.seat_of(me.id) >= 0:
        raise HttpRefusal(409, "you have another seat at this table on this device")

    def taken(connection: sa.Connection, tell: Tell) -> Code | None:
        used = accounts.use(connection, code)
        if used:
            own = Device(me.key, used.game, device, here())
            accounts.put(connection, tell, used.person, own)
        return used

    if await who.change(taken) is None:
        raise HttpRefusal(404, NO_CODE)
    return see(f"/t/{key}")


async def table_of(who: Visitor, found: Code) -> tuple[str, Table]:
    """The table to whose seat a code leads, and its key.  Raises HttpRefusal 404, 410."""
    key = await who.store.aside(who.store.key_of, found.game) or ""
    await who.registry.fetch(key)
    return key, who.table(key)


@post("/me/end")
async def end(who: Who) -> Redirect:
    """Take a device away from oneself, at once and everywhere."""
    person, form = who.sender(), await who.request.form()
    who.count(who.limits.opening)
    key, game = str(form.get("key", "")), number(form, "game", 9)
    gone = partial(accounts.end, person=person.id, key=key, game=game or 0)
    if game is None or not DIGEST.fullmatch(key) or not await who.change(gone):
        raise HttpRefusal(404, "this is no device of yours, or it was taken away already")
    if (key, game) != (person.key, EVERYWHERE):
        return see("/me")
    response = see("/")
    response.delete_cookie(COOKIE)
    return response


@get("/me/guests")
async def guests_page(who: Who) -> Response[bytes]:
    """Whom you have blocked, and what can be erased."""
    who.count(who.limits.asking)
    blocked = await who.store.query(lambda c: block_list.blocked(c, who.person or ""))
    return page(who, "guests.html", blocked=blocked)


@post("/me/unblock")
async def unblock_page(who: Who) -> Redirect:
    """Let somebody meet you again."""
    which, me = number(await who.request.form(), "which", 9) or 0, who.sender()
    who.count(who.limits.opening)
    await unblock(who, me.id, blocks.c.id == which)
    return see("/me/guests")
