"""Lets a table's bots play; if one fails, another replaces it, and everybody is told."""

import asyncio
import time

import structlog

from yegg.engine import NotLegal
from yegg.players import stand_in
from yegg.table import metrics
from yegg.table.domain import faces
from yegg.table.domain.dice import DICE
from yegg.table.domain.seats import Event, Kind
from yegg.table.refusals import HttpRefusal

from .bots import admit, answers_after, substitute
from .table import Table

UNSEEN = 30.0  # seconds that bots think at a table where nobody sits or watches
log = structlog.get_logger()


class BotDriver:
    """Lets the bots of one table think and choose as long as it is their turn."""

    def __init__(self, table: Table) -> None:
        """It starts with `kick`."""
        self.table = table
        self.task: asyncio.Task[None] | None = None
        self.unseen = 0.0
        """For how many seconds bots have thought here while nobody sat or watched."""
        self.coming: dict[str, asyncio.Task[None]] = {}  # bots that are being compiled

    @property
    def busy(self) -> bool:
        """Whether a bot is to act."""
        return self.task is not None and not self.task.done()

    @property
    def looked_at(self) -> bool:
        """Whether anybody sits at the table or watches, or will, as at a deal of the day."""
        table = self.table
        watched = table.watchers or table.elsewhere.watchers
        people = any(place.person for place in table.now.seats)
        return bool(watched) or people or table.deal is not None

    def kick(self) -> None:
        """Let the bots go on, if it is their turn and no other process lets them.

        After the game they go.
        """
        if self.table.now.over or self.table.now.closed:
            self.table.thinkers.forget(self.table.key)
        if not self.table.closing and not self.busy and self._to_act():
            self.task = asyncio.get_running_loop().create_task(self._drive())

    def close(self) -> None:
        """Stop after the current decision."""
        for task in (self.task, *self.coming.values()):
            if task:
                task.cancel()

    def _to_act(self) -> list[int]:
        now = self.table.now
        if not self.table.driven_here:
            return []
        if not self.looked_at and self.unseen > UNSEEN:
            return []  # until somebody looks
        return [seat for seat in now.waited_for() if now.seats[seat].bot]

    async def _drive(self) -> None:
        while not self.table.closing and (seats := self._to_act()):
            await asyncio.gather(*(self._think(seat) for seat in seats))

    async def _think(self, seat: int) -> None:
        table = self.table
        if seat not in self._to_act():
            return  # meanwhile the owner has come back, or has left
        name, match = table.now.seats[seat].bot or "", table.now.acting()[seat].match
        after, begun = table.now.seen[seat], time.monotonic()
        try:
            admit(table.game, name, match.players, match.options)
            choice = table.deal.repeated(table.now, seat) if table.deal else None
            if choice is None and table.thinkers.compiling.cold(table.game, name):
                self._prepare(name)
                if table.deal and stand_in(name) != name:  # which would play in its place
                    await asyncio.shield(self.coming[name])
            mind = table.deal.mind(match, seat) if table.deal else None
            if choice is None:
                choose, fork = table.thinkers.choose, match.fork()
                choice = await choose(table.key, seat, name, fork, table.payer, mind)
            if choice not in match.choices:
                raise NotLegal(f"{name} answered {choice}, which is not legal")
        except Exception:  # a bot's fault must not stop the table
            log.exception("bot", bot=name, game=table.game.name, table=table.key[:8])
            failed = {*table.now.failed, name}
            if name != (other := substitute(table.game, match.players, match.options, failed)):
                await self._failed(seat, name, other)
                return
            choice = DICE.choice(match.choices)  # a random choice, like that of the last substitute
        thought = time.monotonic() - begun
        self.unseen = 0.0 if self.looked_at else self.unseen + thought
        await asyncio.sleep(max(0.0, self.wait(name, thought) - thought))
        if table.now.seats[seat].bot != name:
            return  # the owner is back
        try:
            await table.choose(seat, choice, after)
        except HttpRefusal as refusal:
            metrics.not_kept.labels(table.game.name, "bot", refusal.status).inc()
            await self._later(name, refusal)

    def _prepare(self, bot: str) -> None:
        """Have a bot compiled before others; a plain one stands in until then."""
        if bot not in self.coming:
            coming = asyncio.get_running_loop().create_task(self.made_ready(bot))
            self.coming[bot] = coming

    async def made_ready(self, bot: str) -> None:
        """Wait until a bot is compiled; those who watch are told before and after."""
        self.table.anew()
        await self.table.thinkers.compiling.want(self.table.game, bot)
        self.table.anew()

    async def _failed(self, seat: int, bot: str, other: str) -> None:
        """Let another bot play on, and tell everybody."""
        table = self.table
        try:
            async with table.lock:
                place = table.now.seats[seat]
                if place.bot == bot:  # else the owner is back
                    await table.keep(Event(seat, Kind.FAIL, name=place.name, bot=other))
                    metrics.failed.labels(bot).inc()
        except HttpRefusal as refusal:
            await self._later(bot, refusal)

    async def _later(self, bot: str, refusal: HttpRefusal) -> None:
        """After something could not be saved: wait, if that may help."""
        if refusal.status == 503:  # the disk is full or slow
            await asyncio.sleep(1)
        elif refusal.status != 409:
            log.error("bot", bot=bot, game=self.table.game.name, why=refusal.why)
            await asyncio.sleep(1)

    # How long a bot takes at least

    def wait(self, bot: str = "", thought: float = 0.0) -> float:
        """How many seconds a bot takes, so that its time tells nothing.

        Where bots play by themselves those who watch must be able to follow, too.
        It has ``thought`` for so many already.  Without a pace it answers as soon as it can.
        """
        table = self.table
        if not table.house.pace:
            return 0.0
        hiding = answers_after(bot, thought) if table.now.secret else 0.0
        played = any(place.person and not place.bot for place in table.now.seats)
        if played or table.now.sealed:  # pages set the pace; nobody sees a sealed order
            return hiding
        others = 1.0 if table.elsewhere.watchers else 0.0
        slowest = max(others, *table.watchers.values(), 0.0)
        return max(hiding, table.house.pace * self.look() * slowest if slowest else 0.0)

    def look(self) -> float:
        """How long people look at the position before a bot goes on, as a multiple of the pace."""
        return faces.pause(self.table.now.match, self.table.shown.heard(-1, faces.TOLD))
