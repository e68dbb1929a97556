"""Time at tables: pauses, gifts of time, holidays, and what happens once time is up.

A table is looked at by the process that lets its bots play, and only while that process knows all
closures of the house: it has given a sign of life lately, by the database's clock.  If two ever
believe that a table is theirs, the database keeps what the first of them writes.
"""

import asyncio
from contextlib import suppress
from functools import partial

import structlog

from yegg.table.domain.clock import ABSENT, DAY, Clock, lasting
from yegg.table.domain.seats import Event, Kind
from yegg.table.refusals import HttpRefusal
from yegg.table.storage.store import Unread
from yegg.table.storage.uptime import Sign

from .bots import substitute
from .optimistic_lock import retried
from .quick_match import fill
from .registry import Registry
from .table import Table

TICK = 0.5  # seconds between two looks at the tables in memory
SLEEPING = 4  # seconds between two looks at those that are only on disk
BEAT = 5  # seconds between signs of life, where no other process listens for them
MANY = 50_000  # tables whose time is known to be up later than the disk says
LONGEST = 366  # days of a holiday
GIFTS = 3  # turns by which a reserve can be made larger than it was at the start
log = structlog.get_logger()


# What people may do.  Each function raises HttpRefusal for what is not possible; ``by`` asks.


@retried
async def pause(table: Table, seat: int, by: str | None = None) -> None:
    """Somebody would like a pause; once all people at the table would, all time stands."""
    async with table.lock:
        clock = timed(table, seat, by)
        if not table.now.begun:
            raise HttpRefusal(409, "the game has not begun yet", number=table.now.seen[seat])
        if table.evening:
            raise HttpRefusal(409, "a round of an evening is not paused: others wait for its end")
        _plays(table, seat)
        if seat not in clock.agreed:
            await table.keep(Event(seat, Kind.PAUSE))


@retried
async def go_on(table: Table, seat: int, by: str | None = None) -> None:
    """Somebody wants no pause, or ends it."""
    async with table.lock:
        if timed(table, seat, by).agreed:
            await table.keep(Event(seat, Kind.GO_ON))


@retried
async def give(table: Table, seat: int, to: int, by: str | None = None) -> None:
    """Somebody gives another the time of one more turn.

    A third player waits meanwhile, so that two cannot do this for ever.
    """
    async with table.lock:
        clock = timed(table, seat, by)
        number = table.now.seen[seat]
        if not 0 <= to < len(table.now.seats):
            raise HttpRefusal(409, f"there is no seat {to + 1} at this table", number=number)
        if to == seat:
            raise HttpRefusal(409, "you can give time to others only", number=number)
        place = table.now.seats[to]
        if place.person is None or place.bot:
            why = f"nobody at seat {to + 1} needs time: no person plays there now"
            raise HttpRefusal(409, why, number=number)
        terms = clock.terms
        if clock.times[to].reserve > terms.reserve + (GIFTS - 1) * terms.turn:
            why = f"{place.name} has been given enough time for this turn"
            raise HttpRefusal(409, why, number=number)
        await table.keep(Event(seat, Kind.GIVE, to))


@retried
async def leave_for(table: Table, seat: int, days: int, by: str | None = None) -> None:
    """Somebody goes on holiday for some days; their time stands meanwhile.  0: they are back."""
    async with table.lock:
        clock, number, now = timed(table, seat, by), table.now.seen[seat], table.store.hours.now()
        if days == 0:
            if clock.away(seat, now) is not None:
                await table.keep(Event(seat, Kind.HERE))
            return
        if not clock.terms.by_days:
            why = "holidays are for games with days a turn; here you can ask for a pause"
            raise HttpRefusal(409, why, number=number)
        left = clock.holiday_left(seat, now)
        if left < days * DAY:
            whole = f"{lasting(left // DAY * DAY)} of holiday" if left >= DAY else "no holiday"
            raise HttpRefusal(409, f"you have {whole} left in this game", number=number)
        await table.keep(Event(seat, Kind.AWAY, words=str(now + days * DAY)))


@retried
async def late(table: Table, seat: int) -> None:
    """Somebody's time is up, if it still is: the terms say who plays for them."""
    async with table.lock:
        clock = table.now.clock
        due = clock.due(seat) if clock else None
        if clock is None or due is None or due > table.store.hours.now() or table.now.closed:
            return
        at = table.now.acting().get(seat)
        if at and at.full:  # a full sheet that was not sealed: it is what they would send
            await table.keep(Event(seat, Kind.SEAL))
            return
        if clock.terms.late == ABSENT:
            await table.keep(Event(seat, Kind.LATE))
            return
        able, wanted, match = table.able(), clock.terms.late, table.now.match
        bot = wanted
        if wanted not in able:
            bot = substitute(table.game, match.players, match.options, table.now.failed)
        kind = Kind.GONE if clock.times[seat].missed else Kind.LATE
        await table.keep(Event(seat, kind, name=table.now.seats[seat].name, bot=bot))


def timed(table: Table, seat: int, by: str | None) -> Clock:
    """The clock of a game that goes on.  Raises HttpRefusal without one."""
    table.not_over(seat, by)
    if table.now.clock is None:
        raise HttpRefusal(409, "nobody is hurried at this table", number=table.now.seen[-1])
    return table.now.clock


def _plays(table: Table, seat: int) -> None:
    place = table.now.seats[seat]
    if place.bot:
        why = f"a bot ({place.bot}) is playing for you; play yourself first"
        raise HttpRefusal(409, why, number=table.now.seen[seat])


# Who looks whose time is up


class Timekeeper:
    """Keeps the time of all tables that this process drives."""

    def __init__(self, registry: Registry) -> None:
        """``registry``: the tables of this process."""
        self.registry, self.store = registry, registry.store
        self.later: dict[tuple[int, int], int] = {}
        """By game and what the disk says: when its time is up in truth; closures make it later."""
        self.tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Give a sign of life, and begin to look."""
        begin = asyncio.get_running_loop().create_task
        if not self.store.database.shared:  # else `Cluster` gives signs of life
            await self.beat(first=True)
            self.tasks.append(begin(self._beating()))
        self.tasks.append(begin(self._looking()))

    def close(self) -> None:
        """Look no more."""
        for task in self.tasks:
            task.cancel()

    # When the house was closed

    async def beat(self, *, first: bool = False) -> None:
        """Give a sign of life, the ``first`` or another, unless the disk is full or broken."""
        with suppress(Unread):
            sign = partial(self.store.database.sign, self.store.hours, first=first)
            await self.note(await self.store.aside(sign))

    async def _beating(self) -> None:
        while True:
            await asyncio.sleep(BEAT)
            await self.beat()

    async def note(self, sign: Sign) -> None:
        """Note a sign of life; after a closure everybody's time is reckoned anew."""
        hours = self.store.hours
        hours.note(sign)
        for table in list(self.registry.tables.values()):
            if table.now.clock and table.now.clock.closed != hours.closed:
                await table.reread()
        hours.sure(sign)

    # Whose time is up

    async def _looking(self) -> None:
        every, looks = round(SLEEPING / TICK), 0
        while True:
            try:
                await self.registry.delays.look()
                if self.store.hours.fresh(self.store.database.silent):
                    await self.look()
                    if looks % every == 0:
                        await self.wake()
                    looks += 1
            except Exception:  # whatever it is: others' time goes on
                log.exception("looking")
            await asyncio.sleep(TICK)

    async def look(self) -> None:
        """Do what is due at tables in memory: somebody's time is up, or they wait for company."""
        now = self.store.hours.now()
        for table in list(self.registry.tables.values()):
            if not table.driven_here or table.closing:
                continue
            if table.row.quick is not None and not table.now.begun:
                with suppress(HttpRefusal):
                    await fill(table)
            clock = table.now.clock
            if clock is None or not clock.acting:
                continue
            for seat in clock.acting:
                due = clock.due(seat)
                if due is not None and due <= now:
                    with suppress(HttpRefusal):  # the disk is full, or the game has gone on
                        await late(table, seat)

    async def wake(self) -> None:
        """Have those tables here whose time is up, but which nobody has looked at for long."""
        now = self.store.hours.now()
        try:
            overdue = await self.store.aside(self.store.games_due, now)
        except Unread:
            return
        if len(self.later) > MANY:
            self.later.clear()
        for game, key, due in overdue:
            if game in self.registry.by_number or not self.registry.processes.drives(game):
                continue
            if self.later.get((game, due), due) > now:
                continue
            with suppress(HttpRefusal, Unread):
                await self.registry.fetch(key)
            table = self.registry.by_number.get(game)
            clock = table.now.clock if table else None
            dues = [at for seat in clock.acting if (at := clock.due(seat))] if clock else []
            self.later[game, due] = min(dues, default=now + 3_600_000)
