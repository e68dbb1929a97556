"""Routes of the deal of the day: today's games, one try at each, and everybody's results."""

from datetime import date
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath
from litestar.response import Redirect

from yegg import games
from yegg.engine.days import streak, told_day
from yegg.table.domain.deal_results import Try
from yegg.table.http.bodies import GUEST
from yegg.table.http.cookies import named
from yegg.table.http.form_answers import see
from yegg.table.http.requests import Visitor, Who
from yegg.table.http.responses import page, to_table
from yegg.table.refusals import HttpRefusal
from yegg.table.render import deals as shown
from yegg.table.render import renderers
from yegg.table.service import deals

from .puzzles import puzzles_of_day


@get("/daily")
async def today(who: Who) -> Response[bytes]:
    """The deals of today, how far the visitor is with each, and how long they have played."""
    who.count(who.limits.asking)
    day, registry = deals.today(who.store), who.registry
    known = [games.find(name) for name in games.names()]
    finished = await deals.days_of(registry, who.person)
    results = [await registry.results.of(day, game.name, who.person) for game in known]
    return page(
        who,
        "daily.html",
        day=day,
        told=told_day(day),
        left=shown.left_of_day(who.store.hours.now()),
        days=deals.days_before(day),
        games=list(zip(known, results, strict=True)),
        seals={game.name: deals.seal_of(registry, day, game.name) for game in known},
        art={g.name: art for g in known if (art := renderers.template(g, "art.html"))},
        known=bool(finished),
        streak=streak(finished, day),
        placed=shown.placed,
        today=await puzzles_of_day(who, date.fromisoformat(day)),
    )


@post("/daily/{name:str}")
async def play(who: Who, name: FromPath[str]) -> Redirect:
    """Begin today's deal of a game, or go back to where one has begun it."""
    person, day = who.sender().id, deals.today(who.store)
    who.count(who.limits.opening)
    game = deals.game_on(day, name, day)
    called = named(who, await who.request.form())[0]
    table = await deals.play(who.registry, game, person, called or GUEST, who.address)
    return to_table(who, table.key, called or None)


@get("/daily/{name:str}/{day:str}")
async def result(who: Who, name: FromPath[str], day: FromPath[str]) -> Response[bytes] | Redirect:
    """How a deal went for the visitor and for all; once the day is over all lies open."""
    who.count(who.limits.asking)
    now, registry = deals.today(who.store), who.registry
    game = deals.game_on(day, name, now)
    results, over = await registry.results.of(day, name, who.person), day < now
    if not over and not (results.mine and results.mine.over):
        return see("/daily")
    looked = await figures(who, results.mine)
    await figures(who, results.best if over else None)
    return page(
        who,
        "deal.html",
        game=game,
        day=day,
        told=told_day(day),
        over=over,
        results=results,
        line=shown.line(results.mine.standing if results.mine else None),
        placed=shown.placed(results),
        rows=shown.histogram(results),
        to_send=shown.to_send(game, day, results, who.home),
        seal=deals.seal_of(registry, day, name),
        key=deals.key_on(registry, day, name),
        days=deals.days_before(now),
        **looked,
    )


async def figures(who: Visitor, one: Try | None) -> dict[str, Any]:
    """The two figures of a try; while the coach is at it how far that is, or why it waits."""
    what: dict[str, Any] = {"looked": None, "done": 1.0, "waits": "", "never": False}
    if one is None or not one.over:
        return what
    try:
        what["looked"], what["done"] = await deals.look(who.registry, one, who.address)
    except HttpRefusal as refusal:
        what["waits"], what["never"] = refusal.why, refusal.status != 503
    return what
