"""What has happened at a table, for those who want to see it one step after another."""

import asyncio
from typing import Annotated

import msgspec
from litestar import Response, Router, get
from litestar.di import Provide
from litestar.params import FromQuery, Parameter

from yegg.table.views import steps

from .api import Key, Me
from .requests import Asked, address, asker, limits_of, registry_of


@get("/t/{key:str}/steps")
async def missed(
    request: Asked,
    key: Key,
    me: Me,
    after: FromQuery[Annotated[int, Parameter(ge=-1, le=1_000_000)]] = -1,
) -> Response[bytes]:
    """The table after so many events and after each step since, but not as it is now.

    Without a number: since the last turn of the others began.
    """
    limits_of(request).take(limits_of(request).asking, address(request))
    table = registry_of(request).table(key)
    seat, now = table.seat_of(me.id if me else None), table.now
    begin = after if after >= 0 else steps.last_turn(now.match.actors, seat)
    shown = []
    for one in [] if now.closed else steps.drawn(table, seat, begin):
        shown.append(one._asdict())
        await asyncio.sleep(0)  # many steps must not hold up others
    headers = {"Cache-Control": "no-store"}
    return Response(msgspec.json.encode(shown), media_type="application/json", headers=headers)


router = Router(
    "/",
    route_handlers=[missed],
    dependencies={"me": Provide(asker)},
    include_in_schema=False,
)
