"""Responses of the pages: whole pages, tables, redirects to a table, and cookies."""

from collections.abc import Awaitable
from typing import Any, NamedTuple
from urllib.parse import quote, unquote

from litestar import Response
from litestar.response import Redirect

from yegg.engine import Refused
from yegg.table.accounts.tokens import Person, digest, fresh
from yegg.table.domain.phrases import PHRASES
from yegg.table.refusals import HttpRefusal, as_refusal
from yegg.table.render import html_view, renderers, rulebook, static_files, steps
from yegg.table.service.compiling import sorted_by_use
from yegg.table.service.table import Table, View

from .requests import COOKIE, Asked, alone, reached_at, registry_of

NAME = "yegg-name"
DEAF = "yegg-deaf"  # "yes": what others say at tables is not sent to this browser
YEAR = 365 * 86400
HTML = "text/html"


def page(request: Asked, template: str, me: Person | None, **what: Any) -> Response[bytes]:
    """A page for somebody; whoever is new gets a cookie."""
    registry = registry_of(request)
    token = me.token if me and me.by_cookie else fresh()
    what.setdefault("you", you(request))
    what.setdefault("salt", fresh())
    draw = renderers.env(what.get("t", {}).get("game")).get_template(template)
    body = draw.render(csrf=registry.signer.csrf(digest(token)), **what)
    response = Response(body.encode(), media_type=HTML, headers={"Cache-Control": "no-store"})
    if me is None:
        carry(request, response, COOKIE, registry.signer.signed(token))
    return response


def carry(request: Asked, response: Response[Any], key: str, value: str) -> None:
    """Set a cookie for a year."""
    secure = request.app.state.settings.secure
    response.set_cookie(key, value, max_age=YEAR, httponly=True, samesite="lax", secure=secure)


def you(request: Asked) -> str:
    """The name that the browser remembers for its owner."""
    return unquote(request.cookies.get(NAME, ""))[:40]


def to_table(request: Asked, key: str, name: str | None = None) -> Redirect:
    """Redirect to the table; once the game has begun, to its first line."""
    begun = registry_of(request).table(key).now.begun
    answer = Redirect(f"/t/{key}{'#now' if begun else ''}", status_code=303)
    keep_name(request, answer, name)
    return answer


def keep_name(request: Asked, answer: Response[Any], name: str | None) -> None:
    """Let the browser remember what its owner is called."""
    if name:
        carry(request, answer, NAME, quote(name))


def person_of(me: Person | None) -> Person:
    """Who sends a form.  Raises HttpRefusal 403 if the browser sent no cookie of this server."""
    if me is None:
        raise HttpRefusal(
            403, "your browser sent no cookie: allow cookies here, and load the page again"
        )
    return me


def link(request: Asked, table: Table) -> str:
    """The link to send to friends."""
    return f"{reached_at(request)}t/{table.key}"


def held_for(table: Table, seat: int) -> str | None:
    """The person for whom a free seat is held."""
    held = table.now.seats[seat].held
    return held.person if held else None


def newest(request: Asked, key: str, me: Person | None, draw: View, kind: str) -> Response[Any]:
    """A table as the asker sees it; with an ETag, so that asking again is cheap."""
    table = registry_of(request).table(key)
    seat = table.seat_of(me.id if me else None)
    tag = f'"{table.now.seen[seat]}.{seat}.{table.edition}"'
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    if request.headers.get("if-none-match") == tag:
        return Response(None, status_code=304, headers=headers)
    return Response(table.view(draw, seat), media_type=kind, headers=headers)


async def tried(
    request: Asked, key: str, me: Person | None, action: Awaitable[object]
) -> Response[bytes] | None:
    """Do what a form asks for; if it is refused, return the table's page with the reason.

    Refusals 401, 404 and 429 are raised again: they get a page of their own.
    """
    try:
        await action
    except (HttpRefusal, Refused) as error:
        refusal = as_refusal(error)
        if refusal.status in (401, 404, 429):
            raise
        return shown(request, registry_of(request).table(key), me, said=refusal)
    return None


class Past(NamedTuple):
    """A moment of a finished game."""

    at: int | None = None
    """After how many events; None: after all."""
    part: int = 0
    """How many parts of the next event are carried out."""
    other: int | None = None
    """The seat through whose eyes it is seen, if not one's own; -1: all lies open."""


def shown(
    request: Asked,
    table: Table,
    me: Person | None,
    *,
    past: Past | None = None,
    said: HttpRefusal | None = None,
    offered: int = 0,
) -> Response[bytes]:
    """A table's page; ``said`` is the refusal to show on it, ``offered`` the minutes of lessons.

    ``past``: which moment of a finished game is shown.
    """
    seat = table.seat_of(me.id if me else None)
    made = html_view.now(table, seat)
    if table.now.over and past and past != Past():
        events = len(table.now.match.history)
        at = events if past.at is None else max(0, min(past.at, events))
        made = steps.moment(table, seat, at, past.part, past.other)
        made["t"].update(
            result=html_view.result(table),
            number=table.now.seen[seat],
            title=html_view.title(table, seat),
            events=events,
            whose=seat,
        )
    kept = next((i for i in table.held if me and held_for(table, i) == me.id), -1)
    made["t"].update(link=link(request, table), alone=alone(request), kept=kept)
    answer = page(
        request,
        "table.html",
        me,
        **made,
        bots=sorted_by_use(table.able()),
        asked=rulebook.asked(table.now.match.players, table.now.match.options),
        phrases=PHRASES,
        hears=request.cookies.get(DEAF) != "yes",
        sheets=static_files.sheets(table.game.name),
        qr=html_view.qr(link(request, table)) if not table.now.begun else None,
        said=said,
        offered=offered,
        moment=table.moment(),
    )
    if said:
        answer.status_code = said.status
    return answer
