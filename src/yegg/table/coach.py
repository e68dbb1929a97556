"""The coach at the table: thinks beside the loop, in the bots' threads, a little at a time.

Advice is for the seat that asks, by what it may know.  A look back is taken in as many steps as
the game has events, so that bots and other people's advice come between.
"""

import asyncio
from collections.abc import Callable
from typing import TypeVar

import structlog

from yegg.engine import Match
from yegg.lab.advise import Advice, advise, odds_of
from yegg.lab.review import Review, look_back
from yegg.players.thinking.plan import Plan

from .bots import Thinkers
from .refusals import Refusal
from .rooms import Room
from .warmth import COACH

ADVICE = Plan(seconds=1.0)
REVIEW = Plan(iterations=1500, seconds=0.1)  # a decision
QUEUE = 12  # people who may wait for it at once
T = TypeVar("T")
log = structlog.get_logger()


class LookBack:
    """A review in the making."""

    def __init__(self, steps: int) -> None:
        """``steps``: of the whole."""
        self.done, self.steps = 0, steps
        self.found: Review | None = None
        self.task: asyncio.Task[None] | None = None


class Coach:
    """One for the whole house; so many may wait for it."""

    def __init__(self, thinkers: Thinkers) -> None:
        """It thinks in the bots' threads: there is always a core for the loop."""
        self.thinkers = thinkers
        self.waiting = 0
        self.one = asyncio.Semaphore(1)  # looks back one at a time
        self.asked: dict[tuple[str, int, int], asyncio.Task[Advice]] = {}
        self.reviews: dict[str, LookBack] = {}

    def decision(self, room: Room, seat: int) -> Match:
        """The game as a seat finds it.  Raises Refusal where it may not ask, or has no choice."""
        if not room.odds:
            raise Refusal(403, "hints are not allowed at this table")
        match, done = room.now.acting().get(seat, (None, True))
        if match is None or done:
            raise Refusal(409, "you have no choice to make now", number=room.now.seen[seat])
        return match

    async def advise(self, room: Room, seat: int) -> Advice:
        """What each choice of the seat is worth; asked again, the same.  Raises Refusal."""
        match, key = self.decision(room, seat), (room.key, seat, room.now.since[seat])
        if key not in self.asked:
            self._admit(room)
            self.asked = {k: t for k, t in self.asked.items() if not t.done() or k[0] != room.key}
            self.asked[key] = asyncio.ensure_future(
                self._advise(room.key, match.fork(), room.row.id)
            )
        try:
            return await asyncio.shield(self.asked[key])
        except asyncio.CancelledError:
            raise
        except Exception:
            self.asked.pop(key, None)
            raise

    async def _advise(self, table: str, match: Match, seed: int) -> Advice:
        return await self._think(table, lambda: advise(match, ADVICE, seed))

    def odds(self, room: Room, seat: int) -> dict[str, str]:
        """The odds behind each choice, where the game has simple ones.  Raises Refusal."""
        match = self.decision(room, seat)
        return {text: odds_of(match, choice) for text, choice in match.texts.items()}

    def look_back(self, room: Room) -> LookBack:
        """A finished game's review, in the making or made.  Raises Refusal."""
        if not (room.now.over and room.now.match.over):
            raise Refusal(409, "the game is not over yet: ask again when it is")
        if room.key not in self.reviews:
            self._admit(room)
            if len(self.reviews) > 200:  # the oldest can be made again
                self.reviews = {k: r for k, r in self.reviews.items() if not r.found}
            match = room.now.match.fork()
            made = self.reviews[room.key] = LookBack(len(match.history) + 2)
            made.task = asyncio.get_running_loop().create_task(
                self._look_back(room.key, match, made)
            )
        return self.reviews[room.key]

    async def _look_back(self, table: str, match: Match, made: LookBack) -> None:
        steps = look_back(match, REVIEW)
        try:
            async with self.one:
                while made.found is None:
                    made.found = await self._think(table, lambda: next(steps))
                    made.done += 1
        except Exception:  # it may be asked for again
            log.exception("review", game=match.game.name)
            self.reviews = {key: kept for key, kept in self.reviews.items() if kept is not made}

    def _admit(self, room: Room) -> None:
        warmth = self.thinkers.warmth
        if warmth.cold(room.game, COACH):
            warmth.first(room.game, COACH)
            why = "the coach is being prepared on this computer, once; ask again soon"
            raise Refusal(503, why, after=5)
        busy = self.waiting + sum(not made.found for made in self.reviews.values())
        if busy >= QUEUE:
            raise Refusal(503, "too many people are asking the coach; ask again soon", after=5)

    async def _think(self, table: str, what: Callable[[], T]) -> T:
        self.waiting += 1
        try:
            return await self.thinkers.think(table, what)
        finally:
            self.waiting -= 1
