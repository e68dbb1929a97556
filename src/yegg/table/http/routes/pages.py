"""Routes of pages: the lobby, tables, rules, sheets of paper, records, static files."""

import asyncio
import re
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect

from yegg import games, players
from yegg.engine import Game, Refused
from yegg.lessons import minutes
from yegg.table.domain.watching import LATER
from yegg.table.http.cookies import (
    DEAF,
    LEVEL,
    MET,
    carry,
    keep_name,
    learned,
    lessons_of,
    level,
    levels,
    named,
    remember,
)
from yegg.table.http.form_answers import answer_for, see
from yegg.table.http.requests import Asked, Key, Visitor, Who
from yegg.table.http.responses import (
    HTML,
    NO_PAGE,
    WHOSE,
    Past,
    error_page,
    keepable,
    newest,
    page,
    render,
    shown,
    to_table,
)
from yegg.table.refusals import HttpRefusal
from yegg.table.render import html_view, renderers, rulebook, static_files, steps
from yegg.table.render.deals import invitation
from yegg.table.service import challenges, deals, own_games
from yegg.table.service.table import Table
from yegg.text.phrases import listing

from .api import lists, record_for, to_watch

NOTES = {
    "away": "you are on holiday: your time stands in your games with days a turn",
    "partly": "you are on holiday, but not in every game: some have fewer days of it left",
    "back": "you are back: your time runs again",
}
ASKS = re.compile(
    r"/open|/quick|/t/[\w-]{22}/(join|fork)|/evening(/[\w-]{22}/join)?|/(learn|puzzles)/[\w-]+/[\w-]+/play",
    re.ASCII,
)
"""Whatever takes a name with a form."""
GONE = "you were forgotten here: your name, your devices and your addresses are erased"


@get("/")
async def lobby(who: Who, game: FromQuery[str] = "", note: FromQuery[str] = "") -> Response[bytes]:
    """The four games, a form for a new table, and all tables there are."""
    tables, mine = await lists(who)
    over = await own_games.rows_of(who.store, who.person)
    finished = own_games.played(over, who.person or "")
    lately = await deals.lately(who.registry, who.person, over)
    known = [games.find(name) for name in games.names()]
    waiting = await who.store.aside(who.store.lanes_waiting)
    chosen = next((g for g in known if g.name == game), known[0])
    return page(
        who,
        "lobby.html",
        games=known,
        chosen=chosen,
        bots=able(chosen),
        levels=levels(),
        level=level(who),
        deal=invitation(lately, len(known)),
        even=own_games.even_matches(finished),
        house_rules=rulebook.house_rules(chosen),
        art={g.name: art for g in known if (art := renderers.template(g, "art.html"))},
        tables=tables,
        mine=mine,
        answered=await challenges.answered(who.store, who.person),
        watch=await to_watch(who),
        later=LATER,
        wanted={lane.partition(" ")[0] for lane in waiting},
        offer=who.registry.offer(),
        moment=who.store.hours.now(),
        absent=chosen.part("absent") is not None,
        note=NOTES.get(note, ""),
        **taught(who, known),
    )


def taught(who: Visitor, known: list[Game]) -> dict[str, Any]:
    """Each game's lessons, how long they take, and which of them the visitor has done."""
    lessons = {game.name: lessons_of(game) for game in known}
    done = learned(who)
    return {
        "taught": lessons,
        "minutes": {name: minutes(several) for name, several in lessons.items() if several},
        "learned": {
            name: done.get(name, set()) & {lesson.number for lesson in several}
            for name, several in lessons.items()
        },
    }


def able(game: Game) -> list[str]:
    """The bots that can play a game with its usual number of players and options."""
    return players.able(game, game.usual, game.defaults(game.usual))


@get("/t/{key:str}")
async def show_table(
    who: Who,
    key: Key,
    at: FromQuery[int | None] = None,
    part: FromQuery[int] = 0,
    eyes: FromQuery[str] = "",
) -> Response[bytes]:
    """A table as its visitor may see it; of a finished game any moment, and with others' eyes."""
    table = who.table(key)
    past = Past(at, max(0, part), other_eyes(table, eyes))
    if past != Past():
        who.draws_anew()
    if table.now.over or table.now.seat_of(who.person) < 0:
        return shown(who, table, past=past, said=answer_for(who))
    lessons = [] if table.game.name in learned(who) else lessons_of(table.game)
    response = shown(who, table, said=answer_for(who), offered=minutes(lessons) if lessons else 0)
    remember(who, response, table.game.name, MET)
    return response


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
async def news(who: Who, key: Key) -> Response[bytes | None]:
    """The living part of a table's page, for browsers without a stream; cheap if it is the same."""
    return newest(who, key, html_view.living, HTML)


@get("/t/{key:str}/at/{events:int}")
async def moment(
    who: Who,
    key: Key,
    events: FromPath[int],
    part: FromQuery[int] = 0,
    eyes: FromQuery[str] = "",
) -> Response[bytes]:
    """The living part of a finished game's page, as it was after this many events.

    ``part``: so many parts of the next event are carried out.
    """
    table = who.table(key)
    if not table.now.over:
        raise HttpRefusal(409, "the game is not over yet")
    who.draws_anew()
    seat = table.now.seat_of(who.person)
    at, seen_by = max(0, min(events, 100_000)), other_eyes(table, eyes)
    values = steps.moment(table.view(seat), at, max(0, part), seen_by)
    response = render("moment.html", table.game, **values)
    if seen_by is None:
        keepable(who, table, response)
    return response


@get("/name")
async def ask(who: Who, to: FromQuery[str] = "", you: FromQuery[str] = "") -> Response[bytes]:
    """Ask for the name that a form has lacked; it is sent again with it."""
    if not ASKS.fullmatch(to):
        raise HttpRefusal(404, NO_PAGE)
    rest = {key: str(value) for key, value in who.request.query_params.items()}
    why = named(who, {"you": you})[1]
    rest = {key: value for key, value in rest.items() if key not in ("to", "you")}
    response = page(who, "ask.html", rest=rest, to=to, why=why, you=you[:40])
    response.status_code = 422 if why else 200
    return response


@get(["/refused", "/t/{key:str}/refused"])
async def refusal(who: Who) -> Response[bytes] | Redirect:
    """Why a form was refused, if that was just now."""
    said = answer_for(who)
    if said is None:
        return see(who.request.url.path.removesuffix("refused").rstrip("/") or "/")
    return error_page(who.request, said, {})


@get("/forgotten")
async def forgotten() -> Response[bytes]:
    """The last page for somebody; it gives no cookie."""
    response = render("forgotten.html", note=GONE, csrf="")
    response.headers[WHOSE] = ""  # nobody's: what the browser has kept is gone
    return response


@post("/t/{key:str}/hear")
async def hear(who: Who, key: Key) -> Redirect:
    """Hear what others say at tables, or hear nothing of it, from now on."""
    who.sender()
    hears = "hear" in await who.request.form()
    response = to_table(who, key)
    carry(who, response, DEAF, "no" if hears else "yes")
    return response


@post("/new")
async def new(who: Who) -> Redirect:
    """Go to the form for a new table of a game, if one is named; remember the name typed."""
    who.sender()
    form = await who.request.form()
    game = "".join(c for c in str(form.get("game", "")) if c.isalnum() or c == "-")[:40]
    response = see(f"/?game={game}#new" if game else "/")
    keep_name(who, response, named(who, form)[0])
    if "level" in form:
        carry(who, response, LEVEL, level(who, form))
    return response


@get("/rules/{name:str}")
async def rules(
    who: Who,
    name: FromPath[str],
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
    what |= {"variants": rulebook.house_rules(game), "contents": rulebook.contents(game)}
    if bare:
        return render("rulebook.html", **what)
    return page(who, "rules.html", papers=rulebook.sheets(game, game.usual), **what)


@get("/print/{name:str}/{sheet:str}")
async def printed(
    who: Who,
    name: FromPath[str],
    sheet: FromPath[str],
    players: FromQuery[int] = 0,
) -> Response[bytes]:
    """A page of aid, or sheets to write on, for so many players and the options of a table."""
    if name not in games.names():
        raise HttpRefusal(404, "there is no game of that name")
    game = games.find(name)
    options = {key: value for key, value in who.request.query_params.items() if key in game.options}
    seats = players if players in game.seats(options) else game.usual_players(options)
    options = game.chosen(seats, options)
    sheets = rulebook.sheets(game, seats, options)
    others = [(rulebook.AID, "At a glance"), *((known, known.capitalize()) for known in sheets)]
    what: dict[str, Any] = {"game": game, "name": sheet, "players": seats, "options": options}
    what["papers"] = [(known, says) for known, says in others if known != sheet]
    what["asked"] = rulebook.asked(seats, options)
    if sheet == rulebook.AID:
        return page(who, "aid.html", **what, **rulebook.aid(game, seats, options))
    if sheet not in sheets:
        known = listing([rulebook.AID, *sheets])
        raise HttpRefusal(404, f"there is no such sheet of {game.title}; there are: {known}")
    what |= {"sheets": sheets[sheet], "numbers": game.seats(options)}
    return page(who, "sheets.html", **what)


@get("/t/{key:str}/record")
async def record(who: Who, key: Key) -> Response[bytes]:
    """The record of a game as its visitor may see it, to be read or printed."""
    table, text = await record_for(who, key)
    return page(who, "record.html", table=table, key=key, record=text)


@get("/static/{path:path}")
async def files(request: Asked, path: FromPath[str]) -> Response[bytes]:
    """Style sheets, pictures, the script."""
    raw, packed, kind = static_files.find(path.lstrip("/"))
    headers = {"Cache-Control": "public, max-age=31536000, immutable", "Vary": "Accept-Encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(packed, media_type=kind, headers={**headers, "Content-Encoding": "gzip"})
    return Response(raw, media_type=kind, headers=headers)
