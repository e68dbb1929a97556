"""What people do when a game is over: play again together, or go on from one of its positions."""

import msgspec
from litestar import Response, Router, post
from litestar.di import Provide
from litestar.params import JSONBody
from litestar.response import Redirect

from yegg.table.http import actions, preferences_cookie
from yegg.table.http.bodies import GoOn, Salt, seat_of
from yegg.table.http.requests import Asked, asker, asking, registry_of
from yegg.table.http.responses import link, person_of, to_table, tried
from yegg.table.service.registry import Registry
from yegg.table.service.table import Table

from .api import Key, Me, Seated, newcomer, no


class Again(msgspec.Struct, forbid_unknown_fields=True):
    """How somebody would like to play again."""

    salt: Salt = ""
    """What you give to the dice."""


def seated(request: Asked, table: Table, person: str, token: str | None) -> Seated:
    """The answer to somebody who sits at a table now."""
    seat = table.now.seat_of(person)
    return Seated(table.key, link(request, table), seat + 1, table.now.seen[seat], token)


@post(
    "/games/{key:str}/again",
    status_code=200,
    responses=no(400, 401, 403, 404, 409, 410, 413, 422, 429, 503),
)
async def again(request: Asked, key: Key, me: Me, data: JSONBody[Again | None] = None) -> Seated:
    """Set the table again once the game is over, or sit down where somebody has done so."""
    salt = data.salt if data else ""
    table = await actions.rematch(asking(request, me), key, salt)
    return seated(request, table, me.id if me else "", None)


@post(
    "/games/{key:str}/fork",
    status_code=200,
    responses=no(400, 403, 404, 409, 410, 413, 422, 429, 503),
)
async def fork(request: Asked, key: Key, data: JSONBody[GoOn], me: Me) -> Seated:
    """Go on from any position of a finished game, at a table of its own, with bots."""
    person, token = newcomer(request, me)
    table = await actions.go_on(asking(request, me), key, data, person)
    return seated(request, table, person, token)


@post("/t/{key:str}/again")
async def again_page(request: Asked, key: Key, me: Me) -> Redirect:
    """Set the table again, or sit down where somebody has done so, by a plain form."""
    person_of(me)
    salt = preferences_cookie.salt(dict(await request.form()))
    table = await actions.rematch(asking(request, me), key, salt)
    return to_table(request, table.key)


@post("/t/{key:str}/fork")
async def fork_page(request: Asked, key: Key, me: Me) -> Response[bytes] | Redirect:
    """Go on from a position of a finished game, by a plain form."""
    person = person_of(me)
    form = dict(await request.form())
    name, why = named(registry_of(request), key, person.id), ""
    if not name:
        name, why = preferences_cookie.named(request, form)
    if not name:
        return preferences_cookie.ask(request, me, form, why)
    at = str(form.get("at", ""))
    events = int(at) if at.isdecimal() and len(at) < 8 else 0
    level, salt = preferences_cookie.level(request), preferences_cookie.salt(form)
    wanted = GoOn(events, level, seat_of(form), name, salt)
    opened: list[Table] = []

    async def act() -> None:
        opened.append(await actions.go_on(asking(request, me), key, wanted, person.id))

    return await tried(request, key, me, act()) or to_table(request, opened[0].key, name)


def named(registry: Registry, key: str, person: str) -> str:
    """What somebody was called at a table; "" if they had no seat."""
    now = registry.table(key).now
    seat = now.seat_of(person)
    return now.seats[seat].name if seat >= 0 else ""


api_router = Router(
    "/api",
    route_handlers=[again, fork],
    dependencies={"me": Provide(asker)},
    tags=["table"],
)
pages_router = Router(
    "/",
    route_handlers=[again_page, fork_page],
    dependencies={"me": Provide(asker)},
    include_in_schema=False,
)
