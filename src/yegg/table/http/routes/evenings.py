"""Routes of evenings: several rounds of tables over one link."""

from hashlib import sha256
from typing import Annotated, Any

from litestar import Response, get, post
from litestar.params import FromPath, FromQuery, Parameter
from litestar.response import Redirect

from yegg import games, players
from yegg.table.domain.evening import Member
from yegg.table.http.cookies import keep_name, named
from yegg.table.http.evening_bodies import NewEvening
from yegg.table.http.form_answers import answer_for, see, told_at
from yegg.table.http.requests import FOR_THE_BLOCKED, Visitor, Who
from yegg.table.http.responses import ask_name, page, render
from yegg.table.refusals import HttpRefusal
from yegg.table.render import html_view, rulebook
from yegg.table.render.evenings import around
from yegg.table.service import evenings, joining
from yegg.table.service.evening_keeper import EveningKeeper
from yegg.table.service.table_names import drawn_name

Of = FromPath[
    Annotated[str, Parameter(pattern="^[A-Za-z0-9_-]{22}$", description="an evening's key")]
]


def keeper(who: Visitor) -> EveningKeeper:
    """Who looks after the evenings of this server."""
    found: EveningKeeper = who.request.app.state.evenings
    return found


def link(who: Visitor, key: str) -> str:
    """The link of an evening, to send to friends."""
    return f"{who.home}evening/{key}"


def count_joining(who: Visitor, known: Member | None) -> None:
    """Count somebody who joins as if they opened a table, so that nobody alone fills an evening.

    ``known``: who has joined already, and comes back.  Raises HttpRefusal 429.
    """
    who.count(who.limits.asking if known else who.limits.opening)


def source(who: Visitor, key: str) -> str | None:
    """What stands for an address among those who join an evening; None where no limits are kept.

    It says nothing about the address, and is another one in each evening.
    """
    if not who.limits.on:
        return None
    return who.registry.signer.mac("evening", f"{key} {who.address}")


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
        bots=players.able(chosen, chosen.usual, chosen.defaults(chosen.usual)),
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
        await joining.join(who.store, key, person, called, source(who, key))
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
        said=answer_for(who),
        plan=found.plan,
        **around(found, who.person),
    )


@get("/evening/{evening:str}/now")
async def now(who: Who, evening: Of) -> Response[bytes]:
    """The living part of an evening's page; with an ETag, so that asking again is cheap."""
    what = around(await keeper(who).shown(evening), who.person)
    response = render(
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
    known = (await keeper(who).shown(evening)).of(who.sender().id)
    count_joining(who, known)
    called = known.name if known else named(who, form)[0]
    if not called:
        return ask_name(who, form)
    response = await by_form(who, evening, joining.join, called, source(who, evening))
    if not known:
        keep_name(who, response, called)
    return response


@post("/evening/{evening:str}/leave", opt={FOR_THE_BLOCKED: True})
async def leave(who: Who, evening: Of) -> Redirect:
    """Be in no further round."""
    who.count(who.limits.asking)
    return await by_form(who, evening, evenings.leave)


STEPS = {"begin": evenings.begin, "end": evenings.end, "let-in-more": joining.let_in_more}


@post([f"/evening/{{evening:str}}/{step}" for step in STEPS])
async def take_step(who: Who, evening: Of) -> Redirect:
    """Begin or end an evening, or let any number of people join from one address."""
    who.count(who.limits.asking)
    return await by_form(who, evening, STEPS[who.request.url.path.rpartition("/")[2]])


async def by_form(who: Visitor, key: str, change: Any, *more: str | None) -> Redirect:
    """Change an evening, and lead back to its page, which tells why that was refused."""
    try:
        await change(who.store, key, who.sender().id, *more)
    except HttpRefusal as refusal:
        if refusal.status not in (403, 409):
            raise
        return told_at(who.request, f"/evening/{key}", refusal)
    keeper(who).changed(key)
    return see(f"/evening/{key}")
