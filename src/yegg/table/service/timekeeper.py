"""Looks whose time is up, and does what the terms of their table say.

A table is looked at by the process that lets its bots play, and only while that process knows all
closures of the house: it has given a sign of life lately, by the database's clock.  If two ever
believe that a table is theirs, the database keeps what the first of them writes.
"""

import asyncio
from contextlib import suppress
from functools import partial

import structlog

from yegg.table.refusals import HttpRefusal
from yegg.table.storage.store import Unread
from yegg.table.storage.uptime import Sign

from .clock_actions import late
from .registry import Registry

TICK = 0.5  # seconds between two looks at the tables in memory
SLEEPING = 4  # seconds between two looks at those that are only on disk
BEAT = 5  # seconds between signs of life, where no other process listens for them
MANY = 50_000  # tables whose time is known to be up later than the disk says
log = structlog.get_logger()


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
        if not self.store.database.shared:  # else `Company` gives signs of life
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
                await table.again_from_disk()
        hours.sure(sign)

    # Whose time is up

    async def _looking(self) -> None:
        every, looks = round(SLEEPING / TICK), 0
        while True:
            try:
                if self.store.hours.fresh(self.store.database.silent):
                    await self.look()
                    if looks % every == 0:
                        await self.wake()
                    looks += 1
            except Exception:  # whatever it is: others' time goes on
                log.exception("looking")
            await asyncio.sleep(TICK)

    async def look(self) -> None:
        """Do what is to be done at tables in memory where somebody's time is up."""
        now = self.store.hours.now()
        for table in list(self.registry.tables.values()):
            clock = table.now.clock
            if clock is None or not clock.acting or not table.drives(table.id) or table.closing:
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
            found = await self.store.aside(self.store.games_due, now)
        except Unread:
            return
        if len(self.later) > MANY:
            self.later.clear()
        for game, key, due in found:
            if game in self.registry.by_number or not self.registry.drives(game):
                continue
            if self.later.get((game, due), due) > now:
                continue
            with suppress(HttpRefusal, Unread):
                await self.registry.fetch(key)
            table = self.registry.by_number.get(game)
            clock = table.now.clock if table else None
            dues = [at for seat in clock.acting if (at := clock.due(seat))] if clock else []
            self.later[game, due] = min(dues, default=now + 3_600_000)
