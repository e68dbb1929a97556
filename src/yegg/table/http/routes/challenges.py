"""Routes of challenges: a link for friends, their one try, and all games side by side."""

from typing import Annotated, Any

from litestar import Response, get, post
from litestar.params import FromPath, FromQuery, Parameter
from litestar.response import Redirect

from yegg.engine.promised import has_chance
from yegg.table.domain.deal_results import Try
from yegg.table.http.bodies import GUEST
from yegg.table.http.cookies import named
from yegg.table.http.form_answers import see
from yegg.table.http.requests import Key, Visitor, Who
from yegg.table.http.responses import page, to_table
from yegg.table.refusals import HttpRefusal
from yegg.table.render import challenges as shown
from yegg.table.service import challenges, deals

Link = FromPath[
    Annotated[str, Parameter(pattern="^[A-Za-z0-9_-]{22}$", description="a challenge's key")]
]


@post("/t/{key:str}/challenge")
async def make(who: Who, key: Key) -> Redirect:
    """Make a link by which friends play the deal of one's finished game."""
    table, seat = who.to_arrange(key)
    return see(f"/challenge/{await challenges.challenge(table, seat)}")


@post("/challenge/{link:str}")
async def play(who: Who, link: Link) -> Redirect:
    """Begin one's one try, or go back to where one has begun it."""
    person = who.sender().id
    who.count(who.limits.opening)
    called = named(who, await who.request.form())[0]
    table = await challenges.play(who.registry, link, person, called or GUEST, who.address)
    return to_table(who, table.key, called or None)


@get("/challenge/{link:str}")
async def look(who: Who, link: Link, beside: FromQuery[int] = 0) -> Response[bytes]:
    """An invitation; to those who have finished their game everybody's, two side by side."""
    who.count(who.limits.asking)
    found = await challenges.look(who.registry, link, who.person)
    results, mine = found.results, found.results.mine
    if who.notifier and who.person and mine and mine.game == found.first.id:
        done = [one.game for one in results.people if one.game != mine.game]
        await who.notifier.look_at_friends(who.person, done)
    what: dict[str, Any] = {"two": None}
    if found.may_compare and mine:
        others = [one for one in results.people if one.game != mine.game]
        chosen = next((one for one in others if one.game in (beside, found.first.id)), None)
        chosen = next((one for one in others if one.game == beside), chosen)
        what = await side_by_side(who, mine, chosen or next(iter(others), None))
    return page(
        who,
        "challenge.html",
        link=link,
        address=f"{who.home}challenge/{link}",
        alone=who.alone,
        found=found,
        game=found.first.game,
        results=results,
        own=mine is not None and mine.game == found.first.id,
        chance=has_chance(found.first.game),
        **what,
    )


async def side_by_side(who: Visitor, mine: Try, other: Try | None) -> dict[str, Any]:
    """Two games of a deal: figures and curves, as far as the coach is, and where they part."""
    tries = [mine, other] if other else [mine]
    tables = [await who.registry.fetched(one.key) for one in tries]
    seen = [await gone_through(who, one) for one in tries]
    matches = [table.now.match for table in tables]
    return {
        "two": list(zip(tries, [one.looked for one in seen], strict=True)),
        "part": challenges.parting(*matches) if other else None,
        "curves": shown.curves([(n, s) for n, s in zip(tries, seen, strict=True)]),
        "done": sum(one.done for one in seen) / len(seen),
        "waits": next((one.waits for one in seen if one.waits), ""),
        "never": any(one.never for one in seen),
    }


async def gone_through(who: Visitor, one: Try) -> shown.Seen:
    """What the coach found in a game, or how far it is.  Raises Unread."""
    if not one.standing:
        return shown.Seen(never=True)
    try:
        table = await who.registry.fetched(one.key)
        back = who.registry.coach.look_back(table, who.address)
        if back.found is None:
            return shown.Seen(one.looked, done=back.done / back.steps)
        looked, _ = await deals.look(who.registry, one, who.address)
    except HttpRefusal as refusal:
        return shown.Seen(one.looked, 0.0, refusal.why, refusal.status != 503)
    return shown.Seen(looked, found=back.found)
