"""Routes of the API: tables, event streams, records, the lobby, games and bots."""

import asyncio
from functools import partial
from typing import Annotated, Literal

import msgspec
from litestar import Response, get, post
from litestar.params import FromQuery, Parameter
from litestar.response import Stream

from yegg import games as known
from yegg import players
from yegg.engine.earlier import stamp
from yegg.engine.notation import write
from yegg.table.accounts.tokens import new_token
from yegg.table.domain.dice import heading
from yegg.table.domain.phrases_and_emotes import EMOTES, PHRASES
from yegg.table.domain.state import TableState
from yegg.table.http.cookies import DEAF
from yegg.table.http.event_stream import Listener, stream
from yegg.table.http.openapi import no
from yegg.table.http.requests import Asked, Key, Visitor, Who
from yegg.table.http.responses import newest
from yegg.table.render.html_view import living
from yegg.table.render.json_view import TableJson, as_json
from yegg.table.service.best_game import BestGame, Watchable
from yegg.table.service.challenges import still_shown
from yegg.table.service.lobby import Listed, listed, mine
from yegg.table.service.older_rules import Older
from yegg.table.service.table import Table

AFTER = "The number of the newest event that you know of: the stream goes on after it."
VIEW = "How the table is drawn: as JSON, or as the living part of its page."
PACE = "Where only bots play: how much of the time that they take is for you; 0: they do not wait."
HEARS = "Whether you also get what people say, as events `phrase`."


class Token(msgspec.Struct):
    """What proves your seats: send it with each request (`Authorization: Bearer …`)."""

    token: str
    """It is kept nowhere but with you, and holds for all tables where you sit down with it."""


class About(msgspec.Struct):
    """The games, and the bots that can play."""

    games: dict[str, dict[str, object]]
    """By name: `title`, `blurb`, numbers of `players`, the `usual` one, `minutes`, `version` of the
    rules, the `bots` that can play it, its `options`, each with its `values` and what it `says`.
    """
    bots: dict[str, str]
    """By name: how each bot plays, in words."""
    phrases: list[str]
    """What people may say to one another at a table."""
    emotes: list[str]
    """What they may do where people play with people only; numbered on from the phrases."""


@post("/tokens", responses=no(429))
async def hand_out(request: Asked) -> Token:
    """A token for whoever is about to sit down; with it, a lost answer costs no seat."""
    who = Visitor(request)
    who.count(who.limits.asking)
    return Token(who.registry.signer.signed(new_token()))


@get("/games/{key:str}", responses=no(400, 403, 404, 410), raises=[])
async def look(who: Who, key: Key) -> Response[TableJson]:
    """The table as you see it; with an ETag, so that asking again is cheap."""
    return newest(who, key, as_json, "application/json")


@get("/games/{key:str}/events", responses=no(400, 403, 404, 410, 429))
async def events(
    who: Who,
    key: Key,
    after: FromQuery[Annotated[int, Parameter(ge=-1, le=1_000_000, description=AFTER)]] = -1,
    view: FromQuery[Annotated[Literal["json", "html"], Parameter(description=VIEW)]] = "json",
    pace: FromQuery[Annotated[float, Parameter(ge=0, le=1, description=PACE)]] = 1.0,
    phrases: FromQuery[Annotated[bool, Parameter(description=HEARS)]] = False,  # noqa: FBT002
) -> Stream:
    """Server-sent events: your view, whenever there is a new one.  Resumable by Last-Event-ID.

    An event `view` holds the table as you see it; its `id` is the number of the newest event that
    you then know of.  An event `phrase` holds what somebody says: `seat`, from 1, `name` and
    `text`; with a `sign` it is an emote, and `text` says what they do.  An event `beat` comes every
    15 seconds, without data.
    """
    table, limits, registry, person = who.table(key), who.limits, who.registry, who.person
    counted = (limits.of_address, who.address), (limits.of_seat, f"{person}{key}")
    who.count(limits.asking)
    for limit, owner in counted[: 2 if table.now.seat_of(person) >= 0 else 1]:
        who.count(limit, owner)
    last = who.request.headers.get("last-event-id", "")
    if last.isdecimal() and len(last) < 9:  # a closure of the house gives back time
        after = -1 if table.now.clock else int(last)
    draw = living if view == "html" else as_json
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    hears = (phrases or view == "html") and who.request.cookies.get(DEAF) != "yes"
    whose = partial(registry.keyring.person, who.me.key, table.id) if who.me else None
    deaf, shows = partial(registry.guests.deaf, person), partial(still_shown, registry)
    listener = Listener(person, draw, after, hears, pace, whose, deaf, shows)
    content = stream(table, listener, *(limit.one(owner) for limit, owner in counted))
    return Stream(content, media_type="text/event-stream", headers=headers)


@get("/games/{key:str}/record", media_type="text/plain", responses=no(400, 403, 404, 410, 429))
async def record(who: Who, key: Key) -> Response[str]:
    """The record of the game as you may see it."""
    table, text = await record_for(who, key)
    name = f'attachment; filename="{table.game.name}-{key[:8]}.game"'
    headers = {"Content-Disposition": name, "Cache-Control": "private, no-cache"}
    return Response(text, headers=headers)


async def record_for(who: Visitor, key: str) -> tuple[Table, str]:
    """A table and its record, as the visitor may see it.  Raises HttpRefusal."""
    who.draws_anew()
    table = who.table(key)
    seat = table.now.seat_of(who.person)
    return table, await asyncio.to_thread(record_of, table, table.now.fork(), seat)


def record_of(table: Table, position: TableState, seat: int) -> str:
    """The record of a table as a seat may know it."""
    deal, now = table.deal, table.moment()
    dice = deal.lines(now, position) if deal else heading(table.dice, position)
    if isinstance(position, Older):
        return position.record(seat, [*dice, stamp(position.version)])
    then = stamp(position.match.game.version)
    return "\n".join([*dice, then, write(position.match, seat=seat)])


class Lobby(msgspec.Struct):
    """Tables that you may join or watch, and your own."""

    tables: list[Listed]
    """Tables that have not ended, those with a free seat first."""
    mine: list[Listed]
    """Where you have a seat: first those that wait for you."""
    watch: Watchable | None
    """The best game in progress that everybody may watch; null if there is none."""


@get("/lobby", responses=no(400, 429))
async def lobby(who: Who) -> Lobby:
    """Open tables, games to watch, and yours."""
    return Lobby(*await lists(who), await to_watch(who))


async def to_watch(who: Visitor) -> Watchable | None:
    """The best game in progress that everybody may watch, but for the visitor's own."""
    best_game: BestGame = who.request.app.state.best_game
    return await best_game.found(who.person, partial(who.registry.guests.minds, who.person))


async def lists(who: Visitor) -> tuple[list[Listed], list[Listed]]:
    """The tables to join or to watch, and the asker's own."""
    who.count(who.limits.asking)
    minds = partial(who.registry.guests.minds, who.person)
    opened_by = who.registry.opened_by
    return await who.store.aside(listed, who.store, minds, opened_by), await own_tables(who)


async def own_tables(who: Visitor) -> list[Listed]:
    """The tables where the visitor has a seat."""
    return await who.store.aside(mine, who.store, who.me.id) if who.me else []


class Awaited(msgspec.Struct):
    """What waits for you."""

    turns: list[Listed]
    """The most urgent first: the one whose time is up first."""


@get("/me", responses=no(400, 429))
async def turns(who: Who) -> Awaited:
    """The tables where it is your turn, the most urgent first."""
    who.count(who.limits.asking)
    own = await own_tables(who)
    return Awaited([table for table in own if table.your_turn and not table.over])


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
        list(EMOTES),
    )
