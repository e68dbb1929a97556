"""Pages for paper: an aid for each game, sheets to write on, and the record of a game."""

import asyncio
from typing import Any

from litestar import Response, Router, get
from litestar.di import Provide
from litestar.params import FromPath, FromQuery

from yegg import games
from yegg.table.http.requests import Asked, asker, once_drawn, registry_of
from yegg.table.http.responses import page
from yegg.table.refusals import HttpRefusal
from yegg.table.render import rulebook
from yegg.text.phrases import listing

from .api import Key, Me, record_of


@get("/print/{name:str}/{sheet:str}")
async def printed(
    request: Asked,
    name: FromPath[str],
    sheet: FromPath[str],
    me: Me,
    players: FromQuery[int] = 0,
) -> Response[bytes]:
    """A page of aid, or sheets to write on, for so many players and the options of a table."""
    if name not in games.names():
        raise HttpRefusal(404, "there is no game of that name")
    game = games.find(name)
    options = {key: value for key, value in request.query_params.items() if key in game.options}
    seats = players if players in game.seats(options) else game.usual_players(options)
    options = game.chosen(seats, options)
    there = rulebook.sheets(game, seats, options)
    others = [(rulebook.AID, "At a glance"), *((known, known.capitalize()) for known in there)]
    what: dict[str, Any] = {"game": game, "name": sheet, "players": seats, "options": options}
    what["papers"] = [(known, says) for known, says in others if known != sheet]
    what["asked"] = rulebook.asked(seats, options)
    if sheet == rulebook.AID:
        return page(request, "aid.html", me, **what, **rulebook.aid(game, seats, options))
    if sheet not in there:
        known = listing([rulebook.AID, *there])
        raise HttpRefusal(404, f"there is no such sheet of {game.title}; there are: {known}")
    what |= {"sheets": there[sheet], "numbers": game.seats(options)}
    return page(request, "sheets.html", me, **what)


@get("/t/{key:str}/record")
async def record(request: Asked, key: Key, me: Me) -> Response[bytes]:
    """The record of a game as its visitor may see it, to be read or printed."""
    once_drawn(request)
    table = registry_of(request).table(key)
    seat = table.now.seat_of(me.id if me else None)
    text = await asyncio.to_thread(record_of, table, table.now.fork(), seat)
    return page(request, "record.html", me, table=table, key=key, record=text)


router = Router(
    "/",
    route_handlers=[printed, record],
    dependencies={"me": Provide(asker)},
    include_in_schema=False,
)
