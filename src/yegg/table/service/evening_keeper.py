"""Lets evenings go on: draws their rounds, opens tables, lets bots play for who is missing."""

import asyncio
import time
from contextlib import suppress
from functools import partial

import structlog

from yegg.engine import Refused
from yegg.table.domain.evening import Evening, RoundTable, played_for
from yegg.table.refusals import HttpRefusal
from yegg.table.storage.store import Taken, Unread

from . import evenings
from .bots import substitute
from .new_tables import OPEN, NewTable
from .registry import Registry

TICK = 1.0  # seconds between two looks at evenings that go on
YOUNG = 1.0  # seconds for which what was read of an evening may be shown
GRACE = 20_000  # ms that a table waits for somebody once the time of a round is up
MINUTE = 60_000
log = structlog.get_logger()


class EveningKeeper:
    """Looks after all evenings that go on.

    Each process does so.  Whatever they do at the same time the database takes once.
    """

    def __init__(self, registry: Registry) -> None:
        """``registry``: the tables of this process."""
        self.registry, self.store = registry, registry.store
        self.read: dict[str, tuple[float, Evening]] = {}
        """By key: when an evening was read last, and what it was."""
        self.task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to look."""
        self.task = asyncio.get_running_loop().create_task(self._looking())

    def close(self) -> None:
        """Look no more."""
        if self.task:
            self.task.cancel()

    async def shown(self, key: str) -> Evening:
        """An evening as it was a second ago at most.  Raises HttpRefusal 404, Unread."""
        now = time.monotonic()
        at, evening = self.read.get(key, (0.0, None))
        if evening is None or at < now - YOUNG:
            evening = await evenings.find(self.store, key)
            self.read = {k: v for k, v in self.read.items() if v[0] >= now - YOUNG}
            self.read[key] = now, evening
        return evening

    def changed(self, key: str) -> None:
        """Read an evening anew when it is shown again."""
        self.read.pop(key, None)

    async def _looking(self) -> None:
        while True:
            try:
                await self.look()
            except Unread:
                pass
            except Exception:  # whatever it is: the next look may find none of it
                log.exception("evenings")
            await asyncio.sleep(TICK)

    async def look(self) -> None:
        """Let every evening that goes on take its next step."""
        now = self.store.hours.now()
        for key in await self.store.query(partial(evenings.running, now=now)):
            try:
                await self.step(key)
            except Unread:
                raise
            except (HttpRefusal, Refused) as refusal:
                log.warning("evening", key=key[:8], why=str(refusal))
            except Exception:  # whatever it is: other evenings go on
                log.exception("evening", key=key[:8])

    async def step(self, key: str) -> None:
        """Do what is due in an evening.  Raises HttpRefusal, Refused, Unread."""
        evening = await evenings.find(self.store, key)
        if evening.running and evening.round_over:
            drew = await asyncio.to_thread(evenings.draw_round, evening)
            await evenings.keep_round(self.store, evening, drew)
            self.changed(key)
            evening = await evenings.find(self.store, key)
        if not evening.tables:
            return
        for table in evening.tables[-1]:
            if table.game is None:
                await self.open(evening, table)
                self.changed(key)
        now = self.store.hours.now()
        for table in evening.tables[-1]:
            late = table.at + evening.plan.minutes * MINUTE <= now
            if late and table.game is not None and not table.over:
                await self.finish(table, now)

    async def open(self, evening: Evening, table: RoundTable) -> None:
        """Open a table of a round, if no process has done so."""
        plan, game = evening.plan, evening.game
        seated = {}
        before = played_for(evening.tables[-2]) if len(evening.tables) > 1 else ()
        bot = substitute(game, len(table.members), plan.options, ())
        for seat, number in enumerate(table.members):
            member = evening.member(number)
            seated[seat] = (member.name, member.person, bot if number in before else None)
        wish = NewTable(
            game.name,
            [OPEN] * len(table.members),
            "",
            plan.options,
            odds=False,
            listed=False,
            clock=plan.terms,
            seated=seated,
            counts=plan.counts,
            evening=evening.key,
            name=f"Round {table.round}, table {table.number}",
        )
        with suppress(Taken):
            await self.registry.open(wish, "", table.key)

    async def finish(self, table: RoundTable, now: int) -> None:
        """Let bots play for those whom a table has waited for, for long enough."""
        late = [seat for seat, since in table.waits if since <= now - GRACE]
        if not late or table.game is None or not self.registry.processes.drives(table.game):
            return
        here = await self.registry.fetched(table.key)
        bot = substitute(here.game, len(here.now.seats), here.now.match.options, here.now.failed)
        for seat in late:
            place = here.now.seats[seat]
            if place.person and not place.bot and seat in here.now.waited_for():
                await here.hand_over(seat, bot)
