"""Going on holiday: somebody's time stands at all tables that have days a turn."""

from typing import Annotated

import msgspec
from litestar import Router, post
from litestar.di import Provide
from litestar.params import JSONBody
from litestar.response import Redirect
from msgspec import Meta

from yegg.table.http.actions import Asker
from yegg.table.http.requests import Asked, asker, asking
from yegg.table.http.responses import person_of
from yegg.table.refusals import HttpRefusal
from yegg.table.service import timekeeper
from yegg.table.service.lobby import of_days
from yegg.table.storage.store import Unread

from .api import Me, no


class Holiday(msgspec.Struct, forbid_unknown_fields=True):
    """For how many days you are away, in all your games with days a turn; 0: you are back."""

    days: Annotated[int, Meta(ge=0, le=timekeeper.LONGEST)]


class NotThere(msgspec.Struct):
    """A table where your time does not stand, and why."""

    id: str
    why: str


class Standing(msgspec.Struct):
    """Where your time stands now; after 0 days: where it runs again."""

    tables: list[str]
    refused: list[NotThere]


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
                await timekeeper.leave_for(table, seat, days, person)
                made.tables.append(key)
        except (HttpRefusal, Unread) as error:
            made.refused.append(NotThere(key, getattr(error, "why", "it could not be saved")))
    return made


@post("/me/holiday", status_code=200, responses=no(400, 401, 403, 413, 429, 503))
async def holiday_json(request: Asked, data: JSONBody[Holiday], me: Me) -> Standing:
    """Go on holiday: your time stands in all your games with days a turn."""
    who = asking(request, me)
    await who.sat_down()
    return await holiday(who, data.days)


@post("/holiday")
async def holiday_page(request: Asked, me: Me) -> Redirect:
    """Go on holiday, or be back, by the form in the lobby."""
    person_of(me)
    said = str((await request.form()).get("days", ""))
    days = int(said) if said.isascii() and said.isdecimal() and len(said) < 4 else -1
    if not 0 <= days <= timekeeper.LONGEST:
        raise HttpRefusal(422, f"a holiday has 1 to {timekeeper.LONGEST} days")
    made = await holiday(asking(request, me), days)
    if made.refused and not made.tables:
        raise HttpRefusal(409, made.refused[0].why)
    note = "back" if not days else "partly" if made.refused else "away"
    return Redirect(f"/?note={note}#my", status_code=303)


api_router = Router(
    "/api",
    route_handlers=[holiday_json],
    dependencies={"me": Provide(asker)},
    tags=["table"],
)
pages_router = Router(
    "/",
    route_handlers=[holiday_page],
    dependencies={"me": Provide(asker)},
    include_in_schema=False,
)
