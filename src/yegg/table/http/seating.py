"""What people are called, asked once and changed when they like; and which bots they like."""

from typing import Any

import msgspec
from litestar import Response, Router, post
from litestar.di import Provide
from litestar.params import JSONBody
from litestar.response import Redirect

from yegg import players
from yegg.table.compiling import LEVELS
from yegg.table.identity import Person
from yegg.table.refusals import HttpRefusal

from .answers import carry, keep_name, page, person_of, shown, to_table, you
from .api import Kept, Key, Me, Name, name_of, no, seat_of
from .requests import Asked, asker, limits_of, registry_of

LEVEL = "yegg-level"


class Named(msgspec.Struct, forbid_unknown_fields=True):
    """What you would like to be called."""

    you: Name


@post(
    "/games/{key:str}/name",
    status_code=200,
    responses=no(400, 401, 403, 404, 409, 410, 413, 422, 429, 503),
)
async def rename(request: Asked, key: Key, data: JSONBody[Named], me: Me) -> Kept:
    """Be called something else at this table."""
    table = registry_of(request).table(key)
    seat = seat_of(table, me)
    limits_of(request).take(limits_of(request).choosing, f"{key}{seat}")
    await table.rename(seat, name_of(data.you))
    return Kept(table.now.seen[seat])


def named(request: Asked, form: dict[str, Any]) -> tuple[str, str]:
    """What somebody is called who sends a form: as they typed now, or once; or why not so."""
    typed = str(form.get("you", "")).strip() or you(request).strip()
    try:
        return (name_of(typed) if typed else ""), ""
    except HttpRefusal as refusal:
        return "", refusal.why


def ask(request: Asked, me: Person | None, form: dict[str, Any], why: str) -> Response[bytes]:
    """A page that asks for a name, and sends the form again with it."""
    rest = {key: str(value) for key, value in form.items() if key not in ("you", "csrf")}
    typed = str(form.get("you", ""))[:40]
    to = request.url.path
    answer = page(request, "ask.html", me, rest=rest, to=to, why=why, you=typed)
    answer.status_code = 422 if why else 200
    return answer


def levels() -> list[str]:
    """The levels that there are, from the easiest."""
    return [name for name in LEVELS if name in players.names()]


def level(request: Asked, form: dict[str, Any] | None = None) -> str:
    """The level of the bots that somebody likes to play with: as chosen now, or the last time."""
    there = levels() or list(players.names())
    wanted = (str((form or {}).get("level", "")), request.cookies.get(LEVEL, ""), "medium")
    return next((name for name in wanted if name in there), there[0])


@post("/new")
async def new(request: Asked, me: Me) -> Redirect:
    """To the form for a new table, if a game is named; the name that was typed is remembered."""
    person_of(me)
    form = dict(await request.form())
    game = "".join(c for c in str(form.get("game", "")) if c.isalnum() or c == "-")[:40]
    answer = Redirect(f"/?game={game}#new" if game else "/", status_code=303)
    keep_name(request, answer, named(request, form)[0])
    if "level" in form:
        carry(request, answer, LEVEL, level(request, form))
    return answer


@post("/t/{key:str}/name")
async def rename_page(request: Asked, key: Key, me: Me) -> Response[bytes] | Redirect:
    """Be called something else, by a plain form."""
    table = registry_of(request).table(key)
    seat = seat_of(table, me)
    limits_of(request).take(limits_of(request).choosing, f"{key}{seat}")
    typed = str((await request.form()).get("you", ""))
    try:
        await table.rename(seat, name := name_of(typed))
    except HttpRefusal as refusal:
        return shown(request, table, me, said=refusal)
    answer = to_table(request, key)
    keep_name(request, answer, name)
    return answer


api_router = Router(
    "/api", route_handlers=[rename], dependencies={"me": Provide(asker)}, tags=["table"]
)
pages_router = Router(
    "/",
    route_handlers=[new, rename_page],
    dependencies={"me": Provide(asker)},
    include_in_schema=False,
)
