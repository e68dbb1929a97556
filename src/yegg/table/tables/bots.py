"""Bots think beside the event loop, and share its threads fairly among the tables."""

import asyncio
import os
import secrets
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, NamedTuple, TypeVar

from yegg import players
from yegg.engine import Game, Match, Refused
from yegg.engine.forge import How
from yegg.players import Bot
from yegg.table import metrics
from yegg.table.compiling import CompileQueue, sorted_by_use

LINES, SECONDS = 100_000, 2  # that a bot with a budget may think about a decision
QUICK = 0.05  # seconds: who thinks no longer waits for nobody slower
SLOWLY = 0.8  # is forgotten that a kind of thought once took longer
KINDS = 1000  # of thoughts whose seconds are remembered
REMEMBER = 40  # bots: with the largest budget one remembers up to 60 MB
SUBSTITUTES = ("medium", "easy", "uniform")  # for a bot that failed: the first that has not
T = TypeVar("T")


def admit(game: Game, bot: str, seats: int, options: Mapping[str, str]) -> None:
    """Let a bot play such games at a table.  Raises Refused."""
    why, plan = players.objection(game, bot, seats, options), players.budget(bot)
    if why:
        there = ", ".join(sorted_by_use(players.able(game, seats, options)))
        raise Refused(f"{bot} cannot play here: {why}; these can: {there}")
    if plan and (plan.iterations > LINES or plan.seconds > SECONDS):
        base = players.base(bot)
        most = f"the largest are {base}:{LINES} and {base}:{SECONDS}s"
        raise Refused(f"{bot} would think too long for a table; {most}")


def substitute(game: Game, seats: int, options: Mapping[str, str], failed: Iterable[str]) -> str:
    """Who plays on for a bot that failed; ``failed``: all that did at this table."""
    there = players.able(game, seats, options)
    fit = [name for name in SUBSTITUTES if name in there and name not in failed]
    return fit[0] if fit else SUBSTITUTES[-1]


class Job(NamedTuple):
    """Something to be thought for a table, and who waits for it."""

    table: str
    done: asyncio.Future[Any]
    what: Callable[[], Any]
    kind: str
    """What takes alike long."""


class Share:
    """What waits for some threads, by table: who has had least of them is next.

    Nobody saves up time while there is nothing to think: whoever comes begins where the others are.
    """

    def __init__(self, threads: int) -> None:
        """So many think at the same time."""
        self.free = threads
        self.waiting: dict[str, deque[Job]] = {}
        self.thinking: list[str] = []
        self.spent: dict[str, float] = {}  # seconds
        self.floor = 0.0  # the least that was spent by those who are there; it only rises

    def add(self, job: Job) -> None:
        """Let it wait for its turn."""
        self.spent[job.table] = max(self.spent.get(job.table, 0.0), self.floor)
        self.waiting.setdefault(job.table, deque()).append(job)

    def next(self) -> Job | None:
        """What is to be thought now, if a thread is free."""
        if not self.free or not self.waiting:
            return None
        table = min(self.waiting, key=lambda key: (self.thinking.count(key), self.spent[key]))
        job = self.waiting[table].popleft()
        if not self.waiting[table]:
            del self.waiting[table]
        self.free -= 1
        self.thinking.append(table)
        return job

    def over(self, job: Job, seconds: float) -> None:
        """It has been thought, in so many seconds."""
        self.free += 1
        self.thinking.remove(job.table)
        self.spent[job.table] += seconds
        there = {*self.waiting, *self.thinking}
        self.floor = max(self.floor, min(self.spent[key] for key in there or {job.table}))
        gone = [key for key in self.spent if key not in there and self.spent[key] <= self.floor]
        for key in gone:
            del self.spent[key]


class Bots:
    """The threads that all bots of the server and the coach share."""

    def __init__(self) -> None:
        """One thread fewer than cores: the loop keeps one.  And one for what is quick."""
        self.compiling = CompileQueue()
        slow = max(1, (os.cpu_count() or 2) - 1)
        self.pool = ThreadPoolExecutor(slow + 1, "bot")
        self.slow, self.quick = Share(slow), Share(1)
        self.took: dict[str, float] = {}  # seconds, by kind of job
        self.closing = False
        self.bots: OrderedDict[tuple[str, int], SeatedBot] = OrderedDict()

    async def choose(self, table: str, seat: int, bot: str, match: Match) -> int:
        """What a bot does for the current player of a match that nobody else touches."""
        if len(match.choices) == 1:  # nothing to think, and no sign of who is quick
            return match.choices[0]
        thinker = self.at(table, seat, bot, match.game)
        how: How = "plain" if self.compiling.cold(match.game, bot) else "compiled"
        kind = f"{how} {bot} in {match.game.name}"
        with metrics.thinking.labels(players.base(bot)).time():
            return int(await self.think(table, lambda: thinker.choose(match, how), kind))

    def at(self, table: str, seat: int, bot: str, game: Game) -> "SeatedBot":
        """The bot at a seat with what it remembers, unless too many have thought since."""
        kept = self.bots.pop((table, seat), None)
        if kept is None or kept.name != bot:
            kept = SeatedBot(game, bot)
        self.bots[table, seat] = kept
        if len(self.bots) > REMEMBER:
            self.bots.popitem(last=False)
        return kept

    async def think(self, table: str, what: Callable[[], T], kind: str = "") -> T:
        """Have something thought for a table, when it is its turn."""
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        share = self.quick if self.took.get(kind, QUICK) < QUICK else self.slow
        share.add(Job(table, done, what, kind))
        self._go_on(share)
        return await done

    def _go_on(self, share: Share) -> None:
        while not self.closing and (job := share.next()):
            if job.done.cancelled():
                share.over(job, 0.0)
                continue
            over = partial(self._over, share, job, time.monotonic())
            job.done.get_loop().run_in_executor(self.pool, job.what).add_done_callback(over)

    def _over(self, share: Share, job: Job, begun: float, ran: asyncio.Future[Any]) -> None:
        seconds = time.monotonic() - begun
        share.over(job, seconds)
        if len(self.took) > KINDS:
            self.took.clear()
        if job.kind in self.took:
            self.took[job.kind] = max(seconds, SLOWLY * self.took[job.kind])
        elif job.kind:  # the first time it may have loaded its machine code
            self.took[job.kind] = QUICK
        if job.done.cancelled():
            ran.cancelled() or ran.exception()
        elif ran.cancelled():
            job.done.cancel()
        elif error := ran.exception():
            job.done.set_exception(error)
        else:
            job.done.set_result(ran.result())
        self._go_on(share)

    def close(self) -> None:
        """Let what is being thought be finished, and begin nothing new."""
        self.closing = True
        self.pool.shutdown(wait=True, cancel_futures=True)


class SeatedBot:
    """A bot at a seat; sits down (loads, remembers) in its thread, at its first choice."""

    def __init__(self, game: Game, name: str) -> None:
        """``name`` as in `yegg.players.names`."""
        self.game, self.name = game, name
        self.bot: Bot | None = None

    def choose(self, match: Match, how: How = "compiled") -> int:
        """The choice for the current player; "plain" until the bot is compiled."""
        if self.bot is None or self.bot.how != how:
            self.bot = Bot(self.name, secrets.randbits(63), how=how)
        return self.bot.choose(match.view())
