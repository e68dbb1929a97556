"""Health checks and metrics, for those who run the server.

Only they are told, at one spelling of each address, and not by way of a proxy, which lets anybody
ask in the name of this machine.
"""

import asyncio
import math
from typing import Any

import sqlalchemy as sa
from litestar import Response, get
from litestar.connection import ASGIConnection
from litestar.exceptions import NotFoundException
from litestar.handlers import BaseRouteHandler
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

import yegg
from yegg.table import metrics
from yegg.table.http.requests import Asked, registry_of
from yegg.table.networks import among, networks
from yegg.table.refusals import HttpRefusal
from yegg.table.storage.store import Store, Unread

WAIT = 3.0  # seconds for the database to answer
BY_PROXY = ("x-forwarded-", "forwarded", "x-real-ip", "via")
"""How the headers begin by which a proxy says for whom it asks."""
NOT_FOR_YOU = "only whoever looks after this server sees this: yegg serve --metrics-from"


def for_the_house(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Let those ask whom the settings name.  Raises HttpRefusal 403, and 404 if misspelt."""
    asked = connection.scope
    path = asked["raw_path"].partition(b"?")[0].decode("latin-1")
    if path != asked["path_template"] or asked["query_string"]:
        raise NotFoundException
    there = networks(connection.app.state.settings.metrics_from)
    forwarded = any(name.startswith(BY_PROXY) for name in connection.headers)
    if forwarded or not connection.client or not among(connection.client.host, there):
        raise HttpRefusal(403, NOT_FOR_YOU)


@get("/live")
async def live() -> dict[str, bool]:
    """200 as long as requests are answered at all; if not, start the process anew."""
    return {"live": True}


@get("/ready")
async def ready(request: Asked) -> Response[dict[str, object]]:
    """200 if people may be sent here; 503 while the database does not answer."""
    why = await away(registry_of(request).store)
    return Response({"ready": not why, "why": why}, status_code=503 if why else 200)


@get("/health")
async def health(request: Asked) -> Response[dict[str, object]]:
    """Whether all is compiled, and which version runs on what."""
    registry = registry_of(request)
    left = registry.thinkers.compiling.left
    body = {
        "ready": not left,
        "compiling": left,
        "version": yegg.__version__,
        "database": registry.store.about(),
    }
    return Response(body, status_code=503 if left else 200)


@get("/metrics")
async def figures(request: Asked) -> Response[bytes]:
    """The metrics that Prometheus reads."""
    store = registry_of(request).store
    metrics.database.set(not await away(store))
    free = store.database.free()
    metrics.disk.set(math.nan if free is None else free)  # 0 would raise an alarm
    return Response(generate_latest(metrics.steps), headers={"content-type": CONTENT_TYPE_LATEST})


async def away(store: Store) -> str:
    """The reason why the database cannot be asked; empty if it answers in time."""
    try:
        await asyncio.wait_for(store.query(_asked), WAIT)
    except (TimeoutError, Unread):
        return "the database does not answer"
    return ""


def _asked(connection: sa.Connection) -> None:
    connection.execute(sa.text("SELECT 1 FROM house"))
