"""Routes of the coach: advice and odds for a seat, a finished game's review."""

from math import isnan
from typing import Any

import msgspec
from litestar import Response, get
from litestar.params import FromQuery

from yegg.coach.advice import FIRST_SIGHT, Advice, undecided
from yegg.coach.called import called
from yegg.coach.review import to_dict
from yegg.lessons.puzzle import COSTLY
from yegg.stats.intervals import Figure
from yegg.table.http.openapi import no
from yegg.table.http.requests import Key, Visitor, Who
from yegg.table.http.responses import page, render
from yegg.table.refusals import HttpRefusal
from yegg.table.render import svg
from yegg.table.service.coach import LookBack
from yegg.table.service.table import Table
from yegg.text.phrases import number


class Worth(msgspec.Struct):
    """What a choice is worth to you, by what you may know."""

    choice: int
    """Its number."""
    text: str
    """Its words in the record."""
    win: float | None
    """Your chance to win; with more than two players, your expected share of the win.

    Null: there was no time to try it.
    """
    interval: tuple[float, float] | None
    """It covers the noise of the thinking, not how far the judgement of positions is off."""
    policy: float
    """How often it is worth playing, from 0 to 1: where orders are secret, mix by this."""
    odds: str
    """The chances behind it in words; empty if it has none."""
    why: str
    """Why the coach thinks so, in a sentence; empty if there is nothing to say."""
    alike: bool
    """Whether it and the best choice cannot be told apart."""


class Advised(msgspec.Struct):
    """The best choice first."""

    seat: int
    """Yours, from 1."""
    number: int
    """The number of the newest event that the advice knows of."""
    choices: list[Worth]
    """All that you may do, the best first."""
    at_first_sight: bool
    """Whether the coach is still being compiled, and has only looked at positions."""
    judge: str
    """By what positions are judged: `policy` for the policy net, or `lore`."""


class Reviewed(msgspec.Struct):
    """How far a review is; once it is made, the review."""

    done: int
    """How many steps of it are done."""
    steps: int
    """How many steps it takes."""
    review: dict[str, Any] | None
    """As `yegg review --json` prints it; null until it is made."""


async def advised(who: Visitor, key: str) -> tuple[Table, int, Advice]:
    """Advice for the asker's seat.  Raises HttpRefusal."""
    table, seat = who.seat(key)
    return table, seat, await who.registry.coach.advise(table, seat, who.address)


def rounded(figure: Figure) -> tuple[float, float] | None:
    """An interval, rounded; None if there is nothing to tell."""
    return None if isnan(figure.value) else (round(figure.low, 4), round(figure.high, 4))


@get("/games/{key:str}/advice", responses=no(400, 401, 403, 404, 409, 410, 429, 503))
async def advice(who: Who, key: Key) -> Advised:
    """What each of your choices is worth, by what you may know.  The coach thinks for a moment."""
    table, seat, said = await advised(who, key)
    words = [
        Worth(
            w.choice,
            w.text,
            None if isnan(w.win.value) else round(w.win.value, 4),
            rounded(w.win),
            w.policy,
            w.odds,
            w.why,
            w.alike,
        )
        for w in said.words
    ]
    return Advised(seat + 1, table.now.seen[seat], words, said.at_first_sight, said.judge)


@get("/games/{key:str}/odds", responses=no(400, 401, 403, 404, 409, 410, 429))
async def odds(who: Who, key: Key) -> dict[str, str]:
    """The odds behind each of your choices, where the game has simple ones."""
    return who.registry.coach.odds(*who.seat(key))


@get("/games/{key:str}/review", responses=no(400, 403, 404, 409, 410, 429, 503))
async def review(who: Who, key: Key) -> Reviewed:
    """The review of a finished game.  Ask again until it is ready."""
    who.count(who.limits.asking)
    table = who.table(key)
    back = who.registry.coach.look_back(table, who.address)
    data = to_dict(table.now.match, back.found) if back.found else None
    return Reviewed(back.done, back.steps, data)


@get("/t/{key:str}/advice")
async def advice_page(
    who: Who,
    key: Key,
    bare: FromQuery[bool] = False,  # noqa: FBT002  of the address
) -> Response[bytes]:
    """The coach's advice, as a page or as a part of one."""
    table, seat, said = await advised(who, key)
    verbs = called(who.registry.coach.decision(table, seat))
    words = [
        {
            "w": word,
            "verb": verbs.get(word.text, word.text),
            "why": word.compared(f"“{verbs.get(word.against, word.against)}”"),
            "mixed": mixed(word.policy),
        }
        for word in said.words
    ]
    what: dict[str, Any] = {
        "key": key,
        "table": table,
        "words": words,
        "bar": svg.bar,
        "bare": bare,
    }
    what["note"] = FIRST_SIGHT if said.at_first_sight else ""
    what["undecided"] = undecided([verbs.get(text, text) for text in said.alike], len(words))
    if not bare:
        return page(who, "coach.html", **what)
    return render("advice.html", **what)


def mixed(policy: float) -> str:
    """How often a choice is worth playing, in words; empty if it is hardly ever.

    >>> mixed(0.11), mixed(0.45), mixed(0.05)
    ('worth playing about one time in nine', 'worth playing about every other time', '')
    """
    if policy < 0.1:
        return ""
    n = round(1 / policy)
    return f"worth playing about {f'one time in {number(n)}' if n > 2 else 'every other time'}"


@get("/t/{key:str}/review")
async def review_page(who: Who, key: Key) -> Response[bytes]:
    """The review of a finished game; the page reloads until the review is ready."""
    who.count(who.limits.asking)
    table = who.table(key)
    try:
        back = who.registry.coach.look_back(table, who.address)
    except HttpRefusal as refusal:
        if refusal.status != 503:
            raise
        back = LookBack(1)  # not begun
    looked = svg.course(back.found) if back.found else None
    mine = table.now.seat_of(who.person)
    what = {"made": back, "looked": looked, "mine": mine, "costly": COSTLY}
    return page(who, "review.html", table=table, key=key, **what)
