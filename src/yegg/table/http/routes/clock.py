"""Time at a table: pausing, giving time to another, going on holiday."""

from typing import Annotated

import msgspec
from litestar import Response, Router, post
from litestar.di import Provide
from litestar.params import JSONBody
from litestar.response import Redirect
from msgspec import Meta

from yegg.engine.record import SIDES
from yegg.table.http.actions import Asker
from yegg.table.http.requests import Asked, asker, asking
from yegg.table.http.responses import person_of, to_table, tried
from yegg.table.refusals import HttpRefusal
from yegg.table.service import clock_actions
from yegg.table.service.lobby import of_days
from yegg.table.storage.store import Unread

from .api import Kept, Key, Me, no
from .pages import seat_in


class Pause(msgspec.Struct, forbid_unknown_fields=True):
    """Whether you would like a pause; false ends one, or declines it."""

    pause: bool


class Given(msgspec.Struct, forbid_unknown_fields=True):
    """To whom you give the time of one more turn."""

    seat: Annotated[int, Meta(ge=1, le=SIDES)]


class Holiday(msgspec.Struct, forbid_unknown_fields=True):
    """For how many days you are away, in all your games with days a turn; 0: you are back."""

    days: Annotated[int, Meta(ge=0, le=clock_actions.LONGEST)]


class NotThere(msgspec.Struct):
    """A table where your time does not stand, and why."""

    id: str
    why: str


class Standing(msgspec.Struct):
    """Where your time stands now; after 0 days: where it runs again."""

    tables: list[str]
    refused: list[NotThere]


async def pause(who: Asker, key: str, *, wanted: bool) -> int:
    """Ask for a pause or agree to one; or want none, or end it."""
    table, seat = who.to_arrange(key)
    await (clock_actions.pause if wanted else clock_actions.go_on)(table, seat, who.person)
    return table.now.seen[seat]


async def give(who: Asker, key: str, to: int) -> int:
    """Give somebody the time of one more turn."""
    table, seat = who.to_arrange(key)
    await clock_actions.give(table, seat, to, who.person)
    return table.now.seen[seat]


async def holiday(who: Asker, days: int) -> Standing:
    """Be away for some days, or be back, at all tables of the asker that have days a turn."""
    who.limits.take(who.limits.opening, who.address)
    store, registry, person = who.registry.store, who.registry, person_of(who.me).id
    made = Standing([], [])
    for key in await store.aside(of_days, store, person):
        try:
            await registry.fetch(key)
            table = registry.table(key)
            seat = table.seat_of(person)
            if seat >= 0 and not table.now.over:
                await clock_actions.leave_for(table, seat, days, person)
                made.tables.append(key)
        except (HttpRefusal, Unread) as error:
            made.refused.append(NotThere(key, getattr(error, "why", "it could not be saved")))
    return made


@post(
    "/games/{key:str}/pause",
    status_code=200,
    responses=no(400, 401, 403, 404, 409, 410, 413, 429, 503),
)
async def pause_json(request: Asked, key: Key, data: JSONBody[Pause], me: Me) -> Kept:
    """Ask for a pause; once everybody has agreed, all time stands until somebody ends it."""
    return Kept(await pause(asking(request, me), key, wanted=data.pause))


@post(
    "/games/{key:str}/time",
    status_code=200,
    responses=no(400, 401, 403, 404, 409, 410, 413, 429, 503),
)
async def give_json(request: Asked, key: Key, data: JSONBody[Given], me: Me) -> Kept:
    """Give somebody else the time of one more turn."""
    return Kept(await give(asking(request, me), key, data.seat - 1))


@post("/me/holiday", status_code=200, responses=no(400, 401, 403, 413, 429, 503))
async def holiday_json(request: Asked, data: JSONBody[Holiday], me: Me) -> Standing:
    """Go on holiday: your time stands in all your games with days a turn."""
    who = asking(request, me)
    await who.sat_down()
    return await holiday(who, data.days)


@post("/t/{key:str}/pause")
async def pause_page(request: Asked, key: Key, me: Me) -> Response[bytes] | Redirect:
    """Ask for a pause, agree, decline or end it, by a plain form."""
    wanted = str((await request.form()).get("pause", "")) == "yes"
    done = pause(asking(request, me), key, wanted=wanted)
    return await tried(request, key, me, done) or to_table(request, key)


@post("/t/{key:str}/time")
async def give_page(request: Asked, key: Key, me: Me) -> Response[bytes] | Redirect:
    """Give somebody else time, by a plain form."""
    seat = seat_in(dict(await request.form()))
    done = give(asking(request, me), key, -1 if seat is None else seat)
    return await tried(request, key, me, done) or to_table(request, key)


@post("/holiday")
async def holiday_page(request: Asked, me: Me) -> Redirect:
    """Go on holiday, or be back, by the form in the lobby."""
    person_of(me)
    said = str((await request.form()).get("days", ""))
    days = int(said) if said.isascii() and said.isdecimal() and len(said) < 4 else -1
    if not 0 <= days <= clock_actions.LONGEST:
        raise HttpRefusal(422, f"a holiday has 1 to {clock_actions.LONGEST} days")
    made = await holiday(asking(request, me), days)
    if made.refused and not made.tables:
        raise HttpRefusal(409, made.refused[0].why)
    note = "back" if not days else "partly" if made.refused else "away"
    return Redirect(f"/?note={note}#my", status_code=303)


api_router = Router(
    "/api",
    route_handlers=[pause_json, give_json, holiday_json],
    dependencies={"me": Provide(asker)},
    tags=["table"],
)
pages_router = Router(
    "/",
    route_handlers=[pause_page, give_page, holiday_page],
    dependencies={"me": Provide(asker)},
    include_in_schema=False,
)
