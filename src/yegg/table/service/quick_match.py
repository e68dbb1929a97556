"""Quick match: whoever presses gets a seat at the table of a game that waits, or opens one.

Which table waits is known by the database alone, so it works through any number of processes.
"""

from dataclasses import replace
from functools import partial

import sqlalchemy as sa

from yegg import games
from yegg.table.domain.quick_match import ALONE, PACE, joinable, lanes, waits
from yegg.table.domain.seats import Event, Kind, citizen, unlike_others
from yegg.table.refusals import HttpRefusal
from yegg.table.storage.database import Tell
from yegg.table.storage.schema import games as heads
from yegg.table.storage.store import Taken, Unwritten

from .block_list import check_seat
from .bots import substitute
from .new_tables import ME, OPEN, NewTable
from .optimistic_lock import TRIES, retried
from .registry import Registry
from .table import Table

APART = 403  # these two would rather not meet


def new_table(game: str, you: str, salt: str, address: str) -> NewTable:
    """The table that is opened if nobody waits.  Raises Refused for a game that is not known."""
    found = games.find(game)
    seats = [ME] + [OPEN] * (found.usual - 1)
    return NewTable(found.name, seats, you, odds=False, clock=PACE, salt=salt, address=address)


async def seat_now(registry: Registry, wish: NewTable, person: str) -> Table:
    """The table where somebody who presses sits now.  Raises HttpRefusal, and Refused."""
    for lane in lanes(wish.game):
        for _ in range(TRIES):
            try:
                key = await registry.store.aside(registry.store.waiting_at, lane)
                if key is None:
                    return await registry.open(replace(wish, quick=lane), person)
                if table := await _joined(registry, key, wish, person):
                    return table
                await registry.store.work(partial(_retired, lane=lane, key=key))
            except Taken:  # somebody else has opened it just now
                continue
            except Unwritten:
                raise HttpRefusal(503, "this could not be saved; try again") from None
            except HttpRefusal as refusal:
                if refusal.status != APART:
                    raise
                break
    raise HttpRefusal(503, "too many people are coming at once; press again")


async def _joined(registry: Registry, key: str, wish: NewTable, person: str) -> Table | None:
    """The table of that key, with a seat taken there; None if nobody waits there any more."""
    try:
        await registry.fetch(key)
    except HttpRefusal:  # its game is not here any more
        return None
    table = registry.table(key)
    if not _attended(table):
        return None
    return table if await _sat(table, wish.you, person, wish.salt) else None


def _attended(table: Table) -> bool:
    """Whether somebody who sits there has been seen lately, or has only just come."""
    young = table.store.hours.now() - table.row.at < 1000 * table.presence.patience
    return young or table.presence.anybody(table.now)


@retried
async def _sat(table: Table, you: str, person: str, salt: str) -> bool:
    """Take a free seat, or that of a bot, which leaves it; whether there was one."""
    async with table.lock:
        now = table.now
        if now.seat_of(person) >= 0:
            return waits(now)
        await check_seat(table.store, now, person)
        if not waits(now) or now is not table.now:
            return False
        place = joinable(now)[0]
        gone = [] if now.seats[place].free else [Event(place, Kind.LEAVE)]
        called = unlike_others(you, now.seats, place)
        words = salt or None if not now.begun else None
        await table.keep(*gone, Event(place, Kind.SIT, -1, called, person, words=words))
        return True


def _retired(connection: sa.Connection, _: Tell, lane: str, key: str) -> None:
    """A table waits no more, if it still did."""
    same = (heads.c.quick == lane) & (heads.c.key == key)
    due = sa.case((heads.c.to_act > 0, heads.c.due))  # a clock's; bots are due no more
    connection.execute(sa.update(heads).where(same).values(quick=None, due=due))


@retried
async def fill(table: Table) -> None:
    """Let bots sit down beside somebody who has waited long enough, and is still there."""
    async with table.lock:
        now = table.now
        late = table.row.quick is not None and table.store.hours.now() - table.row.at >= ALONE
        if not late or now.begun or not waits(now) or not table.presence.anybody(now):
            return
        options, names = now.match.options, {seat.name for seat in now.seats}
        bot, sit = substitute(table.game, len(now.seats), options, now.failed), list[Event]()
        for place in joinable(now):
            name = citizen(names)
            names.add(name)
            sit.append(Event(place, Kind.SIT, name=name, bot=bot))
        await table.keep(*sit)
