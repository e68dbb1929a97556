"""Whether the server is well, for those who look after it and for whoever starts it anew."""

import asyncio
import math

import sqlalchemy as sa
from litestar import Response, get
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

import yegg
from yegg.table import metrics
from yegg.table.http.requests import Asked, registry_of
from yegg.table.storage.store import Store, Unread

WAIT = 3.0  # seconds for the database to answer


@get("/live", include_in_schema=False)
async def live() -> dict[str, bool]:
    """200 as long as requests are answered at all; if not, start the process anew."""
    return {"live": True}


@get("/ready", include_in_schema=False)
async def ready(request: Asked) -> Response[dict[str, object]]:
    """200 if people may be sent here; 503 while the database does not answer."""
    why = await away(registry_of(request).store)
    return Response({"ready": not why, "why": why}, status_code=503 if why else 200)


@get("/health", include_in_schema=False)
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


@get("/metrics", include_in_schema=False)
async def figures(request: Asked) -> Response[bytes]:
    """The metrics that Prometheus reads."""
    store = registry_of(request).store
    metrics.database.set(not await away(store))
    free = store.database.free()
    metrics.disk.set(math.nan if free is None else free)  # 0 would raise an alarm
    return Response(generate_latest(), headers={"content-type": CONTENT_TYPE_LATEST})


async def away(store: Store) -> str:
    """Why the database cannot be asked; empty if it answers in time."""
    try:
        await asyncio.wait_for(store.aside(_asked, store), WAIT)
    except (TimeoutError, Unread):
        return "the database does not answer"
    return ""


def _asked(store: Store) -> None:
    with store.database.reading.connect() as connection:
        connection.execute(sa.text("SELECT 1 FROM house"))


handlers = [live, ready, health, figures]
