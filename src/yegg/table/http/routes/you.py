"""Routes of a person's own games: how they went, and an export of them."""

import asyncio
from collections.abc import AsyncIterator
from itertools import accumulate
from typing import Any

import msgspec
from litestar import Response, get
from litestar.response import Stream

from yegg.table.http.requests import Visitor, Who
from yegg.table.http.responses import page
from yegg.table.refusals import HttpRefusal
from yegg.table.render import svg
from yegg.table.service import own_games
from yegg.table.service.own_games import LookedBack, Played
from yegg.table.storage.store import Unread

from .api import record_of


@get("/you")
async def you_page(who: Who) -> Response[bytes]:
    """The asker's finished games: what they won, how, and the level that would be even now.

    The coach goes through the newest of them meanwhile.
    """
    who.count(who.limits.asking)
    games = await own_games.of_person(who.store, who.person)
    looked = who.registry.backlog.look(who.person, games) if who.person else None
    return page(
        who,
        "own_games.html",
        rows=own_games.won(games),
        games={one.game.name: one.game for one in games},
        even=own_games.even_matches(games),
        offer=who.registry.offer(),
        looked=looked,
        curves=curves(looked) if looked and looked.games else None,
        bar=svg.bar,
    )


def curves(looked: LookedBack) -> dict[str, Any]:
    """Luck and play added up over the games, for a picture; all in wins."""
    luck = [0.0, *accumulate(looked.luck)]
    play = [0.0, *accumulate(looked.play)]
    most = max(0.5, *map(abs, luck + play))
    lines = [
        {"name": name, "path": svg.path([0.5 + at / (2 * most) for at in line]), "sum": line[-1]}
        for name, line in (("Luck", luck), ("Play", play))
    ]
    rows = list(zip(looked.games, looked.luck, looked.play, strict=True))
    return {"lines": lines, "most": most, "rows": rows}


@get("/you/export")
async def export(who: Who) -> Stream:
    """All finished games of the asker as JSON: what was won, and the record of each."""
    who.count(who.limits.opening)
    games = await own_games.of_person(who.store, who.person)
    headers = {"Content-Disposition": 'attachment; filename="yegg-games.json"'}
    headers["Cache-Control"] = "no-store"
    return Stream(exported(who, games), media_type="application/json", headers=headers)


async def exported(who: Visitor, games: list[Played]) -> AsyncIterator[bytes]:
    """The export, piece by piece: no more than one game is in memory for it."""
    won = [
        {"game": row.game.name, "against": row.against, "games": row.games}
        | {"share": row.won.value, "low": row.won.low, "high": row.won.high, "even": row.even}
        for row in own_games.won(games)
    ]
    yield b'{"won": ' + msgspec.json.encode(won) + b', "games": ['
    for i, one in enumerate(games):
        piece = {
            "id": one.key,
            "game": one.game.name,
            "name": one.name,
            "ended": one.ended,
            "seat": one.seat + 1,
            "against": one.against,
            "places": one.places,
            "scores": one.scores,
            "share": one.share,
            "record": await recorded(who, one),
        }
        yield (b",\n" if i else b"\n") + msgspec.json.encode(piece)
    yield b"\n]}\n"


async def recorded(who: Visitor, one: Played) -> str | None:
    """The record of a game as the asker may see it; None if it cannot be read now."""
    registry, there = who.registry, one.key in who.registry.tables
    try:
        await registry.fetch(one.key)
    except (HttpRefusal, Unread):
        return None
    table = registry.table(one.key)
    text = await asyncio.to_thread(record_of, table, table.now.fork(), one.seat)
    if not (there or table.watchers or table.lock.locked()):
        registry.forget(table)
    return text
