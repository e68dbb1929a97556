"""All routes: a module for each subject, those of the API in the order of its description."""

from types import ModuleType
from typing import Any

from litestar import Router
from litestar.handlers import HTTPRouteHandler

from yegg.table.http.actions import (
    AFTER,
    CLOSE_AND_BLOCK,
    FORGET,
    HOLIDAY,
    JOIN,
    OPEN,
    PLAY,
    QUICK,
    TALK_AND_TIME,
    Action,
    everything,
)

from . import (
    api,
    app,
    challenges,
    coach,
    daily,
    devices,
    dice,
    evenings,
    evenings_api,
    health,
    host,
    lessons,
    notifications,
    pages,
    puzzles,
    replay,
    season,
    you,
)
from .actions import api_route, form_route

SHOWN = (
    *(pages, lessons, puzzles, daily, challenges, evenings, season, devices, notifications),
    *(dice, coach, replay, app, you, host),
)
"""The modules whose pages people look at."""
API = (
    ("table", [api.hand_out, OPEN, QUICK, api.look, JOIN, PLAY, api.events, api.record]),
    ("table", [api.lobby, api.turns, api.about, dice.look, AFTER, TALK_AND_TIME, HOLIDAY]),
    ("coach", [coach.advice, coach.odds, coach.review]),
    ("table", [CLOSE_AND_BLOCK, FORGET]),
    ("evening", [evenings_api.open_json, evenings_api.look, evenings_api.join_json]),
    ("evening", [evenings_api.leave_json, evenings_api.begin_json, evenings_api.end_json]),
    ("evening", [evenings_api.let_in_more_json]),
)
"""By tag: handlers, actions, and groups of actions."""


def routers() -> list[Router]:
    """All routes."""
    described = [handler for _, handlers in API for handler in handlers]
    forms = [form_route(action) for action in everything()]
    shown = [one for module in SHOWN for one in _handlers(module) if one not in described]
    house = [health.live, health.ready, health.health, health.figures]
    return [
        *(Router("/api", route_handlers=_routes(some), tags=[tag]) for tag, some in API),
        Router("/", route_handlers=[*forms, *shown], include_in_schema=False),
        Router("/", route_handlers=house, guards=[health.for_the_house], include_in_schema=False),
    ]


def _handlers(module: ModuleType) -> list[HTTPRouteHandler]:
    return [each for each in vars(module).values() if isinstance(each, HTTPRouteHandler)]


def _routes(handlers: list[Any]) -> list[HTTPRouteHandler]:
    routes = []
    for handler in handlers:
        group = handler if isinstance(handler, list) else [handler]
        routes += [api_route(each) if isinstance(each, Action) else each for each in group]
    return routes
