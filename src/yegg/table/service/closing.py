"""Closing a table before the game is over.

Before the game begins whoever opened the table can close it.  Later all people who sit there have
to agree, so that nobody can close a game because they are losing it.  Whoever runs the server can
close any.
"""

from contextlib import suppress
from functools import partial

import sqlalchemy as sa

from yegg.table.domain.automatic_events import change, play_out
from yegg.table.domain.dice import unpromised
from yegg.table.domain.seats import Event, Kind
from yegg.table.refusals import HttpRefusal
from yegg.table.storage.block_list import touch
from yegg.table.storage.store import Store, Taken
from yegg.table.storage.uptime import here
from yegg.table.storage.writes import Tell, Write

from .older_rules import replayed
from .optimistic_lock import TRIES, again
from .registry import game_of
from .table import Table


@again
async def close(table: Table, seat: int, by: str | None = None) -> bool:
    """Close the table, or say that one would like to; return whether it is closed.

    ``by`` is the person who asks.  Raises HttpRefusal.
    """
    async with table.lock:
        table.not_over(seat, by)
        now = table.now
        if not now.begun and now.seats[seat].person != now.opener:
            why = "only whoever opened this table can close it; you can leave your seat"
            raise HttpRefusal(403, why)
        others = {i for i, place in enumerate(now.seats) if place.person} - {seat}
        agreed = not now.begun or others <= now.wishes
        if agreed or seat not in now.wishes:
            await table.keep(Event(seat, Kind.CLOSED if agreed else Kind.WISH))
        return agreed


def close_any(store: Store, key: str) -> str:
    """Close a table for whoever runs the server, from beside it; return the table's name.

    Raises HttpRefusal 404, 409, 410, and Unwritten.
    """
    for _ in range(TRIES):
        row = store.read(key)
        if row is None:
            raise HttpRefusal(404, "there is no such table")
        if row.ended is not None:
            raise HttpRefusal(409, "this table is over or closed already")
        was, at = replayed(row, game_of(row.game, row.version), store.events(row.id)), here()
        ahead = was.fork()
        rows = tuple(play_out(row.id, ahead, [Event(-1, Kind.CLOSED)], at, unpromised))
        told = partial(_touched, row.id)
        with suppress(Taken):  # somebody was faster
            store.at_once(Write(rows, change(row.id, was, ahead, at), told))
            return str(row.name)
    raise HttpRefusal(503, "too many people are acting here at once; try again")


def _touched(game: int, connection: sa.Connection, _: Tell) -> None:
    touch(connection, game)
