"""The table over HTTP, for the pages, for bots and for scripts."""

import asyncio
from functools import partial
from typing import Annotated, Literal

import msgspec
from litestar import Response, Router, get, post
from litestar.di import NamedDependency, Provide
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, FromQuery, JSONBody, Parameter
from litestar.response import Stream
from msgspec import Meta

from yegg import games as known
from yegg import players
from yegg.engine.earlier import stamp
from yegg.engine.notation import write
from yegg.engine.record import SIDES
from yegg.table.accounts.tokens import Person, digest, fresh
from yegg.table.domain.dice import heading
from yegg.table.domain.phrases import PHRASES
from yegg.table.domain.state import TableState
from yegg.table.http import actions, clock_forms
from yegg.table.http.bodies import GUEST, Joining, Salt, Word
from yegg.table.http.event_stream import Listener, stream
from yegg.table.http.name_rules import Name
from yegg.table.http.requests import (
    Asked,
    address,
    asker,
    asking,
    limits_of,
    once_drawn,
    registry_of,
)
from yegg.table.http.responses import DEAF, link, newest
from yegg.table.render.html_view import living
from yegg.table.render.json_view import TableView, as_json
from yegg.table.service.lobby import Listed
from yegg.table.service.older_rules import Older
from yegg.table.service.registry import Wish
from yegg.table.service.table import Table

Key = FromPath[
    Annotated[str, Parameter(pattern="^[A-Za-z0-9_-]{22}$", description="a table's key")]
]
Me = NamedDependency[Person | None]


class NewGame(msgspec.Struct, forbid_unknown_fields=True):
    """A table to be opened."""

    game: Word
    seats: Annotated[list[Word], Meta(min_length=1, max_length=SIDES)]
    """Each `open`, `me` or the name of a bot."""
    options: dict[str, str | int] = {}
    you: Name = GUEST
    odds: bool = True
    listed: bool = True
    shuffled: bool = False
    salt: Salt = ""
    """What you give to the dice, by a throw of your own."""
    clock: clock_forms.Asked = None
    """How much time everybody has; null: nobody is hurried."""


class Seated(msgspec.Struct):
    """A seat is yours: prove it with the token (`Authorization: Bearer …`)."""

    id: str
    link: str
    seat: int | None
    number: int
    token: str | None
    """None if you came with one, or with a cookie."""


class Token(msgspec.Struct):
    """What proves your seats: send it with each request (`Authorization: Bearer …`)."""

    token: str


class Why(msgspec.Struct):
    """Why it was refused; with 409 the current number, with 422 the clause and what is legal."""

    why: str
    number: int | None = None
    clause: str | None = None
    legal: list[str] | None = None
    seat: int | None = None
    after: int | None = None


class About(msgspec.Struct):
    """The games, and the bots that can play."""

    games: dict[str, dict[str, object]]
    bots: dict[str, str]
    phrases: list[str]
    """What people may say to one another at a table."""


def no(*statuses: int) -> dict[int, ResponseSpec]:
    """Document these refusals."""
    texts = {
        400: "Not understood",
        401: "Not your seat",
        403: "Forged",
        404: "No such table",
        409: "The game has gone on, or there is no place",
        410: "Begun under other rules, or its game is gone",
        413: "Too large",
        422: "Not possible",
        429: "Too much at once",
        503: "Not kept",
    }
    return {s: ResponseSpec(Why, description=texts[s], generate_examples=False) for s in statuses}


def newcomer(request: Asked, me: Person | None) -> tuple[str, str | None]:
    """The asker's id, and a new token if they came without one."""
    if me:
        return me.id, None
    token = fresh()
    return digest(token), registry_of(request).signer.signed(token)


@post("/tokens", responses=no(429))
async def hand_out(request: Asked) -> Token:
    """A token for whoever is about to sit down; with it, a lost answer costs no seat."""
    limits_of(request).take(limits_of(request).asking, address(request))
    return Token(registry_of(request).signer.signed(fresh()))


@post("/games", responses=no(400, 403, 413, 422, 429, 503))
async def create(request: Asked, data: JSONBody[NewGame], me: Me) -> Seated:
    """Open a table."""
    person, token = newcomer(request, me)
    wish = Wish(
        data.game,
        data.seats,
        actions.fit(data.you),
        {name: str(value) for name, value in data.options.items()},
        data.odds,
        data.listed,
        data.shuffled,
        salt=data.salt,
        clock=data.clock.terms() if data.clock else None,
    )
    table = await actions.open_table(asking(request, me), wish, person)
    seat = table.now.seat_of(person)
    number = table.now.seen[seat]
    return Seated(table.key, link(request, table), seat + 1 if seat >= 0 else None, number, token)


@get("/games/{key:str}", responses=no(400, 404, 410), raises=[])
async def look(request: Asked, key: Key, me: Me) -> Response[TableView]:
    """The table as you see it; with an ETag, so that asking again is cheap."""
    return newest(request, key, me, as_json, "application/json")


@post(
    "/games/{key:str}/join",
    status_code=200,
    responses=no(400, 403, 404, 409, 410, 413, 422, 429, 503),
)
async def join(request: Asked, key: Key, data: JSONBody[Joining], me: Me) -> Seated:
    """Take a free seat."""
    person, token = newcomer(request, me)
    table, seat = await actions.join(asking(request, me), key, data, person)
    return Seated(table.key, link(request, table), seat + 1, table.now.seen[seat], token)


@get("/games/{key:str}/events", responses=no(400, 404, 410, 429))
async def events(  # noqa: PLR0913, PLR0917  each stands in the address
    request: Asked,
    key: Key,
    me: Me,
    after: FromQuery[Annotated[int, Parameter(ge=-1, le=1_000_000)]] = -1,
    view: FromQuery[Literal["json", "html"]] = "json",
    pace: FromQuery[Annotated[float, Parameter(ge=0, le=1)]] = 1.0,
    phrases: FromQuery[bool] = False,  # noqa: FBT002  of the address
) -> Stream:
    """Server-sent events: your view, whenever there is a new one.  Resumable by Last-Event-ID.

    `pace` is how much of the time that bots take is for you: with 0 they do not wait for you.
    With `phrases` you also get what people say, as events of that name.
    """
    table = registry_of(request).table(key)
    limits, person = limits_of(request), me.id if me else None
    mine = (limits.of_address, address(request)), (limits.of_seat, f"{person}{key}")
    limits.take(limits.asking, address(request))
    for streams, who in mine[: 2 if table.now.seat_of(person) >= 0 else 1]:
        limits.take(streams, who)
    last = request.headers.get("last-event-id", "")
    number = int(last) if last.isdecimal() and len(last) < 9 else after
    draw = living if view == "html" else as_json
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    hears = (phrases or view == "html") and request.cookies.get(DEAF) != "yes"
    whose = partial(registry_of(request).keyring.person, me.key, table.id) if me else None
    deaf = partial(registry_of(request).guests.deaf, person)
    listener = Listener(person, draw, number, hears, pace, whose, deaf)
    content = stream(table, listener, *(streams.one(who) for streams, who in mine))
    return Stream(content, media_type="text/event-stream", headers=headers)


@get("/games/{key:str}/record", media_type="text/plain", responses=no(400, 404, 410, 429))
async def record(request: Asked, key: Key, me: Me) -> Response[str]:
    """The record of the game as you may see it."""
    once_drawn(request)
    table = registry_of(request).table(key)
    seat = table.now.seat_of(me.id if me else None)
    text = await asyncio.to_thread(record_of, table, table.now.fork(), seat)
    name = f'attachment; filename="{table.game.name}-{key[:8]}.game"'
    headers = {"Content-Disposition": name, "Cache-Control": "private, no-cache"}
    return Response(text, headers=headers)


def record_of(table: Table, position: TableState, seat: int) -> str:
    """The record of a table as a seat may know it."""
    dice = heading(table.dice, position)
    if isinstance(position, Older):
        return position.record(seat, [*dice, stamp(position.version)])
    then = stamp(position.match.game.version)
    return "\n".join([*dice, then, write(position.match, seat=seat)])


class Lobby(msgspec.Struct):
    """Tables that you may join or watch, and your own."""

    tables: list[Listed]
    mine: list[Listed]


@get("/lobby", responses=no(400, 429))
async def lobby(request: Asked, me: Me) -> Lobby:
    """Open tables, games to watch, and yours."""
    return Lobby(*await actions.lists(asking(request, me)))


class Awaited(msgspec.Struct):
    """What waits for you."""

    turns: list[Listed]


@get("/me", responses=no(400, 429))
async def turns(request: Asked, me: Me) -> Awaited:
    """The tables where it is your turn, the newest first."""
    return Awaited(await actions.awaited(asking(request, me)))


@get("/about")
async def about() -> About:
    """The games with their options and those bots that can play them, and all the bots."""
    return About(
        {
            name: {
                "title": game.title,
                "blurb": game.blurb,
                "players": list(game.players),
                "usual": game.usual,
                "minutes": game.minutes,
                "version": game.version,
                "bots": players.able(game, game.usual, game.defaults(game.usual)),
                "options": {
                    key: {"values": list(o.values), "says": o.says}
                    for key, o in game.options.items()
                },
            }
            for name, game in ((name, known.find(name)) for name in known.names())
        },
        {name: players.about(name) for name in players.names()},
        list(PHRASES),
    )


router = Router(
    "/api",
    route_handlers=[
        hand_out,
        create,
        look,
        join,
    ],
    dependencies={"me": Provide(asker)},
    tags=["table"],
)
views_router = Router(
    "/api",
    route_handlers=[
        events,
        record,
        lobby,
        turns,
        about,
    ],
    dependencies={"me": Provide(asker)},
    tags=["table"],
)
