"""Routes for scripts about evenings; `docs/evenings.md` describes them."""

from typing import Any

import msgspec
from litestar import get, post
from litestar.params import JSONBody

from yegg.table.domain.evening import Evening
from yegg.table.http.cookies import fitting
from yegg.table.http.evening_bodies import JoiningEvening, NewEvening
from yegg.table.http.openapi import no
from yegg.table.http.requests import FOR_THE_BLOCKED, Visitor, Who
from yegg.table.refusals import HttpRefusal
from yegg.table.service import evenings, joining
from yegg.table.service.table_names import drawn_name

from .evenings import Of, count_joining, keeper, link, source

TO_JOIN = 400, 403, 404, 409, 413, 422, 429, 503
AS_MEMBER = 400, 401, 403, 404, 409, 429, 503
"""How what somebody does who has joined, or opened it, may be refused."""


class EveningMember(msgspec.Struct):
    """Somebody who has joined."""

    number: int
    """From 1, in the order in which they came."""
    name: str
    """What they are called."""
    away: bool
    """Whether they are in no further round."""
    place: int
    """Their place now; those who are equal share it."""
    points: float
    """Their points: 12 for the first place of a table, 0 for the last."""
    won: float
    """Rounds won; who shares the first place shares the win."""


class EveningTable(msgspec.Struct):
    """A table of a round."""

    round: int
    """From 1."""
    game: str
    """The table's key; it may be opened a moment later."""
    members: list[int]
    """Their numbers, by seat."""
    over: bool
    """Whether it has ended."""
    points: list[float] | None
    """By seat, once it has ended."""


class EveningView(msgspec.Struct):
    """An evening as you see it."""

    id: str
    """Its key."""
    link: str
    """Its address, for friends."""
    name: str
    """What it is called."""
    game: str
    """The game that is played."""
    round: int
    """The newest round, from 1; 0 before the first."""
    begun: bool
    """Whether it has begun."""
    over: bool
    """Whether all rounds are played."""
    members: list[EveningMember]
    """All who have joined."""
    tables: list[EveningTable]
    """Those of all rounds."""
    you: int | None
    """Your number; null if you have not joined."""
    table: str | None
    """The key of your table in the newest round, if it is open."""
    token: str | None
    """What proves who you are, if you came without one."""


def view(
    who: Visitor, evening: Evening, person: str | None, token: str | None = None
) -> EveningView:
    """An evening as somebody sees it."""
    me, by_number = evening.of(person), {one.member: one for one in evening.standings}
    mine = evening.table_of(me)
    members = []
    for one in evening.members:
        stands = by_number[one.number]
        figures = stands.place, float(stands.points), float(stands.won)
        members.append(EveningMember(one.number, one.name, one.away, *figures))
    tables = []
    for r, drew in enumerate(evening.tables):
        for t, table in enumerate(drew):
            got = evening.results.get((r, t))
            points = [float(point) for point in got] if got else None
            what = list(table.members), table.over, points
            tables.append(EveningTable(r + 1, table.key, *what))
    return EveningView(
        evening.key,
        link(who, evening.key),
        evening.name,
        evening.plan.game,
        len(evening.rounds),
        evening.begun is not None,
        evening.over,
        members,
        tables,
        me.number if me else None,
        mine.key if mine and mine.game is not None else None,
        token,
    )


async def changed_evening(who: Visitor, key: str) -> Evening:
    """An evening as it is after somebody has changed it."""
    keeper(who).changed(key)
    return await keeper(who).shown(key)


@post("/evenings", status_code=201, responses=no(400, 403, 413, 422, 429, 503))
async def open_json(who: Who, data: JSONBody[NewEvening]) -> EveningView:
    """Open an evening; you do not join it by that."""
    person, token = who.newcomer()
    who.count(who.limits.opening)
    key = await evenings.open_evening(who.store, data.plan(), drawn_name(), person)
    return view(who, await keeper(who).shown(key), person, token)


@get("/evenings/{evening:str}", responses=no(400, 404))
async def look(who: Who, evening: Of) -> EveningView:
    """An evening as you see it."""
    return view(who, await keeper(who).shown(evening), who.person)


@post("/evenings/{evening:str}/join", status_code=200, responses=no(*TO_JOIN))
async def join_json(who: Who, evening: Of, data: JSONBody[JoiningEvening]) -> EveningView:
    """Join an evening, or come back to it."""
    person, token = who.newcomer()
    count_joining(who, (await keeper(who).shown(evening)).of(person))
    came = source(who, evening)
    await joining.join(who.store, evening, person, fitting(data.you), came)
    return view(who, await changed_evening(who, evening), person, token)


@post(
    "/evenings/{evening:str}/leave",
    status_code=200,
    responses=no(*AS_MEMBER),
    opt={FOR_THE_BLOCKED: True},
)
async def leave_json(who: Who, evening: Of) -> EveningView:
    """Be in no further round of an evening."""
    return await changed(who, evening, evenings.leave)


@post("/evenings/{evening:str}/begin", status_code=200, responses=no(*AS_MEMBER))
async def begin_json(who: Who, evening: Of) -> EveningView:
    """Begin an evening that you have opened."""
    return await changed(who, evening, evenings.begin)


@post("/evenings/{evening:str}/end", status_code=200, responses=no(*AS_MEMBER))
async def end_json(who: Who, evening: Of) -> EveningView:
    """End an evening that you have opened; tables that go on still count."""
    return await changed(who, evening, evenings.end)


@post("/evenings/{evening:str}/let-in-more", status_code=200, responses=no(*AS_MEMBER))
async def let_in_more_json(who: Who, evening: Of) -> EveningView:
    """Let any number of people join from one address an evening that you have opened."""
    return await changed(who, evening, joining.let_in_more)


async def changed(who: Visitor, key: str, change: Any) -> EveningView:
    """Change an evening.  Raises HttpRefusal 401 without a token."""
    if who.person is None:
        raise HttpRefusal(401, "nobody knows who you are: send your token")
    who.count(who.limits.asking)
    await change(who.store, key, who.person)
    return view(who, await changed_evening(who, key), who.person)
