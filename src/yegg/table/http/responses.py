"""Responses of the pages: whole pages, parts of pages, redirects, and error pages."""

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from litestar import Response
from litestar.response import Redirect

from yegg.engine import Game
from yegg.table.accounts.tokens import digest, new_token
from yegg.table.domain.deals import OWN, THEIRS
from yegg.table.domain.phrases_and_emotes import EMOTES, PHRASES
from yegg.table.domain.table_view import TableView
from yegg.table.domain.watching import LATER
from yegg.table.notifications import push
from yegg.table.refusals import HttpRefusal
from yegg.table.render import html_view, renderers, rulebook, static_files, steps
from yegg.table.service.delays import UNSEEN
from yegg.table.service.table import Table

from .cookies import DEAF, carry, keep_name, remembered
from .form_answers import fields_of, see
from .requests import COOKIE, Asked, Visitor, registry_of

HTML = "text/html"
TABLE = re.compile(r"/t/([A-Za-z0-9_-]{22})")  # a full stop after the link does no harm
HEADS = {
    404: "Not found",
    410: "Not any more",
    429: "Too much at once",
    500: "Our mistake",
    503: "Not now",
}
WHOSE = "Yegg-Whose"
"""A header that says, with every page for somebody, whose browser it is; the app's worker reads it.

With another one what it has kept of one's own games is gone (decision 0109).
"""
KEEP = "Yegg-Keep"
"""A header on what such a browser may keep: "own" on pages of one's own finished game."""
LEADS_BACK = (400, 401, 403, 404, 405, 409, 413, 422)  # to the table, if there is one
NO_TABLE = "there is no such table: the link may be mistyped or cut off; ask for it once more"
NEARLY = "the end of this link is wrong, but its table is here"
NO_PAGE = "there is no such page: the address may be mistyped"


def render(template: str, game: Game | None = None, /, **what: Any) -> Response[bytes]:
    """A template as an answer, for nobody in particular: it gives no cookie."""
    body = renderers.env(game).get_template(template).render(what)
    return Response(body.encode(), media_type=HTML, headers={"Cache-Control": "no-store"})


def page(who: Visitor, template: str, **what: Any) -> Response[bytes]:
    """A page for somebody; whoever is new gets a cookie."""
    signer = who.registry.signer
    token = who.me.token if who.me and who.me.by_cookie else new_token()
    what = {"you": remembered(who), "salt": new_token(), **what, "csrf": signer.csrf(digest(token))}
    what["host_says"] = who.registry.guests.notice_for(who.person)
    response = render(template, what.get("t", {}).get("game"), **what)
    response.headers[WHOSE] = signer.mac("whose", digest(token))
    if who.me is None:
        carry(who, response, COOKIE, signer.signed(token))
    return response


def keepable(who: Visitor, table: Table, response: Response[Any]) -> None:
    """Let the asker's browser keep a page of their own finished game, for reading it offline."""
    me = who.me
    if me and me.by_cookie and table.now.over and table.now.seat_of(me.id) >= 0:
        response.headers.update({WHOSE: who.registry.signer.mac("whose", me.key), KEEP: "own"})


def to_table(who: Visitor, key: str, name: str | None = None) -> Redirect:
    """Redirect to the table; once the game has begun, to its first line."""
    response = see(f"/t/{key}{'#now' if who.table(key).now.begun else ''}")
    keep_name(who, response, name)
    return response


def ask_name(who: Visitor, form: Any) -> Redirect:
    """To a page that asks for a name, and sends the form again with it."""
    return see("/name", to=who.request.url.path, **fields_of(form))


def newest(who: Visitor, key: str, draw: Callable[[TableView], bytes], kind: str) -> Response[Any]:
    """A table as the asker sees it; with an ETag, so that asking again is cheap."""
    table = who.table(key)
    table.meet(who.person)
    seat = table.now.seat_of(who.person)
    tag = f'"{table.now.seen[seat]}.{seat}.{table.edition}"'
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    if who.request.headers.get("if-none-match") == tag:
        return Response(None, status_code=304, headers=headers)
    return Response(table.view(seat).once(draw), media_type=kind, headers=headers)


class Past(NamedTuple):
    """A moment of a finished game."""

    at: int | None = None
    """After how many events; None: after all."""
    part: int = 0
    """How many parts of the next event are carried out."""
    other: int | None = None
    """The seat through whose eyes it is seen, if not one's own; -1: all lies open."""


def shown(
    who: Visitor,
    table: Table,
    *,
    past: Past | None = None,
    said: HttpRefusal | None = None,
    offered: int = 0,
) -> Response[bytes]:
    """A table's page; ``said`` is the refusal to show on it, ``offered`` the minutes of lessons.

    ``past``: which moment of a finished game is shown.
    """
    table.meet(who.person)
    seat, link = table.now.seat_of(who.person), who.link(table.key)
    values = html_view.now(table.view(seat))
    if table.now.over and past and past != Past():
        events = len(table.now.match.history)
        at = events if past.at is None else max(0, min(past.at, events))
        values = steps.moment(table.view(seat), at, past.part, past.other)
        values["t"].update(
            result=table.view(-1).once(html_view.result),
            number=table.now.seen[seat],
            title=html_view.title(table.view(seat)),
            events=events,
            whose=seat,
        )
    free = table.shown.around.held
    held = {i: place.held.person for i in free if (place := table.now.seats[i]).held}
    kept = next((i for i in free if who.me and held.get(i) == who.person), -1)
    values["t"].update(link=link, alone=who.alone, kept=kept)
    response = page(
        who,
        "table.html",
        **values,
        bots=table.able(),
        asked=rulebook.asked(table.now.match.players, table.now.match.options),
        phrases=PHRASES,
        later=LATER,
        emotes=EMOTES,
        hears=who.request.cookies.get(DEAF) != "yes",
        sheets=static_files.sheets(table.game.name),
        qr=html_view.qr(link) if not table.now.begun else None,
        said=said,
        offered=offered,
        moment=table.moment(),
        quick=table.row.quick is not None,
        push=pushed(who, table) if seat >= 0 else None,
    )
    if past in (None, Past()) and not said:
        keepable(who, table, response)
    if said:
        response.status_code = said.status
    return response


def pushed(who: Visitor, table: Table) -> dict[str, Any] | None:
    """With which key a browser is told of turns; when the game began, how long it took, in ms.

    None where nobody is told so.
    """
    key, now = who.notifier and who.notifier.push_key, table.now
    if not key:
        return None
    lasted = max(0, now.moved - table.row.at) if now.over else 0
    return {"key": push.text(push.point(key)), "begun": table.row.at, "lasted": lasted}


def in_plain_words(request: Asked, status: int) -> HttpRefusal:
    """The framework's refusal of an address or a form, in plain words."""
    if status == 405:
        return HttpRefusal(status, "there is nothing to see at this address")
    if status == 413:
        return HttpRefusal(status, "that is more than fits here")
    if status == 404 or (status == 400 and request.method == "GET"):
        return HttpRefusal(404, NO_TABLE if request.url.path.startswith("/t/") else NO_PAGE)
    return HttpRefusal(status, "this could not be understood; go back, and try again")


def error_page(request: Asked, error: HttpRefusal, headers: dict[str, str]) -> Response[bytes]:
    """The error page: the reason in plain words, and links to go on."""
    at = TABLE.match(request.url.path)
    key = at[1] if at and error.status in LEADS_BACK else None
    if key not in registry_of(request).tables or error.why in (OWN, THEIRS, UNSEEN):
        key = None
    response = render(
        "error_page.html",
        head=HEADS.get(error.status, "That did not work"),
        why=(NEARLY if key else NO_TABLE) if error.status == 404 and at else error.why,
        key=key,
        csrf="",
    )
    response.status_code = error.status
    response.headers.update(headers)
    return response
