"""The routes of declared actions: each in the API, and as a plain form of a table's page."""

from typing import Any

from litestar import Response, Router, post
from litestar.di import Provide
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody
from litestar.response import Redirect

from yegg.table.http.actions import Action
from yegg.table.http.requests import Asked, asker, asking
from yegg.table.http.responses import to_table, tried

from .api import Key, Me, no


def routers(actions: list[Action]) -> list[Router]:
    """The routes of a group of actions."""
    me = {"me": Provide(asker)}
    api = [api_route(action) for action in actions]
    forms = [form_route(action) for action in actions]
    return [
        Router("/api", route_handlers=api, dependencies=me, tags=["table"]),
        Router("/", route_handlers=forms, dependencies=me, include_in_schema=False),
    ]


def api_route(action: Action) -> HTTPRouteHandler:
    """POST /api/games/KEY/…: JSON comes, and JSON goes."""
    body: Any = action.body
    answer: Any = action.run.__annotations__["return"]

    async def without_body(request: Asked, key: Key, me: Me) -> answer:
        return await action.run(asking(request, me), key)

    async def with_body(
        request: Asked,
        key: Key,
        me: Me,
        data: JSONBody[body],
    ) -> answer:
        return await action.run(asking(request, me), key, data)

    refusals = (*action.refusals, 413) if body else action.refusals
    name = (action.operation or action.run.__name__).title().replace("_", "")
    return post(
        f"/games/{{key:str}}/{action.path}",
        status_code=200,
        responses=no(*sorted(refusals)),
        operation_id=f"ApiGamesKey{action.path.title()}{name}",
        summary=name,
        description=action.run.__doc__,
    )(with_body if body else without_body)


def form_route(action: Action) -> HTTPRouteHandler:
    """POST /t/KEY/…: a refusal is shown on the table's page.

    The browser remembers the name `you` of a body that has one.
    """

    async def handler(request: Asked, key: Key, me: Me) -> Response[bytes] | Redirect:
        bodies: list[Any] = []

        async def act() -> None:
            if action.body:
                bodies.append(action.body.of_form(await request.form()))
            await action.run(asking(request, me), key, *bodies)

        if refused := await tried(request, key, me, act()):
            return refused
        if action.then:
            return Redirect(action.then.format(key=key), status_code=303)
        return to_table(request, key, *(getattr(body, "you", None) for body in bodies))

    return post(f"/t/{{key:str}}/{action.form or action.path}")(handler)
