"""Routes of evenings: several rounds of tables over one link."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Annotated, Any

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath, FromQuery, JSONBody, Parameter
from litestar.response import Redirect

from yegg import games, players
from yegg.table.domain.evening import WIN
from yegg.table.http.cookies import fitting, keep_name, named
from yegg.table.http.evening_bodies import Coming, NewEvening
from yegg.table.http.form_answers import see, told_at
from yegg.table.http.form_answers import told as told_now
from yegg.table.http.openapi import no
from yegg.table.http.requests import Visitor, Who
from yegg.table.http.responses import ask_name, drawn, page
from yegg.table.refusals import HttpRefusal
from yegg.table.render import html_view, rulebook
from yegg.table.service import evenings
from yegg.table.service.compiling import sorted_by_use
from yegg.table.service.evening_keeper import EveningKeeper
from yegg.table.service.evenings import Evening, Member, RoundTable
from yegg.table.service.registry import drawn_name

TO_CHANGE = (400, 401, 403, 404, 409, 413, 429, 503)
Of = FromPath[
    Annotated[str, Parameter(pattern="^[A-Za-z0-9_-]{22}$", description="an evening's key")]
]


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


def keeper(who: Visitor) -> EveningKeeper:
    """Who looks after the evenings of this server."""
    found: EveningKeeper = who.request.app.state.evenings
    return found


def link(who: Visitor, key: str) -> str:
    """The link of an evening, to send to friends."""
    return f"{who.home}evening/{key}"


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
        for t, one in enumerate(drew):
            got = evening.results.get((r, t))
            points = [float(point) for point in got] if got else None
            tables.append(EveningTable(r + 1, one.key, list(one.members), one.over, points))
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


# For scripts


async def fresh(who: Visitor, key: str) -> Evening:
    """An evening as it is after somebody has changed it."""
    keeper(who).changed(key)
    return await keeper(who).shown(key)


@post("/evenings", responses=no(400, 403, 413, 422, 429, 503), status_code=201)
async def open_json(who: Who, data: JSONBody[NewEvening]) -> EveningView:
    """Open an evening; you do not join it by that."""
    person, token = who.newcomer()
    who.count(who.limits.opening)
    key = await evenings.open_evening(who.store, data.plan(), drawn_name(), person)
    return view(who, await keeper(who).shown(key), person, token)


@get("/evenings/{evening:str}", responses=no(400, 404, 503))
async def look(who: Who, evening: Of) -> EveningView:
    """An evening as you see it."""
    return view(who, await keeper(who).shown(evening), who.person)


@post("/evenings/{evening:str}/join", responses=no(*TO_CHANGE, 422), status_code=200)
async def join_json(who: Who, evening: Of, data: JSONBody[Coming]) -> EveningView:
    """Join an evening, or come back to it."""
    person, token = who.newcomer()
    who.count(who.limits.asking)
    await evenings.join(who.store, evening, person, fitting(data.you))
    return view(who, await fresh(who, evening), person, token)


@post("/evenings/{evening:str}/leave", responses=no(*TO_CHANGE), status_code=200)
async def leave_json(who: Who, evening: Of) -> EveningView:
    """Be in no further round of an evening."""
    return await changed(who, evening, evenings.leave)


@post("/evenings/{evening:str}/begin", responses=no(*TO_CHANGE), status_code=200)
async def begin_json(who: Who, evening: Of) -> EveningView:
    """Begin an evening that you have opened."""
    return await changed(who, evening, evenings.begin)


@post("/evenings/{evening:str}/end", responses=no(*TO_CHANGE), status_code=200)
async def end_json(who: Who, evening: Of) -> EveningView:
    """End an evening that you have opened; tables that go on still count."""
    return await changed(who, evening, evenings.end)


async def changed(who: Visitor, key: str, change: Any) -> EveningView:
    """Change an evening.  Raises HttpRefusal 401 without a token."""
    if who.person is None:
        raise HttpRefusal(401, "nobody knows who you are: send your token")
    who.count(who.limits.asking)
    await change(who.store, key, who.person)
    return view(who, await fresh(who, key), who.person)


# Pages


@get("/evening")
async def form(who: Who, game: FromQuery[str] = "") -> Response[bytes]:
    """The form for a new evening, and the visitor's own evenings."""
    who.count(who.limits.asking)
    person = who.person or ""
    mine = await who.store.query(lambda connection: evenings.of_person(connection, person))
    known = [games.find(name) for name in games.names()]
    chosen = next((one for one in known if one.name == game), known[0])
    return page(
        who,
        "evenings.html",
        games=known,
        chosen=chosen,
        seats=[n for n in chosen.players if n > 1],
        bots=sorted_by_use(players.able(chosen, chosen.usual, chosen.defaults(chosen.usual))),
        absent=chosen.part("absent") is not None,
        house_rules=rulebook.house_rules(chosen),
        mine=mine if person else [],
    )


@post("/evening")
async def open_by_form(who: Who) -> Response[Any]:
    """Open an evening, and join it if its host plays, too."""
    person, form = who.sender().id, await who.request.form()
    who.count(who.limits.opening)
    called = named(who, form)[0]
    if "plays" in form and not called:
        return ask_name(who, form)
    wanted = NewEvening.of_form(form)
    key = await evenings.open_evening(who.store, wanted.plan(), drawn_name(), person)
    if "plays" in form:
        await evenings.join(who.store, key, person, called)
    response = see(f"/evening/{key}")
    keep_name(who, response, called)
    return response


@get("/evening/{evening:str}")
async def show(who: Who, evening: Of) -> Response[bytes]:
    """An evening: who has joined, the tables of this round, and how everybody stands."""
    found = await keeper(who).shown(evening)
    address = link(who, evening)
    return page(
        who,
        "evening.html",
        qr=html_view.qr(address),
        link=address,
        alone=who.alone,
        said=told_now(who),
        plan=found.plan,
        **around(who, found),
    )


@get("/evening/{evening:str}/now")
async def now(who: Who, evening: Of) -> Response[bytes]:
    """The living part of an evening's page; with an ETag, so that asking again is cheap."""
    what = around(who, await keeper(who).shown(evening))
    response = drawn(
        "evening_now.html", csrf=who.registry.signer.csrf(who.me.key) if who.me else "", **what
    )
    tag = f'"{sha256(response.content).hexdigest()[:32]}"'
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    if who.request.headers.get("if-none-match") == tag:
        return Response(b"", status_code=304, headers=headers)
    response.headers.update(headers)
    return response


@post("/evening/{evening:str}/join")
async def join(who: Who, evening: Of) -> Response[Any]:
    """Join an evening, or come back to it."""
    form = await who.request.form()
    who.count(who.limits.asking)
    known = (await keeper(who).shown(evening)).of(who.sender().id)
    called = known.name if known else named(who, form)[0]
    if not called:
        return ask_name(who, form)
    response = await by_form(who, evening, evenings.join, called)
    if not known:
        keep_name(who, response, called)
    return response


@post("/evening/{evening:str}/leave")
async def leave(who: Who, evening: Of) -> Redirect:
    """Be in no further round."""
    return await by_form(who, evening, evenings.leave)


@post("/evening/{evening:str}/begin")
async def begin(who: Who, evening: Of) -> Redirect:
    """Begin an evening."""
    return await by_form(who, evening, evenings.begin)


@post("/evening/{evening:str}/end")
async def end(who: Who, evening: Of) -> Redirect:
    """End an evening."""
    return await by_form(who, evening, evenings.end)


async def by_form(who: Visitor, key: str, change: Any, *more: str) -> Redirect:
    """Change an evening, and lead back to its page, which tells why that was refused."""
    try:
        await change(who.store, key, who.sender().id, *more)
    except HttpRefusal as refusal:
        if refusal.status not in (403, 409):
            raise
        return told_at(who.request, f"/evening/{key}", refusal)
    keeper(who).changed(key)
    return see(f"/evening/{key}")


def around(who: Visitor, evening: Evening) -> dict[str, Any]:
    """What the living part of the page needs."""
    me = evening.of(who.person)
    mine = evening.table_of(me)
    return {
        "e": evening,
        "game": evening.game,
        "me": me,
        "hosts": evening.host == who.person,
        "mine": mine,
        "sits_out": bool(me and evening.rounds and me.number in evening.rounds[-1].out),
        "companions": called(evening, mine.members if mine else (), me),
        "out": called(evening, evening.rounds[-1].out if evening.rounds else ()),
        "rows": rows(evening),
        "figure": figure,
        "win": WIN,
        "tables": [shown(evening, one) for one in evening.tables[-1]] if evening.tables else [],
        "least": min(evenings.allowed(evening.plan), default=2),
    }


def called(evening: Evening, numbers: Sequence[int], but: Member | None = None) -> list[str]:
    """What members are called."""
    there = [evening.member(number) for number in numbers]
    return [one.name for one in there if one != but]


def rows(evening: Evening) -> list[tuple[Any, Member]]:
    """The standings with who is meant."""
    return [(one, evening.member(one.member)) for one in evening.standings]


def shown(evening: Evening, table: RoundTable) -> dict[str, Any]:
    """A table of the newest round, as the page lists it."""
    points = evening.results.get((table.round - 1, table.number - 1))
    bots = table.bots or (None,) * len(table.members)
    people = [
        {
            "name": evening.member(number).name,
            "number": number,
            "bot": bot,
            "points": points[seat] if points else None,
        }
        for seat, (number, bot) in enumerate(zip(table.members, bots, strict=True))
    ]
    if points:
        people.sort(key=lambda one: -one["points"])
    return {
        "number": table.number,
        "key": table.key,
        "open": table.game is not None,
        "over": table.over,
        "people": people,
    }


def figure(points: Any) -> str:
    """Points in digits.

    >>> from fractions import Fraction
    >>> figure(Fraction(12)), figure(Fraction(36, 5)), figure(None)
    ('12', '7.2', '')
    """
    if points is None:
        return ""
    return str(points.numerator) if points.denominator == 1 else f"{float(points):.1f}"
