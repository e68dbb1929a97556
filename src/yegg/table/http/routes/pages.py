"""The pages, drawn on the server; without scripts they work as plain forms."""

import asyncio
import re
from dataclasses import replace
from typing import Any

from litestar import Response, Router, get, post
from litestar.di import Provide
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect

from yegg import games, players
from yegg.engine import Game, Refused
from yegg.lessons import minutes
from yegg.table.http import actions, clock_forms, preferences_cookie
from yegg.table.http.bodies import Joining, seat_of
from yegg.table.http.lessons_cookie import MET, learned, lessons_of, note
from yegg.table.http.requests import Asked, asker, asking, once_drawn, registry_of
from yegg.table.http.responses import (
    DEAF,
    HTML,
    Past,
    carry,
    keep_name,
    newest,
    page,
    person_of,
    shown,
    to_table,
    tried,
)
from yegg.table.refusals import HttpRefusal
from yegg.table.render import html_view, renderers, rulebook, static_files, steps
from yegg.table.service.compiling import sorted_by_use
from yegg.table.service.registry import ME, Wish
from yegg.table.service.table import Table
from yegg.text.phrases import listing

from .api import Key, Me

NOTES = {
    "away": "you are on holiday: your time stands in your games with days a turn",
    "partly": "you are on holiday, but not in every game: some have fewer days of it left",
    "back": "you are back: your time runs again",
}
KEY = re.compile(r"[A-Za-z0-9_-]{22}")


@get("/")
async def lobby(
    request: Asked, me: Me, game: FromQuery[str] = "", note: FromQuery[str] = ""
) -> Response[bytes]:
    """The four games, a form for a new table, and all tables there are."""
    tables, mine = await actions.lists(asking(request, me))
    known = [games.find(name) for name in games.names()]
    chosen = next((g for g in known if g.name == game), known[0])
    return page(
        request,
        "lobby.html",
        me,
        games=known,
        chosen=chosen,
        bots=able(chosen),
        levels=preferences_cookie.levels(),
        level=preferences_cookie.level(request),
        defaults=chosen.defaults(chosen.usual),
        art={g.name: art for g in known if (art := renderers.template(g, "art.html"))},
        tables=tables,
        mine=mine,
        offer=registry_of(request).offer(),
        moment=registry_of(request).store.hours.now(),
        absent=chosen.part("absent") is not None,
        note=NOTES.get(note, ""),
        **taught(request, known),
    )


def taught(request: Asked, known: list[Game]) -> dict[str, Any]:
    """Each game's lessons, how long they take, and which of them the visitor has done."""
    there = {game.name: lessons_of(game) for game in known}
    done = learned(request)
    return {
        "taught": there,
        "minutes": {name: minutes(some) for name, some in there.items() if some},
        "learned": {
            name: done.get(name, set()) & {one.number for one in some}
            for name, some in there.items()
        },
    }


@post("/open")
async def create(request: Asked, me: Me) -> Response[bytes] | Redirect:
    """Open a table as the form says; ask for a name first, if there is none."""
    person = person_of(me)
    form = dict(await request.form())
    name, why = preferences_cookie.named(request, form)
    if not name:
        return preferences_cookie.ask(request, me, form, why)
    level = preferences_cookie.level(request, form)
    wish = quick(form, name, level) if "play" in form else wished(form, name)
    ticket = form["ticket"] if KEY.fullmatch(str(form.get("ticket", ""))) else ""
    wish = replace(wish, salt=preferences_cookie.salt(form), ticket=ticket)
    table = await actions.open_table(asking(request, me), wish, person.id)
    answer = to_table(request, table.key, name)
    if "level" in form:
        carry(request, answer, preferences_cookie.LEVEL, level)
    return answer


def able(game: Game) -> list[str]:
    """The bots that can play a game with its usual number of players and options."""
    return sorted_by_use(players.able(game, game.usual, game.defaults(game.usual)))


def quick(form: dict[str, Any], you: str, level: str) -> Wish:
    """A game by one click: the usual number of players, all others bots.  Raises Refused."""
    game = games.find(str(form["play"]))
    seats = [ME] + [level] * (game.usual - 1)
    return Wish(game.name, seats, you, listed=False, shuffled=True)


def wished(form: dict[str, Any], you: str) -> Wish:
    """A table as the form asks for it."""
    seats = [str(form[key]) for key in sorted(form) if re.fullmatch(r"seat\d", key) and form[key]]
    chosen = [key for key in form if key.startswith("opt-") and form[key]]
    options = {key[4:]: str(form[key]) for key in chosen}
    return Wish(
        str(form.get("game", "")),
        seats,
        you,
        options,
        odds="odds" in form,
        listed="listed" in form,
        shuffled="shuffled" in form,
        clock=clock_forms.of_form(form),
    )


@get("/t/{key:str}")
async def show_table(
    request: Asked,
    key: Key,
    me: Me,
    at: FromQuery[int | None] = None,
    part: FromQuery[int] = 0,
    eyes: FromQuery[str] = "",
) -> Response[bytes]:
    """A table as its visitor may see it; of a finished game any moment, and with others' eyes."""
    table = registry_of(request).table(key)
    past = Past(at, max(0, part), other_eyes(table, eyes))
    if past != Past():
        once_drawn(request)
    if table.now.over or table.now.seat_of(me.id if me else None) < 0:
        return shown(request, table, me, past=past)
    fresh = table.game.name not in learned(request)
    there = lessons_of(table.game) if fresh else []
    offered = minutes(there) if there else 0
    made = shown(request, table, me, offered=offered)
    note(request, made, table.game.name, MET)
    return made


def other_eyes(table: Table, eyes: str) -> int | None:
    """The seat, from 0, whose eyes are asked for; -1: all lies open.  Raises HttpRefusal."""
    if not eyes:
        return None
    if not table.now.over:
        raise HttpRefusal(409, "the game is not over yet: each seat sees what it may know")
    if not eyes.isdecimal() or len(eyes) > 2 or int(eyes) > len(table.now.seats):
        raise HttpRefusal(404, "there is no such seat")
    return int(eyes) - 1


@get("/t/{key:str}/now")
async def news(request: Asked, key: Key, me: Me) -> Response[bytes | None]:
    """The living part of a table's page, for browsers without a stream; cheap if it is the same."""
    return newest(request, key, me, html_view.living, HTML)


@get("/t/{key:str}/at/{events:int}")
async def moment(
    request: Asked,
    key: Key,
    events: FromPath[int],
    me: Me,
    part: FromQuery[int] = 0,
    eyes: FromQuery[str] = "",
) -> Response[bytes]:
    """The living part of a finished game's page, as it was after this many events.

    ``part``: so many parts of the next event are carried out.
    """
    table = registry_of(request).table(key)
    if not table.now.over:
        raise HttpRefusal(409, "the game is not over yet")
    once_drawn(request)
    seat = table.now.seat_of(me.id if me else None)
    at, seen_by = max(0, min(events, 100_000)), other_eyes(table, eyes)
    made = steps.moment(table, seat, at, max(0, part), seen_by)
    body = renderers.env(table.game).get_template("moment.html").render(made)
    return Response(body.encode(), media_type=HTML, headers={"Cache-Control": "no-store"})


@post("/t/{key:str}/join")
async def join(request: Asked, key: Key, me: Me) -> Response[bytes] | Redirect:
    """Sit down."""
    registry_of(request).table(key)  # raises if there is none
    person = person_of(me)
    form = dict(await request.form())
    name, why = preferences_cookie.named(request, form)
    if not name:
        return preferences_cookie.ask(request, me, form, why)
    joining = Joining(name, seat_of(form), preferences_cookie.salt(form))
    done = actions.join(asking(request, me), key, joining, person.id)
    return await tried(request, key, me, done) or to_table(request, key, name)


@post("/t/{key:str}/hear")
async def hear(request: Asked, key: Key, me: Me) -> Redirect:
    """Hear what others say at tables, or hear nothing of it, from now on."""
    person_of(me)
    hears = "hear" in await request.form()
    answer = to_table(request, key)
    carry(request, answer, DEAF, "no" if hears else "yes")
    return answer


@post("/new")
async def new(request: Asked, me: Me) -> Redirect:
    """Go to the form for a new table of a game, if one is named; remember the name typed."""
    person_of(me)
    form = dict(await request.form())
    game = "".join(c for c in str(form.get("game", "")) if c.isalnum() or c == "-")[:40]
    answer = Redirect(f"/?game={game}#new" if game else "/", status_code=303)
    keep_name(request, answer, preferences_cookie.named(request, form)[0])
    if "level" in form:
        carry(request, answer, preferences_cookie.LEVEL, preferences_cookie.level(request, form))
    return answer


@get("/rules/{name:str}")
async def rules(
    request: Asked,
    name: FromPath[str],
    me: Me,
    bare: FromQuery[bool] = False,  # noqa: FBT002  of the address
    now: FromQuery[str] = "",
) -> Response[bytes]:
    """The rules of a game, each clause with its anchor; ``now``: the clauses to begin with."""
    try:
        game = games.find(name)
    except Refused:
        known = listing([games.find(known).title for known in games.names()])
        raise HttpRefusal(
            404, f"there are no rules of that name; there are those of {known}"
        ) from None
    applying = await asyncio.to_thread(rulebook.applying, game, now[:200].split())
    what: dict[str, Any] = {"game": game, "rules": rulebook.whole(game), "applying": applying}
    if bare:
        body = renderers.env().get_template("rulebook.html").render(what)
        return Response(body.encode(), media_type=HTML)
    return page(request, "rules.html", me, papers=rulebook.sheets(game, game.usual), **what)


@get("/static/{path:path}")
async def files(request: Asked, path: FromPath[str]) -> Response[bytes]:
    """Style sheets, pictures, the script."""
    raw, packed, kind = static_files.find(path.lstrip("/"))
    headers = {"Cache-Control": "public, max-age=31536000, immutable", "Vary": "Accept-Encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(packed, media_type=kind, headers={**headers, "Content-Encoding": "gzip"})
    return Response(raw, media_type=kind, headers=headers)


router = Router(
    "/",
    route_handlers=[
        lobby,
        create,
        show_table,
        news,
        moment,
        join,
        hear,
        new,
        rules,
        files,
    ],
    dependencies={"me": Provide(asker)},
    include_in_schema=False,
)
