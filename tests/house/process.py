"""A process of the house: the real application, until it ends or dies."""

import asyncio
from contextlib import contextmanager, suppress
from contextvars import ContextVar

from house.writing import Writer
from yegg.table.app import application
from yegg.table.refusals import HttpRefusal
from yegg.table.service.timekeeper import Timekeeper
from yegg.table.settings import Settings

HOST = "testserver.local"
DOING = ContextVar("doing", default=None)
"""The process whose work is being done; None: the test's own."""


def bots_choice(match):
    """What every bot does here: it follows from how many events there were."""
    return match.choices[len(match.history) % len(match.choices)]


async def think(table, seat, bot, match, payer="", seed=None):
    """In place of a bot, at once."""
    return bots_choice(match)


class Process:
    """The application on a disk; it opens as soon as it is made."""

    def __init__(self, loop, disk):
        self.loop, self.tasks = loop, {}
        self.death = loop.create_future()
        with self.work():
            self.app = application(
                Settings(
                    db=f"sqlite:///{disk.path}", limits=False, pace=0.0, hosts=(HOST,), warm=False
                )
            )
            self.registry = self.app.state.registry
            self.registry.thinkers.choose = think
            compiling = self.registry.thinkers.compiling  # as if all of it were done
            compiling.prepare, compiling.cold = lambda game: None, lambda game, bot: game.kept
            compiling.how = lambda game: "plain" if game.kept else "compiled"
            self.writer = Writer(self.registry.store, loop, disk, self.death)
            self.keeper = Timekeeper(self.registry)
            self.begun, self.ended = asyncio.Event(), asyncio.Event()
            self.life = loop.create_task(self._living())

    @contextmanager
    def work(self):
        """Whatever begins here ends with this process."""
        before = DOING.set(self)
        try:
            yield
        finally:
            DOING.reset(before)

    @property
    def cluster(self):
        """The others, as it knows them; None if it is alone."""
        return self.app.state.cluster

    async def _living(self):
        async with self.app.lifespan():
            self.begun.set()
            await self.ended.wait()

    async def asked(self, scope, receive, send):
        """A request, as a server hands it on."""
        with self.work():
            await self.app(scope, receive, send)

    def end(self):
        """Throw it away; whatever it still does, nobody hears of it."""
        self.writer.dead = True
        if self.cluster:
            self.cluster.database.ended = True
        while left := [task for task in self.tasks if not task.done()]:
            for task in left:
                task.cancel()
            self.loop.run_until_complete(asyncio.wait(left))
        self.tasks.clear()

    # What a test asks of it beside requests

    async def fetch(self, keys):
        """Have tables here."""
        for key in keys:
            with suppress(HttpRefusal):
                await self.registry.fetch(key)

    def forget(self, key):
        """Have a table read from disk when somebody comes next."""
        if table := self.registry.tables.get(key):
            table.close()
            self.registry.forget(table)

    async def look(self):
        """Look whose time is up."""
        await (self.cluster._beat() if self.cluster else self.keeper.beat())
        await self.keeper.wake()
        await self.keeper.look()

    async def settled(self):
        """Wait until none of its bots has anything to do; whether one had."""
        busy = False
        for table in list(self.registry.tables.values()):
            while table.driver.busy:
                busy = True
                await asyncio.wait([table.driver.task])
                table.driver.kick()
        return busy
