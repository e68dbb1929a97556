"""A word across the table: eight phrases, for people who sit there; whoever likes hears none."""

from typing import Annotated

import msgspec
from litestar import Response, Router, post
from litestar.di import Provide
from litestar.params import JSONBody
from litestar.response import Redirect
from msgspec import Meta

from yegg.table.domain.phrases import PHRASES
from yegg.table.http import actions
from yegg.table.http.requests import Asked, asker, asking
from yegg.table.http.responses import DEAF, carry, person_of, to_table, tried

from .api import Kept, Key, Me, no


class Saying(msgspec.Struct, forbid_unknown_fields=True):
    """One of the eight phrases, from 1 as `GET /api/about` lists them."""

    phrase: Annotated[int, Meta(ge=1, le=len(PHRASES))]


@post(
    "/games/{key:str}/phrases",
    status_code=200,
    responses=no(400, 401, 403, 404, 409, 410, 413, 429),
)
async def say(request: Asked, key: Key, data: JSONBody[Saying], me: Me) -> Kept:
    """Say a phrase to everybody at the table who likes to hear phrases: one in five seconds."""
    return Kept(await actions.say(asking(request, me), key, data.phrase))


@post("/t/{key:str}/say")
async def say_page(request: Asked, key: Key, me: Me) -> Response[bytes] | Redirect:
    """Say a phrase, by a plain form."""
    phrase = str((await request.form()).get("phrase", ""))
    said = actions.say(
        asking(request, me), key, int(phrase) if len(phrase) == 1 and phrase in "12345678" else 0
    )
    return await tried(request, key, me, said) or to_table(request, key)


@post("/t/{key:str}/hear")
async def hear_page(request: Asked, key: Key, me: Me) -> Redirect:
    """Hear what others say at tables, or hear nothing of it, from now on."""
    person_of(me)
    hears = "hear" in await request.form()
    answer = to_table(request, key)
    carry(request, answer, DEAF, "no" if hears else "yes")
    return answer


api_router = Router(
    "/api", route_handlers=[say], dependencies={"me": Provide(asker)}, tags=["table"]
)
pages_router = Router(
    "/",
    route_handlers=[say_page, hear_page],
    dependencies={"me": Provide(asker)},
    include_in_schema=False,
)
