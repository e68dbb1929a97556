"""The coach at the table: it thinks in the bots' threads, a little at a time.

Advice is for the seat that asks, by what it may know.  A review is made in as many steps as the
game has events, so that bots and advice for other people come in between.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import structlog

from yegg.coach.advice import Advice, advise, first_sight, odds_of
from yegg.coach.preparation import COACH
from yegg.coach.review import Review, look_back
from yegg.engine import Match
from yegg.players.thinking.plan import Plan
from yegg.table.domain.seats import Event, Kind
from yegg.table.refusals import HttpRefusal

from .bots import Bots
from .optimistic_lock import retried
from .table import Table

ADVICE = Plan(seconds=0.2)
REVIEW = Plan(iterations=1500, seconds=0.1)  # for each decision
QUEUE = 12  # how many may wait for the coach at once
SHARE = 4  # how many of these may be of one address
KEPT = 100  # pieces of advice that are kept for whoever asks again, each of some kilobytes
T = TypeVar("T")
log = structlog.get_logger()


@dataclass
class LookBack:
    """A review that is being made."""

    steps: int
    """How many the whole review has."""
    payer: str = ""
    """Whose share of the bots' time it takes."""
    done: int = 0
    found: Review | None = None
    task: asyncio.Task[None] | None = None
    later: bool = False
    """Whether nobody waits for it, so that all others come first."""


@retried
async def light(table: Table, seat: int) -> None:
    """Light a lantern beside the name of somebody who asks the coach, where other people play."""
    async with table.lock:
        place, seats = table.now.seats[seat], table.now.seats
        if not place.lantern and any(other.person for other in seats if other is not place):
            await table.keep(Event(seat, Kind.COACH))


class Coach:
    """The one coach of the server; at most `QUEUE` people wait for it."""

    def __init__(self, thinkers: Bots) -> None:
        """It thinks in the threads of ``thinkers``, so the loop always keeps a core."""
        self.thinkers = thinkers
        self.waiting: Counter[str] = Counter()  # by who asks
        self.reviewing = asyncio.Semaphore(1)  # one review at a time …
        self.later = asyncio.Semaphore(1)  # … and one for which nobody waits
        self.asked: dict[tuple[str, int, int, bool], asyncio.Task[Advice]] = {}
        self.reviews: dict[str, LookBack] = {}

    def decision(self, table: Table, seat: int, *, coach: bool = True) -> Match:
        """The game as a seat sees it.  Raises HttpRefusal if the seat may not ask or choose."""
        if table.deal and coach:
            why = f"the coach is off in {table.deal.called}: look back afterwards"
            raise HttpRefusal(403, why)
        if not table.odds:
            raise HttpRefusal(403, "hints are not allowed at this table")
        match = table.now.turn_of(seat)
        if match is None:
            raise HttpRefusal(409, "you have no choice to make now", number=table.now.seen[seat])
        return match

    async def advise(self, table: Table, seat: int, payer: str = "") -> Advice:
        """What each choice of the seat is worth, worked out once a turn.  Raises HttpRefusal.

        All at the table see that somebody has asked.  ``payer``: whose share of the bots' time it
        takes; by default the table's.
        """
        self.decision(table, seat)
        await light(table, seat)
        match = self.decision(table, seat)
        self.prepare(table)
        key = (table.key, seat, table.now.since[seat], ready := self.ready(table))
        if key not in self.asked:
            self._admit(payer := payer or table.key)
            self._forget(table.key)
            match = match.fork()
            work = (
                partial(advise, match, ADVICE, table.row.id)
                if ready
                else partial(first_sight, match)
            )
            self.asked[key] = asyncio.ensure_future(self._think(payer, work))
        try:
            return await asyncio.shield(self.asked[key])
        except asyncio.CancelledError:
            raise
        except Exception:
            self.asked.pop(key, None)
            raise

    def _forget(self, table: str) -> None:
        """Forget what a table was advised before, and the oldest advice of other tables."""
        done = [key for key, task in self.asked.items() if task.done()]
        old = [key for key in done if key[0] == table]
        others = [key for key in done if key[0] != table]
        for key in old + others[: max(0, len(others) - KEPT + 1)]:
            del self.asked[key]

    def ready(self, table: Table) -> bool:
        """Whether the coach is compiled for a table's game."""
        return not self.thinkers.compiling.cold(table.game, COACH)

    def prepare(self, table: Table) -> None:
        """Have the coach compiled next for a table's game, if it is not."""
        if not self.ready(table):
            self.thinkers.compiling.first(table.game, COACH)

    def odds(self, table: Table, seat: int) -> dict[str, str]:
        """The odds behind each choice, where the game has simple ones.  Raises HttpRefusal."""
        match = self.decision(table, seat, coach=False)
        return {text: odds_of(match, choice) for text, choice in match.texts.items()}

    def look_back(self, table: Table, payer: str = "", *, later: bool = False) -> LookBack:
        """A finished game's review, which may not be ready yet.  Raises HttpRefusal.

        ``later``: nobody waits for it.
        """
        if not (table.now.over and table.now.match.over):
            raise HttpRefusal(409, "the game is not over yet: ask again when it is")
        if table.key not in self.reviews:
            self.prepare(table)
            if not self.ready(table):
                if (table.game.name, COACH) in self.thinkers.compiling.failed:
                    raise HttpRefusal(503, "the coach cannot work here; the server's log says why")
                why = "the coach is being prepared on this computer, once; ask again soon"
                raise HttpRefusal(503, why, after=5)
            self._admit(payer := payer or table.key)
            if len(self.reviews) > 200:  # the oldest can be made again
                made = [key for key, one in self.reviews.items() if one.found]
                for key in made[: len(self.reviews) - 200]:
                    del self.reviews[key]
            match = table.now.match.fork()
            review = self.reviews[table.key] = LookBack(len(match.history) + 2, payer, later=later)
            review.task = asyncio.get_running_loop().create_task(self._look_back(match, review))
        self.reviews[table.key].later &= later
        return self.reviews[table.key]

    async def _look_back(self, match: Match, review: LookBack) -> None:
        steps = look_back(match, REVIEW)
        try:
            async with self.later if review.later else self.reviewing:
                while review.found is None:
                    while review.later and (first := self._asked_for()):
                        await asyncio.wait(first)
                    review.found = await self._think(review.payer, lambda: next(steps))
                    review.done += 1
        except Exception:  # it may be asked for again
            log.exception("review", game=match.game.name)
            self.reviews = {key: kept for key, kept in self.reviews.items() if kept is not review}

    def _asked_for(self) -> list[asyncio.Task[None]]:
        """The reviews that somebody waits for."""
        open_ = [one for one in self.reviews.values() if not one.later and one.found is None]
        return [one.task for one in open_ if one.task]

    def _admit(self, payer: str) -> None:
        made = Counter(review.payer for review in self.reviews.values() if not review.found)
        busy = self.waiting + made
        if busy[payer] >= SHARE:
            why = "the coach still works on what you asked before; ask again soon"
            raise HttpRefusal(503, why, after=5)
        if busy.total() >= QUEUE:
            raise HttpRefusal(503, "too many people are asking the coach; ask again soon", after=5)

    async def _think(self, payer: str, what: Callable[[], T]) -> T:
        self.waiting[payer] += 1
        try:
            return await self.thinkers.think(payer, what)
        finally:
            self.waiting -= Counter([payer])
