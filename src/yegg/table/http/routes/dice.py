"""Routes of a table's dice: what was promised, and whether it was kept."""

import asyncio
from functools import partial
from typing import Annotated, Any

import msgspec
from litestar import Response, get
from msgspec import Meta

from yegg.engine import promised
from yegg.engine.promised import UNPROVEN, Pledge
from yegg.table.domain.state import TableState
from yegg.table.http.openapi import no
from yegg.table.http.requests import Key, Who
from yegg.table.http.responses import page
from yegg.table.service.table import Table


class Drawn(msgspec.Struct):
    """A die or a card."""

    event: int
    """Its number in the record, from 1."""
    kind: str
    """What was drawn: `roll`, `flip`, `deal` …, by the first word of its choices."""
    n: int
    """The how-manieth of its kind."""
    texts: list[str]
    """All that could have come, in the words of the record."""
    drawn: int
    """Which of them came, from 0."""


class DiceView(msgspec.Struct):
    """What everybody may know of a table's dice."""

    promise: str | None
    """None: the table was opened before dice were promised."""
    early: Annotated[bool, Meta(description="whether it could be seen before anybody sat down")]
    after: Annotated[int, Meta(description="how many events were played before it")]
    origin: Annotated[str | None, Meta(description="the promise that these were played under")]
    salts: Annotated[dict[str, str], Meta(description="by seat, once the game has begun")]
    seed: Annotated[str | None, Meta(description="once the game is over")]
    draws: Annotated[list[Drawn], Meta(description="once the game is over; those it is about")]


def of(table: Table, now: TableState) -> DiceView:
    """What everybody may know of a table's dice at a position."""
    if not table.dice:
        return DiceView(None, early=False, after=0, origin=None, salts={}, seed=None, draws=[])
    pledge = table.dice.pledge(now)
    every = promised.draws(now.match) if pledge.seed else []
    draws = [Drawn(*draw) for draw in every if draw.event > pledge.after]
    salts = {str(seat): pledge.salts[seat] for seat in sorted(pledge.salts)}
    early, after, origin = table.dice.early, pledge.after, pledge.origin
    return DiceView(pledge.promise, early, after, origin, salts, pledge.seed, draws)


async def seen(table: Table) -> DiceView:
    """What everybody may know of a table's dice now."""
    now = table.now.fork()
    make = partial(of, table, now)
    if now.over:  # then it stays so
        make = partial(table.shown.once, "dice", make)
    return await asyncio.to_thread(make)


@get("/games/{key:str}/dice", responses=no(400, 403, 404, 410))
async def look(who: Who, key: Key) -> DiceView:
    """The promise of a table's dice; once the game is over also what opens it."""
    return await seen(who.table(key))


@get("/t/{key:str}/dice")
async def shown(who: Who, key: Key) -> Response[bytes]:
    """What was promised, what it means, each step, and what it does not prove."""
    table = who.table(key)
    dice = await seen(table)
    what: dict[str, Any] = {
        "table": table,
        "names": [seat.name for seat in table.now.seats],
        "seat": table.now.seat_of(who.person),
        "dice": dice,
        "chance": promised.has_chance(table.game),
        "over": table.now.over,
        "begun": table.now.begun,
        "unproven": UNPROVEN,
        "name": promised.NAME,
    }
    if dice.seed:
        what |= await asyncio.to_thread(table.shown.once, "worked out", partial(worked_out, dice))
    return page(who, "dice.html", **what)


def worked_out(seen: DiceView) -> dict[str, Any]:
    """Each draw with the number that it follows from, and how many are not as promised."""
    salts = {int(seat): salt for seat, salt in seen.salts.items()}
    pledge = Pledge(seen.promise or "", salts, seen.after, seen.seed)
    rows = []
    for draw in seen.draws:
        k = len(draw.texts)
        word = promised.word(pledge.key, draw.kind, draw.n, k)
        good, came = word % k == draw.drawn, draw.texts[draw.drawn]
        rows.append({"draw": draw, "k": k, "word": word, "came": came, "good": good})
    kept = promised.promise(bytes.fromhex(pledge.seed or "")) == pledge.promise
    wrong = [str(draw.event) for draw, row in zip(seen.draws, rows, strict=True) if not row["good"]]
    return {"rows": rows, "kept": kept, "wrong": wrong, "dice_key": pledge.key.hex()}
