"""What pages are answered with: a page for somebody, a table, the way back to one, cookies."""

from typing import Any
from urllib.parse import quote, unquote

from litestar import Response
from litestar.response import Redirect

from yegg.table.compiling import sorted_by_use
from yegg.table.identity import Person, digest, fresh
from yegg.table.refusals import HttpRefusal
from yegg.table.tables.table import Table
from yegg.table.views import as_html, faces, static_files

from .api import link
from .requests import COOKIE, Asked, alone, registry_of

NAME = "yegg-name"
YEAR = 365 * 86400
HTML = "text/html"


def page(request: Asked, template: str, me: Person | None, **what: Any) -> Response[bytes]:
    """A page for somebody; whoever is new gets a cookie."""
    registry = registry_of(request)
    token = me.token if me and me.by_cookie else fresh()
    what.setdefault("you", you(request))
    body = (
        faces.env().get_template(template).render(csrf=registry.signer.csrf(digest(token)), **what)
    )
    response = Response(body.encode(), media_type=HTML, headers={"Cache-Control": "no-store"})
    if me is None:
        carry(request, response, COOKIE, registry.signer.cookie(token))
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
    begun = registry_of(request).table(key).now.begun
    answer = Redirect(f"/t/{key}{'#now' if begun else ''}", status_code=303)
    keep_name(request, answer, name)
    return answer


def keep_name(request: Asked, answer: Response[Any], name: str | None) -> None:
    """Let the browser remember what its owner is called."""
    if name:
        carry(request, answer, NAME, quote(name))


def person_of(me: Person | None) -> Person:
    """Who sends a form.  Raises HttpRefusal 403: without our cookie there is no form of ours."""
    if me is None:
        raise HttpRefusal(
            403, "your browser sent no cookie: allow cookies here, and load the page again"
        )
    return me


def shown(
    request: Asked,
    table: Table,
    me: Person | None,
    *,
    at: int | None = None,
    said: HttpRefusal | None = None,
) -> Response[bytes]:
    """A table's page, perhaps with what was wrong about the last wish."""
    seat = table.seat_of(me.id if me else None)
    made = as_html.now(table, seat)
    if table.now.over and at is not None:
        made = {**as_html.then(table, seat, max(0, min(at, len(table.now.match.history))))}
        made["t"].update(
            result=as_html.result(table),
            number=table.now.seen[seat],
            title=as_html.title(table, seat),
        )
    made["t"].update(link=link(request, table), alone=alone(request))
    answer = page(
        request,
        "table.html",
        me,
        **made,
        bots=sorted_by_use(table.able()),
        sheets=static_files.sheets(table.game.name),
        qr=as_html.qr(link(request, table)) if not table.now.begun else None,
        said=said,
    )
    if said:
        answer.status_code = said.status
    return answer
