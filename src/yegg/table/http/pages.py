"""The pages, drawn here on the server; they work as plain forms where no script runs."""

import re
from functools import cache
from typing import Any

from litestar import Response, Router, get, post
from litestar.di import Provide
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect
from markdown_it import MarkdownIt
from markupsafe import Markup

from yegg import games, players
from yegg.engine import Game, Refused
from yegg.engine.prose import listing
from yegg.table.compiling import sorted_by_use
from yegg.table.refusals import HttpRefusal
from yegg.table.tables.lobby import listed, mine
from yegg.table.tables.registry import ME, OPEN, Wish
from yegg.table.views import as_html, faces, static_files

from . import seating
from .answers import HTML, carry, page, person_of, shown, to_table
from .api import Key, Me, seat_of
from .requests import Asked, address, asker, limits_of, registry_of

MOST = 40  # choices in a row
CLAUSE = re.compile(r"<li>(\s*(?:<p>)?)<strong>([A-Z]{2}-\d+)</strong>")


@get("/")
async def lobby(request: Asked, me: Me, game: FromQuery[str] = "") -> Response[bytes]:
    """The four games, a form for a new table, and all tables there are."""
    limits_of(request).take(limits_of(request).asking, address(request))
    registry = registry_of(request)
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
        tables=listed(registry.store),
        mine=mine(registry.store, me.id) if me else [],
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
    table = await registry_of(request).open(wish, person.id)
    answer = to_table(request, table.key, name)
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
        raise HttpRefusal(422, str(error)) from None
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
async def show_table(
    request: Asked, key: Key, me: Me, at: FromQuery[int | None] = None
) -> Response[bytes]:
    """A table as its visitor may see it."""
    table = registry_of(request).table(key)
    return shown(request, table, me, at=at)


@get("/t/{key:str}/now")
async def news(request: Asked, key: Key, me: Me) -> Response[bytes | None]:
    """The living part of a table's page, for whoever gets no stream; again it is cheap."""
    limits_of(request).take(limits_of(request).asking, address(request))
    table = registry_of(request).table(key)
    seat = table.seat_of(me.id if me else None)
    tag = f'"{table.now.seen[seat]}.{seat}.{table.edition}"'
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    if request.headers.get("if-none-match") == tag:
        return Response(None, status_code=304, headers=headers)
    return Response(table.view(as_html.living, seat), media_type=HTML, headers=headers)


@get("/t/{key:str}/at/{events:int}")
async def moment(request: Asked, key: Key, events: FromPath[int], me: Me) -> Response[bytes]:
    """The living part of a finished game's page, as it was after so many events."""
    table = registry_of(request).table(key)
    if not table.now.over:
        raise HttpRefusal(409, "the game is not over yet")
    made = as_html.then(table, table.now.seat_of(me.id if me else None), min(events, 100_000))
    body = faces.env().get_template("moment.html").render(made)
    return Response(body.encode(), media_type=HTML, headers={"Cache-Control": "no-store"})


@post("/t/{key:str}/choose")
async def choose(request: Asked, key: Key, me: Me) -> Response[bytes] | Redirect:
    """A choice by a plain form."""
    table = registry_of(request).table(key)
    seat = seat_of(table, me)
    limits_of(request).take(limits_of(request).choosing, f"{key}{seat}")
    form = await request.form()
    after = str(form.get("after", ""))
    try:
        number = int(after) if after.isdecimal() and len(after) < 9 else -1
        choice = str(form.get("choice", ""))[:200]
        if "*" in choice:  # stands for what was chosen before
            if "who" not in form:
                raise HttpRefusal(422, "choose a spy first, or the secret that it is for")
            choice = choice.replace("*", str(form["who"])[:60])
        last = choice.removeprefix("+ ")
        picked = form.getall("pick", [])[:MOST] if last != choice else []  # all that comes before
        row = [*(str(pick)[:200] for pick in picked), last]
        await table.choose(seat, row if picked else last, number)
    except HttpRefusal as refusal:
        return shown(request, table, me, said=refusal)
    return to_table(request, key)


@post("/t/{key:str}/undo")
async def undo(request: Asked, key: Key, me: Me) -> Response[bytes] | Redirect:
    """Take back, by a plain form."""
    table = registry_of(request).table(key)
    try:
        await table.undo(seat_of(table, me))
    except HttpRefusal as refusal:
        return shown(request, table, me, said=refusal)
    return to_table(request, key)


@post("/t/{key:str}/join")
async def join(request: Asked, key: Key, me: Me) -> Response[bytes] | Redirect:
    """Sit down."""
    table = registry_of(request).table(key)
    person = person_of(me)
    form = dict(await request.form())
    name, why = seating.named(request, form)
    if not name:
        return seating.ask(request, me, form, why)
    seat = str(form.get("seat", ""))
    try:
        wanted = int(seat) - 1 if seat.isdecimal() and len(seat) == 1 else None
        await table.sit(wanted, name, person.id)
    except HttpRefusal as refusal:
        return shown(request, table, me, said=refusal)
    return to_table(request, key, name)


@post("/t/{key:str}/hand")
async def hand(request: Asked, key: Key, me: Me) -> Response[bytes] | Redirect:
    """Let a bot play, or play oneself again; or let one play for a friend who has gone."""
    table = registry_of(request).table(key)
    mine, form = seat_of(table, me), await request.form()
    limits_of(request).take(limits_of(request).choosing, f"{key}{mine}")
    seat = str(form.get("seat", ""))
    other = int(seat) - 1 if seat.isdecimal() and len(seat) == 1 else None
    bot = None if "back" in form else str(form.get("bot", ""))[:60] or None
    try:
        await table.hand_over(mine, bot, other)
    except HttpRefusal as refusal:
        return shown(request, table, me, said=refusal)
    return to_table(request, key)


@post("/t/{key:str}/leave")
async def leave(request: Asked, key: Key, me: Me) -> Response[bytes] | Redirect:
    """Stand up; the seat is free for others."""
    table = registry_of(request).table(key)
    try:
        await table.leave(seat_of(table, me))
    except HttpRefusal as refusal:
        return shown(request, table, me, said=refusal)
    return Redirect(f"/t/{key}", status_code=303)  # where one may sit down again


@post("/t/{key:str}/again")
async def again(request: Asked, key: Key, me: Me) -> Redirect:
    """The same seats once more: whoever is not a bot or the asker finds a free seat."""
    limits_of(request).take(limits_of(request).opening, address(request))
    person = person_of(me)
    registry = registry_of(request)
    table = registry.table(key)
    seat = seat_of(table, me)
    seats = [
        ME if i == seat else OPEN if place.person else place.bot or OPEN
        for i, place in enumerate(table.now.seats)
    ]
    name = table.now.seats[seat].name
    match = table.now.match
    wish = Wish(table.game.name, seats, name, match.options, table.odds, table.row.listed)
    fresh_room = await registry.open(wish, person.id)
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
        raise HttpRefusal(
            404, f"there are no rules of that name; there are those of {known}"
        ) from None
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
