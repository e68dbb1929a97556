"""Everybody's results in a deal: kept in memory, until the database counts others."""

import asyncio
from collections import OrderedDict
from collections.abc import Collection
from functools import partial
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa

from yegg.engine.days import LEVELS, day_of, standing
from yegg.table.domain.deal_results import Results, Try, best_first
from yegg.table.domain.deals import DEAL, LEVEL, Looked
from yegg.table.storage.schema import deals
from yegg.table.storage.schema import games as tables
from yegg.table.storage.store import Store

from .block_list import BlockList
from .lobby import seat_of

REMEMBERED = 64
"""Deals; beyond that, whichever nobody has asked for longest is forgotten."""
SHOWN = tables.c.key, tables.c.chance, tables.c.ended, tables.c.result, tables.c.people
MANY = 500
"""Tries; so many new ones are read with all others of the deal."""
TRIES = sa.select(deals, *SHOWN).join(tables, deals.c.game == tables.c.id)
"""Tries with what is shown of their tables."""
OVER, SEEN = tables.c.ended.is_not(None), deals.c.looked.is_not(None)
STATES = sa.select(deals.c.game, OVER, SEEN).join(tables, deals.c.game == tables.c.id)
COUNTS = sa.select(
    sa.func.count(), sa.func.count(tables.c.ended), sa.func.count(deals.c.looked)
).join_from(deals, tables, deals.c.game == tables.c.id)


def tried(row: sa.Row[Any]) -> Try:
    """A try, of a row of `TRIES`."""
    by_bot = row.person.startswith(LEVEL)  # which has not seen the key, however late it is
    of_day = (row.chance or "").startswith(DEAL) and not by_bot
    in_time = row.ended is not None and (not of_day or day_of(row.ended) == row.day)
    seat = max(0, seat_of(row, row.person))
    counts = standing(row.result, seat) if row.result and in_time else None
    looked = msgspec.convert(row.looked, Looked) if row.looked else None
    name = row.people[seat][0] if row.people else ""
    what = (row.key, row.game, row.person, name, row.day, row.name, seat)
    return Try(*what, counts, row.ended is not None, looked)


class Kept(NamedTuple):
    """The tries at a deal, as they were when it was last looked."""

    changes: Collection[int] | None
    """Those of the block list then: whoever was forgotten since is one."""
    counts: tuple[int, ...]
    """How many tries there were, how many were over, and at how many the coach has looked."""
    tries: dict[int, Try]
    """By game."""
    of_person: dict[str, Try]
    people: list[Try]
    """Those that count, the best first."""
    levels: dict[str, Try]
    going: int


class DealResults:
    """Everybody's results in deals; read are only tries that are new, or have become others."""

    def __init__(self, store: Store, guests: BlockList) -> None:
        """``guests``: where somebody who was forgotten is known."""
        self.store, self.guests = store, guests
        self.kept: OrderedDict[tuple[str, str], Kept] = OrderedDict()
        self.reading = asyncio.Lock()  # else all who come after a restart read the same

    async def of(self, day: str, game: str, person: str | None) -> Results:
        """Everybody's results in a deal; ``day``: of a challenge its key.  Raises Unread."""
        which = day, game
        async with self.reading:
            known = self.kept.get(which)
            read = partial(_renewed, known, self.guests.seen, day, game)
            now = self.kept[which] = await self.store.query(read)
            self.kept.move_to_end(which)
            while len(self.kept) > REMEMBERED:
                self.kept.popitem(last=False)
        mine = now.of_person.get(person or "")
        return Results(now.people, now.levels, mine, now.going)


def _renewed(
    known: Kept | None,
    changes: Collection[int] | None,
    day: str,
    game: str,
    connection: sa.Connection,
) -> Kept:
    """What is kept of a deal, as the database has it now."""
    which = deals.c.day == day, deals.c.name == game
    counts = tuple(connection.execute(COUNTS.where(*which)).one())
    fresh = known if known and known.changes is changes else None
    if fresh and fresh.counts == counts:
        return fresh
    old = fresh.tries if fresh else {}
    tries, new = {}, []
    for number, over, seen in connection.execute(STATES.where(*which)):
        had = old.get(number)
        if had and (had.over, had.looked is not None) == (bool(over), bool(seen)):
            tries[number] = had
        else:
            new.append(number)
    wanted = TRIES.where(*which)
    if len(new) < MANY:
        wanted = wanted.where(deals.c.game.in_(new))
    tries |= {row.game: tried(row) for row in connection.execute(wanted)}
    return _kept(changes, counts, tries)


def _kept(changes: Collection[int] | None, counts: tuple[int, ...], tries: dict[int, Try]) -> Kept:
    people = [one for one in tries.values() if not one.level]
    levels = {one.level: one for one in tries.values() if one.level and one.standing}
    return Kept(
        changes,
        counts,
        tries,
        {one.person: one for one in people},
        sorted((one for one in people if one.standing), key=best_first),
        {level: levels[level] for level in LEVELS if level in levels},
        sum(not one.over for one in people),
    )
