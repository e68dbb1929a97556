"""Bots of the server: they think in threads, which whoever opens tables shares fairly."""

import asyncio
import math
import os
import secrets
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, Protocol, TypeVar

from yegg import players
from yegg.engine import Game, Match, Refused
from yegg.engine.compiler import How
from yegg.players import Bot, thinks
from yegg.table import metrics

from .compiling import CompileQueue

LINES, SECONDS = 100_000, 2  # the largest budgets for one decision: iterations, seconds
QUICK = 0.05  # seconds; quicker jobs have a thread of their own, where they wait for no slower one
SLOWLY = 0.8  # how slowly it is forgotten that a kind of job once took longer
KINDS = 1000  # of jobs whose seconds are remembered
LINE = 0.0005  # seconds that an iteration takes at most
ANSWERS = {"hard": 0.5, "expert": 2.0}  # seconds: above the 99th percentile of their thinking
REMEMBER = 40  # bots: with the largest budget one remembers up to 60 MB
SUBSTITUTES = ("medium", "easy", "uniform")  # the first that has not failed plays for one that has
T = TypeVar("T")


def admit(game: Game, bot: str, seats: int, options: Mapping[str, str]) -> None:
    """Check that a bot may play such a game at a table.  Raises Refused."""
    why, plan = players.objection(game, bot, seats, options), players.budget(bot)
    if why:
        able = ", ".join(players.able(game, seats, options))
        raise Refused(f"{bot} cannot play here: {why}; these can: {able}")
    if plan and (plan.iterations > LINES or plan.seconds > SECONDS):
        base = players.base(bot)
        most = f"the largest are {base}:{LINES} and {base}:{SECONDS}s"
        raise Refused(f"{bot} would think too long for a table; {most}")


def substitute(game: Game, seats: int, options: Mapping[str, str], failed: Iterable[str]) -> str:
    """The bot that replaces one that failed; ``failed``: all that have failed at this table."""
    able = players.able(game, seats, options)
    fit = [name for name in SUBSTITUTES if name in able and name not in failed]
    return fit[0] if fit else SUBSTITUTES[-1]


def answers_after(bot: str, thought: float) -> float:
    """After how many seconds a bot answers that has thought so long; also where it had no choice.

    So nobody learns from the time of an answer whether a hidden hand left a choice.  Whoever thinks
    longer than usual answers at a multiple of this time.
    """
    plan = players.budget(bot)
    planned = plan.seconds or min(plan.iterations * LINE, SECONDS) if plan else 0.0
    usual = ANSWERS.get(players.base(bot), planned + QUICK)
    return usual * max(1, math.ceil(thought / usual))


class Job(NamedTuple):
    """A job of the threads: what to work out for whom, and the future that waits for it."""

    payer: str
    """Whose share of the time it takes."""
    done: asyncio.Future[Any]
    what: Callable[[], Any]
    kind: str
    """Jobs of one kind take about the same time."""


class FairQueue:
    """A fair queue of jobs, by who pays; whoever has used least time is next.

    Nobody saves up time while they have no jobs: who comes starts level with the others.
    """

    def __init__(self, threads: int) -> None:
        """``threads``: how many jobs may run at the same time."""
        self.free = threads
        self.waiting: dict[str, deque[Job]] = {}
        self.thinking: list[str] = []
        self.spent: dict[str, float] = {}  # seconds
        self.floor = 0.0  # the least that anybody with jobs has spent; it only rises

    def add(self, job: Job) -> None:
        """Let a job wait for its turn."""
        self.spent[job.payer] = max(self.spent.get(job.payer, 0.0), self.floor)
        self.waiting.setdefault(job.payer, deque()).append(job)

    def next(self) -> Job | None:
        """The job to run now, if a thread is free."""
        if not self.free or not self.waiting:
            return None
        payer = min(self.waiting, key=lambda key: (self.thinking.count(key), self.spent[key]))
        job = self.waiting[payer].popleft()
        if not self.waiting[payer]:
            del self.waiting[payer]
        self.free -= 1
        self.thinking.append(payer)
        return job

    def over(self, job: Job, seconds: float) -> None:
        """Note that a job is done, and how many seconds it took."""
        self.free += 1
        self.thinking.remove(job.payer)
        self.spent[job.payer] += seconds
        busy = {*self.waiting, *self.thinking}
        self.floor = max(self.floor, min(self.spent[key] for key in busy or {job.payer}))
        gone = [key for key in self.spent if key not in busy and self.spent[key] <= self.floor]
        for key in gone:
            del self.spent[key]


class DrivesBots(Protocol):
    """What lets the bots of one table play."""

    @property
    def busy(self) -> bool:
        """Whether a bot is to act."""

    def kick(self) -> None:
        """Let the bots go on, if it is their turn."""

    def close(self) -> None:
        """Stop after the current decision."""


class Bots:
    """The threads that all bots of the server and the coach share."""

    def __init__(self) -> None:
        """One thread fewer than cores, so that the loop keeps one; and one for quick jobs."""
        self.compiling = CompileQueue()
        slow = max(1, (os.cpu_count() or 2) - 1)
        self.pool = ThreadPoolExecutor(slow + 1, "bot")
        self.slow, self.quick = FairQueue(slow), FairQueue(1)
        self.took: dict[str, float] = {}  # seconds, by kind of job
        self.closing = False
        self.bots: OrderedDict[tuple[str, int], SeatedBot] = OrderedDict()

    async def choose(
        self,
        table: str,
        seat: int,
        bot: str,
        match: Match,
        payer: str = "",
        seed: int | None = None,
    ) -> int:
        """What a bot does for the current player of a match that nobody else touches.

        ``payer``: whose share of the time it takes; by default the table's.  ``seed``: of its dice
        in this decision, where they must not be its own.
        """
        if len(match.choices) == 1:  # nothing to think about; its time would mislead `took`
            return match.choices[0]
        thinker = self.at(table, seat, bot)
        how: How = "plain" if self.compiling.cold(match.game, bot) else "compiled"
        kind = f"{how} {bot} in {match.game.name}"
        with metrics.thinking.labels(players.base(bot)).time():
            return int(
                await self.think(payer or table, lambda: thinker.choose(match, how, seed), kind)
            )

    def at(self, table: str, seat: int, bot: str) -> "SeatedBot":
        """The bot at a seat, with its memory if not too many other bots have played since."""
        kept = self.bots.pop((table, seat), None)
        if kept is None or kept.name != bot:
            kept = SeatedBot(bot)
        self.bots[table, seat] = kept
        if len(self.bots) > REMEMBER:
            self.bots.popitem(last=False)
        return kept

    def forget(self, table: str) -> None:
        """Let all bots of a table go, with what they remember: its game is over."""
        for key in [key for key in self.bots if key[0] == table]:
            del self.bots[key]

    async def think(self, payer: str, what: Callable[[], T], kind: str = "") -> T:
        """Run something for somebody in a thread when it is their turn; return the result."""
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        queue = self.quick if self.took.get(kind, QUICK) < QUICK else self.slow
        queue.add(Job(payer, done, what, kind))
        self._go_on(queue)
        return await done

    def _go_on(self, queue: FairQueue) -> None:
        while not self.closing and (job := queue.next()):
            if job.done.cancelled():
                queue.over(job, 0.0)
                continue
            over = partial(self._over, queue, job, time.monotonic())
            job.done.get_loop().run_in_executor(self.pool, job.what).add_done_callback(over)

    def _over(self, queue: FairQueue, job: Job, begun: float, ran: asyncio.Future[Any]) -> None:
        seconds = time.monotonic() - begun
        queue.over(job, seconds)
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
        self._go_on(queue)

    def close(self) -> None:
        """Finish the jobs that run, and begin nothing new."""
        self.closing = True
        self.pool.shutdown(wait=True, cancel_futures=True)


@dataclass
class SeatedBot:
    """A bot at a seat; sits down (loads, remembers) in its thread, at its first choice."""

    name: str
    """As in `yegg.players.names`."""
    bot: Bot | None = None

    def choose(self, match: Match, how: How = "compiled", seed: int | None = None) -> int:
        """The choice for the current player; "plain" until the bot is compiled."""
        if seed is not None and not thinks(self.name):
            self.bot = Bot(self.name, seed)
        elif self.bot is None:
            self.bot = Bot(self.name, secrets.randbits(63))
        self.bot.how = how
        return self.bot.choose(match.view())
