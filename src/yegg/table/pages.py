"""The pages, drawn here on the server; they work as plain forms where no script runs."""

import re
from functools import cache
from typing import Any
from urllib.parse import quote, unquote

from litestar import Response, Router, get, post
from litestar.di import Provide
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect
from markdown_it import MarkdownIt
from markupsafe import Markup

from yegg import games, players
from yegg.engine import Game, Refused
from yegg.engine.prose import listing

from . import faces, scenes, seating, static
from .api import Key, Me, link, seat_of
from .door import COOKIE, Asked, address, alone, asker, house_of, limits_of
from .house import ME, OPEN, Wish
from .lobby import listed, mine
from .people import Person, digest, fresh
from .refusals import Refusal
from .rooms import Room
from .warmth import sorted_by_use

NAME = "yegg-name"
YEAR = 365 * 86400
MOST = 40  # choices in a row
CLAUSE = re.compile(r"<li>(\s*(?:<p>)?)<strong>([A-Z]{2}-\d+)</strong>")
HTML = "text/html"


def as_html(room: Room, seat: int) -> bytes:
    """The living part of a table's page, as a seat sees it."""
    made = scenes.now(room, seat)
    return faces.env().get_template("living.html").render(made).encode()


def page(request: Asked, template: str, me: Person | None, **what: Any) -> Response[bytes]:
    """A page for somebody; whoever is new gets a cookie."""
    house = house_of(request)
    token = me.token if me and me.by_cookie else fresh()
    what.setdefault("you", you(request))
    body = faces.env().get_template(template).render(csrf=house.signer.csrf(digest(token)), **what)
    response = Response(body.encode(), media_type=HTML, headers={"Cache-Control": "no-store"})
    if me is None:
        carry(request, response, COOKIE, house.signer.cookie(token))
    return response


def carry(request: Asked, response: Response[Any], key: str, value: str) -> None:
    """Let the browser keep something."""
    secure = request.app.state.settings.secure
    response.set_cookie(key, value, max_age=YEAR, httponly=True, samesite="lax", secure=secure)


def you(request: Asked) -> str:
    """What the browser's owner is called."""
    return unquote(request.cookies.get(NAME, ""))[:40]


def to_table(request: Asked, key: str, name: str | None = None) -> Redirect:
    """Back to the table; once the game has begun, with the turn in sight."""
    begun = house_of(request).room(key).now.begun
    answer = Redirect(f"/t/{key}{'#now' if begun else ''}", status_code=303)
    keep_name(request, answer, name)
    return answer


def keep_name(request: Asked, answer: Response[Any], name: str | None) -> None:
    """Let the browser remember what its owner is called."""
    if name:
        carry(request, answer, NAME, quote(name))


def person_of(me: Person | None) -> Person:
    """Who sends a form.  Raises Refusal 403: without our cookie there is no form of ours."""
    if me is None:
        raise Refusal(
            403, "your browser sent no cookie: allow cookies here, and load the page again"
        )
    return me


@get("/")
async def lobby(request: Asked, me: Me, game: FromQuery[str] = "") -> Response[bytes]:
    """The four games, a form for a new table, and all tables there are."""
    limits_of(request).take(limits_of(request).asking, address(request))
    house = house_of(request)
    known = [games.find(name) for name in games.names()]
    chosen = next((g for g in known if g.name == game), known[0])
    return page(
        request,
        "lobby.html",
        me,
        games=known,
        chosen=chosen,
        bots=able(chosen),
        levels=seating.levels(),
        level=seating.level(request),
        defaults=chosen.defaults(chosen.usual),
        art={g.name: art for g in known if (art := faces.template(g, "art.html"))},
        tables=listed(house.store),
        mine=mine(house.store, me.id) if me else [],
    )


@post("/open")
async def create(request: Asked, me: Me) -> Response[bytes] | Redirect:
    """Open a table as the form says; ask for a name first, if there is none."""
    limits_of(request).take(limits_of(request).opening, address(request))
    person = person_of(me)
    form = dict(await request.form())
    name, why = seating.named(request, form)
    if not name:
        return seating.ask(request, me, form, why)
    level = seating.level(request, form)
    wish = quick(form, name, level) if "play" in form else wished(form, name)
    room = await house_of(request).open(wish, person.id)
    answer = to_table(request, room.key, name)
    if "level" in form:
        carry(request, answer, seating.LEVEL, level)
    return answer


def able(game: Game) -> list[str]:
    """The bots that can play a game as it usually is played."""
    return sorted_by_use(players.able(game, game.usual, game.defaults(game.usual)))


def quick(form: dict[str, Any], you: str, level: str) -> Wish:
    """One click: the usual number of players, all the others bots of a level."""
    try:
        game = games.find(str(form["play"]))
    except Refused as error:
        raise Refusal(422, str(error)) from None
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
    )


@get("/t/{key:str}")
async def table(
    request: Asked, key: Key, me: Me, at: FromQuery[int | None] = None
) -> Response[bytes]:
    """A table as its visitor may see it."""
    room = house_of(request).room(key)
    return shown(request, room, me, at=at)


def shown(
    request: Asked,
    room: Room,
    me: Person | None,
    *,
    at: int | None = None,
    said: Refusal | None = None,
) -> Response[bytes]:
    """A table's page, perhaps with what was wrong about the last wish."""
    seat = room.seat_of(me.id if me else None)
    made = scenes.now(room, seat)
    if room.now.over and at is not None:
        made = {**scenes.then(room, seat, max(0, min(at, len(room.now.match.history))))}
        made["t"].update(
            result=scenes.result(room),
            number=room.now.seen[seat],
            title=scenes.title(room, seat),
        )
    made["t"].update(link=link(request, room), alone=alone(request))
    answer = page(
        request,
        "table.html",
        me,
        **made,
        bots=sorted_by_use(room.able()),
        sheets=static.sheets(room.game.name),
        qr=scenes.qr(link(request, room)) if not room.now.begun else None,
        said=said,
    )
    if said:
        answer.status_code = said.status
    return answer


@get("/t/{key:str}/now")
async def news(request: Asked, key: Key, me: Me) -> Response[bytes | None]:
    """The living part of a table's page, for whoever gets no stream; again it is cheap."""
    limits_of(request).take(limits_of(request).asking, address(request))
    room = house_of(request).room(key)
    seat = room.seat_of(me.id if me else None)
    tag = f'"{room.now.seen[seat]}.{seat}.{room.edition}"'
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    if request.headers.get("if-none-match") == tag:
        return Response(None, status_code=304, headers=headers)
    return Response(room.view(as_html, seat), media_type=HTML, headers=headers)


@get("/t/{key:str}/at/{events:int}")
async def moment(request: Asked, key: Key, events: FromPath[int], me: Me) -> Response[bytes]:
    """The living part of a finished game's page, as it was after so many events."""
    room = house_of(request).room(key)
    if not room.now.over:
        raise Refusal(409, "the game is not over yet")
    made = scenes.then(room, room.now.seat_of(me.id if me else None), min(events, 100_000))
    body = faces.env().get_template("moment.html").render(made)
    return Response(body.encode(), media_type=HTML, headers={"Cache-Control": "no-store"})


@post("/t/{key:str}/choose")
async def choose(request: Asked, key: Key, me: Me) -> Response[bytes] | Redirect:
    """A choice by a plain form."""
    room = house_of(request).room(key)
    seat = seat_of(room, me)
    limits_of(request).take(limits_of(request).choosing, f"{key}{seat}")
    form = await request.form()
    after = str(form.get("after", ""))
    try:
        number = int(after) if after.isdecimal() and len(after) < 9 else -1
        choice = str(form.get("choice", ""))[:200]
        if "*" in choice:  # stands for what was chosen before
            if "who" not in form:
                raise Refusal(422, "choose a spy first, or the secret that it is for")
            choice = choice.replace("*", str(form["who"])[:60])
        last = choice.removeprefix("+ ")
        picked = form.getall("pick", [])[:MOST] if last != choice else []  # all that comes before
        row = [*(str(pick)[:200] for pick in picked), last]
        await room.choose(seat, row if picked else last, number)
    except Refusal as refusal:
        return shown(request, room, me, said=refusal)
    return to_table(request, key)


@post("/t/{key:str}/undo")
async def undo(request: Asked, key: Key, me: Me) -> Response[bytes] | Redirect:
    """Take back, by a plain form."""
    room = house_of(request).room(key)
    try:
        await room.undo(seat_of(room, me))
    except Refusal as refusal:
        return shown(request, room, me, said=refusal)
    return to_table(request, key)


@post("/t/{key:str}/join")
async def join(request: Asked, key: Key, me: Me) -> Response[bytes] | Redirect:
    """Sit down."""
    room = house_of(request).room(key)
    person = person_of(me)
    form = dict(await request.form())
    name, why = seating.named(request, form)
    if not name:
        return seating.ask(request, me, form, why)
    seat = str(form.get("seat", ""))
    try:
        wanted = int(seat) - 1 if seat.isdecimal() and len(seat) == 1 else None
        await room.sit(wanted, name, person.id)
    except Refusal as refusal:
        return shown(request, room, me, said=refusal)
    return to_table(request, key, name)


@post("/t/{key:str}/hand")
async def hand(request: Asked, key: Key, me: Me) -> Response[bytes] | Redirect:
    """Let a bot play, or play oneself again; or let one play for a friend who has gone."""
    room = house_of(request).room(key)
    mine, form = seat_of(room, me), await request.form()
    limits_of(request).take(limits_of(request).choosing, f"{key}{mine}")
    seat = str(form.get("seat", ""))
    other = int(seat) - 1 if seat.isdecimal() and len(seat) == 1 else None
    bot = None if "back" in form else str(form.get("bot", ""))[:60] or None
    try:
        await room.hand_over(mine, bot, other)
    except Refusal as refusal:
        return shown(request, room, me, said=refusal)
    return to_table(request, key)


@post("/t/{key:str}/leave")
async def leave(request: Asked, key: Key, me: Me) -> Response[bytes] | Redirect:
    """Stand up; the seat is free for others."""
    room = house_of(request).room(key)
    try:
        await room.leave(seat_of(room, me))
    except Refusal as refusal:
        return shown(request, room, me, said=refusal)
    return Redirect(f"/t/{key}", status_code=303)  # where one may sit down again


@post("/t/{key:str}/again")
async def again(request: Asked, key: Key, me: Me) -> Redirect:
    """The same seats once more: whoever is not a bot or the asker finds a free seat."""
    limits_of(request).take(limits_of(request).opening, address(request))
    person = person_of(me)
    house = house_of(request)
    room = house.room(key)
    seat = seat_of(room, me)
    seats = [
        ME if i == seat else OPEN if place.person else place.bot or OPEN
        for i, place in enumerate(room.now.seats)
    ]
    name = room.now.seats[seat].name
    match = room.now.match
    wish = Wish(room.game.name, seats, name, match.options, room.odds, room.row.listed)
    fresh_room = await house.open(wish, person.id)
    return to_table(request, fresh_room.key)


@get("/rules/{name:str}")
async def rules(
    request: Asked,
    name: FromPath[str],
    me: Me,
    bare: FromQuery[bool] = False,  # noqa: FBT002  of the address
) -> Response[bytes]:
    """The rules of a game, each clause with its anchor."""
    try:
        game = games.find(name)
    except Refused:
        known = listing([games.find(known).title for known in games.names()])
        raise Refusal(404, f"there are no rules of that name; there are those of {known}") from None
    if bare:
        return Response(clauses(game).encode(), media_type=HTML)
    return page(request, "rules.html", me, game=game, rules=clauses(game))


@cache
def clauses(game: Game) -> Markup:
    """A game's RULES.md; a clause is found under its number."""
    path = game.folder / "RULES.md"
    text = path.read_text(encoding="utf-8") if path.is_file() else f"# {game.title}\n\n{game.blurb}"
    html = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    html = CLAUSE.sub(r'<li id="\2">\1<strong>\2</strong>', html)
    return Markup(html)  # noqa: S704  our own file; raw HTML in it is escaped


@get("/static/{path:path}")
async def files(request: Asked, path: FromPath[str]) -> Response[bytes]:
    """Style sheets, pictures, the script."""
    raw, packed, kind = static.find(path.lstrip("/"))
    headers = {"Cache-Control": "public, max-age=31536000, immutable", "Vary": "Accept-Encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(packed, media_type=kind, headers={**headers, "Content-Encoding": "gzip"})
    return Response(raw, media_type=kind, headers=headers)


router = Router(
    "/",
    route_handlers=[
        lobby,
        create,
        table,
        news,
        moment,
        choose,
        undo,
        join,
        hand,
        leave,
        again,
        rules,
        files,
    ],
    dependencies={"me": Provide(asker)},
    include_in_schema=False,
)
