"""Routes of the replay of a game: its steps, the curve of chances, and where turns begin."""

import asyncio
from typing import Annotated

import msgspec
from litestar import Response, get
from litestar.params import FromQuery, Parameter

from yegg.table.domain.watching import turns
from yegg.table.http.requests import Key, Who
from yegg.table.http.responses import keepable
from yegg.table.refusals import HttpRefusal
from yegg.table.render import renderers, steps, svg


@get("/t/{key:str}/steps")
async def missed(
    who: Who,
    key: Key,
    after: FromQuery[Annotated[int, Parameter(ge=-1, le=1_000_000)]] = -1,
) -> Response[bytes]:
    """The table after so many events and after each step since, but not as it is now.

    Without a number: since the last turn of the others began.
    """
    who.draws_anew()
    table = who.table(key)
    table.meet(who.person)
    seat, now = table.now.seat_of(who.person), table.now
    begin = after if after >= 0 else steps.last_turn(now.match.actors, seat)
    shown = []
    for one in [] if now.closed else steps.each_beat(table.view(seat), begin):
        who.draws_anew()
        shown.append(one._asdict())
        await asyncio.sleep(0)  # many steps must not hold up others
    headers = {"Cache-Control": "no-store"}
    return Response(msgspec.json.encode(shown), media_type="application/json", headers=headers)


class Course(msgspec.Struct):
    """How far the coach is with a finished game, and then everybody's chances as a curve."""

    done: float
    curve: str = ""
    jumps: str = ""


@get("/t/{key:str}/course")
async def course(who: Who, key: Key) -> Course:
    """The curve of chances of a finished game, and where it turned.  Ask again until it is done."""
    who.count(who.limits.asking)
    back = who.registry.coach.look_back(who.table(key), who.address)
    if not back.found:
        return Course(min(back.done / back.steps, 0.99))
    what = {"looked": svg.course(back.found), "jumps": svg.jumps(back.found), "key": key}
    draw = renderers.env().get_template
    return Course(1, draw("course.html").render(**what), draw("jumps.html").render(**what))


class Marks(msgspec.Struct):
    """Where the turns of a finished game begin, and where its steps end, in events."""

    turns: list[int]
    steps: list[int]


@get("/t/{key:str}/marks")
async def marks(who: Who, key: Key) -> Response[Marks]:
    """Where somebody who looks at a finished game may want to stop."""
    who.draws_anew()
    table = who.table(key)
    if not table.now.over:
        raise HttpRefusal(409, "the game is not over yet")
    events = len(table.now.match.history)
    ends = [step.last for step in table.shown.once("steps", lambda: steps.together(table.shown, 0))]
    response = Response(Marks([*turns(table.now.match.actors), events], [0, *ends]))
    keepable(who, table, response)
    return response
