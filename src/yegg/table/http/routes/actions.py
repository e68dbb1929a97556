"""The routes of declared actions: each in the API, and as a plain form of a page."""

from collections.abc import Callable
from typing import Any

from litestar import Response, post
from litestar.handlers import HTTPRouteHandler

from yegg.engine import Refused
from yegg.table.http.actions import FORGET, HOLIDAY, Action, Forgotten, Standing
from yegg.table.http.bodies import GUEST, Coming, Holiday, without_friends
from yegg.table.http.cookies import LEVEL, NAME, carry, keep_name, level, named
from yegg.table.http.form_answers import see, told_at
from yegg.table.http.openapi import no
from yegg.table.http.requests import COOKIE, Key, Visitor, Who
from yegg.table.http.responses import ask_name, to_table
from yegg.table.refusals import HttpRefusal, as_refusal


def api_route(action: Action) -> HTTPRouteHandler:
    """JSON comes, and JSON goes."""
    path = action.path if action.path.startswith("/") else f"/games/{{key:str}}/{action.path}"
    parts = path.replace("{key:str}", "key").title().replace("/", "")
    name = (action.operation or action.run.__name__).title().replace("_", "")
    refusals = {*action.refusals, 413} if action.body else action.refusals
    return post(
        path,
        status_code=action.status,
        responses=no(*sorted(refusals)),
        operation_id=f"Api{parts}{name}",
        summary=name,
        description=action.run.__doc__,
    )(action.run)


def form_route(action: Action) -> HTTPRouteHandler:
    """What a page sends, and a page goes back."""
    path = action.form or action.path

    async def anywhere(who: Who) -> Response[Any]:
        return await by_form(action, who)

    async def at_table(who: Who, key: Key) -> Response[Any]:
        return await by_form(action, who, key)

    if path.startswith("/"):
        return post(path, status_code=200)(anywhere)
    return post(f"/t/{{key:str}}/{path}")(at_table)


async def by_form(action: Action, who: Visitor, *key: str) -> Response[Any]:
    """Do what a form asks for; a refusal is told on the table's page.

    Refusals 401, 404 and 429, and those that concern no table, get a page of their own.
    """
    form = (await who.request.form()).mutable_copy()
    who.by_form, bodies = True, dict[str, Any]()
    chosen = "level" in form
    if action.body and issubclass(action.body, Coming):
        name = named_there(who, form, *key)
        if not name and (key or not without_friends(form)):
            return ask_name(who, form)
        form["you"], form["level"] = name or GUEST, level(who, form)
    try:
        if action.body:
            bodies["data"] = action.body.of_form(form)
        answer = await action.run(who, *key, **bodies)
    except (HttpRefusal, Refused) as error:
        refusal = as_refusal(error)
        if not key or refusal.status in (401, 404, 429):
            raise
        return told_at(who.request, f"/t/{key[0]}", refusal)
    if action in AFTERWARDS:
        return AFTERWARDS[action](who, answer, bodies.get("data"))
    if action.then:
        return see(action.then.format(key=key[0]))
    response = to_table(who, getattr(answer, "id", *key))
    given = getattr(bodies.get("data"), "you", None)
    keep_name(who, response, None if given == GUEST else given)
    if chosen:
        carry(who, response, LEVEL, form["level"])
    return response


def named_there(who: Visitor, form: Any, *key: str) -> str:
    """What somebody is called at a table where they sit, else as `named`; "" if nobody knows.

    Raises HttpRefusal 403, 404.
    """
    places = who.table(*key).now.seats if key else ()
    person = who.sender().id
    own = next((place.name for place in places if place.person == person), "")
    return own or named(who, form)[0]


def on_holiday(_: Visitor, standing: Standing, data: Holiday) -> Response[Any]:
    """The lobby says where time stands.  Raises HttpRefusal 409 if it does so nowhere."""
    if standing.refused and not standing.tables:
        raise HttpRefusal(409, standing.refused[0].why)
    note = "back" if not data.days else "partly" if standing.refused else "away"
    return see(f"/?note={note}#my")


def forgotten(_: Visitor, __: Forgotten, ___: None) -> Response[Any]:
    """To the last page for somebody; this browser forgets, too."""
    response = see("/forgotten")
    for key in COOKIE, NAME:
        response.delete_cookie(key)
    return response


AFTERWARDS: dict[Action, Callable[..., Response[Any]]] = {HOLIDAY: on_holiday, FORGET: forgotten}
"""What a page shows afterwards, where that is not the table."""
