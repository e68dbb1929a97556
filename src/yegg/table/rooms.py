"""A game at its table: what is on disk, replayed; and everybody who plays and watches."""

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import sqlalchemy as sa
import structlog

from yegg.engine import Game, Match, NotLegal, Refused
from yegg.engine.forge import How
from yegg.engine.prose import listing

from . import metrics
from .bots import Thinker, Thinkers
from .chronicle import Chronicle
from .dice import Dice
from .orders import rewritten
from .position import Event, Kind, Position
from .refusals import Refusal, not_legal
from .schema import events, sittings
from .store import Row, Store, Taken, Unwritten

View = Callable[["Room", int], bytes]
T = TypeVar("T")


def now_ms() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


DICE = Dice()
log = structlog.get_logger()


def play_out(game: int, ahead: Position, first: list[Event]) -> Iterator[tuple[sa.Table, Row]]:
    """Apply events and what is due after them; the rows that say so."""
    at, waiting = now_ms(), first
    while waiting:
        event = waiting.pop(0)
        ahead.apply(event)
        where = {"game": game, "number": ahead.number}
        yield events, {**where, "actor": event.actor, "choice": event.choice, "at": at}
        if event.name is not None:
            who = {"name": event.name, "person": event.person, "bot": event.bot}
            yield sittings, {**where, **who}
        if not waiting and (due := ahead.due(DICE)):
            waiting.append(due)


class Room:
    """Position and number change together, and only after the disk has both."""

    def __init__(
        self,
        row: sa.Row[Any],
        game: Game,
        store: Store,
        thinkers: Thinkers,
        how: How = "compiled",
    ) -> None:
        """``row`` is the game's head; its events are read here."""
        self.id, self.key, self.name, self.odds = row.id, row.key, row.name, row.odds
        self.row, self.game, self.store, self.thinkers = row, game, store, thinkers
        self.now = Position(Match(game, row.seats, row.options, how=how))
        self.lock = asyncio.Lock()  # one event at a time
        self.views: dict[tuple[View, int], bytes] = {}  # of this position
        self.parts: dict[Any, Any] = {}  # of views, that several have in common
        self.edition = 0  # of views that change though nothing has happened
        self.watchers: set[asyncio.Event] = set()
        self.bots: dict[int, Thinker] = {}
        self.driver: asyncio.Task[None] | None = None
        self.pace = 0.0
        self.closing = False
        self.used = time.monotonic()
        self._chronicle: Chronicle | None = None
        self.catch_up()

    def catch_up(self) -> None:
        """Replay what is on disk and not yet here."""
        ahead = self.now.fork()
        for row in self.store.events(self.id, ahead.number):
            ahead.apply(Event(row.actor, row.choice, row.name, row.person, row.bot))
        self._in_force(ahead)

    def _in_force(self, position: Position) -> None:
        self.now, self.views, self.parts = position, {}, {}
        self.wake()

    def wake(self) -> None:
        """Tell everybody who watches that there is something new."""
        for awake in self.watchers:
            awake.set()

    @property
    def chronicle(self) -> Chronicle:
        """What has happened, in words."""
        if self._chronicle is None:
            self._chronicle = Chronicle(self.now.match)
        return self._chronicle

    def view(self, draw: View, seat: int) -> bytes:
        """What the seat may know, drawn once for all who sit or watch there."""
        key = (draw, seat)
        if key not in self.views:
            self.views[key] = draw(self, seat)
        return self.views[key]

    def once(self, key: Any, make: Callable[[], T]) -> T:
        """What is the same for several views of this position; ``key`` holds all it depends on."""
        if key not in self.parts:
            self.parts[key] = make()
        made: T = self.parts[key]
        return made

    # What may be done; each keeps its events on disk before they count.  Raises Refusal.

    async def choose(self, seat: int, choice: str | int, after: int) -> int:
        """A seat's choice, by its text or its number, and all that follows by itself."""
        async with self.lock:
            now = self.now
            self._playing(now)
            if not now.since[seat] <= after <= now.seen[seat]:
                why = "the game has gone on; look again"
                raise Refusal(409, why, number=now.seen[seat])
            if seat not in now.acting():
                why = f"it is not your turn: the table waits for {self.waiting_for()}"
                raise Refusal(422, why, clause=None, legal=[])
            match, done = now.acting()[seat]
            if isinstance(choice, str) and now.orders.get(seat):
                before, fresh = rewritten(now.match, seat, now.orders[seat], choice)
                if fresh:
                    await self.keep(*self._anew_orders(seat, before, fresh))
                if fresh or before:
                    return self.now.seen[seat]
            if done:
                why = "all your orders are given; to change one, choose it again"
                raise Refusal(422, why, clause=None, legal=[])
            try:
                number = match.hear(choice) if isinstance(choice, str) else choice
                if number not in match.choices:
                    raise NotLegal(f"choice {number} is not legal here")
            except Refused as error:
                raise not_legal(error, match) from None
            if now.sealed:
                number = Kind.ORDER - number
            await self.keep(Event(seat, number))
            by = "bot" if now.seats[seat].bot else "person"
            metrics.choices.labels(self.game.name, by).inc()
            return self.now.seen[seat]

    async def undo(self, seat: int) -> int:
        """Take back the seat's own last choice if nothing has happened since, or an order."""
        async with self.lock:
            self._playing(self.now)
            if not self.now.may_undo(seat):
                raise Refusal(
                    409, "there is nothing that you could take back: something has happened since"
                )
            await self.keep(Event(seat, Kind.UNDO))
            return self.now.seen[seat]

    async def sit(self, seat: int | None, name: str, person: str) -> int:
        """Take a free seat, any if none is named; return which."""
        async with self.lock:
            if self.now.over:
                raise Refusal(409, "this game is over")
            if (mine := self.now.seat_of(person)) >= 0:
                raise Refusal(409, f"you sit here already, at seat {mine + 1}", seat=mine + 1)
            free = [i for i, place in enumerate(self.now.seats) if place.free]
            if not free:
                raise Refusal(409, "all seats are taken; you may watch")
            if seat is not None and seat not in free:
                there = ", ".join(str(i + 1) for i in free)
                raise Refusal(409, f"seat {seat + 1} is not free; free: {there}")
            place = free[0] if seat is None else seat
            await self.keep(Event(place, Kind.SIT, self._unlike_others(name), person))
            return place

    async def leave(self, seat: int) -> None:
        """Give the seat back for anybody to take."""
        async with self.lock:
            await self.keep(Event(seat, Kind.LEAVE))

    async def hand_over(self, seat: int, bot: str | None) -> None:
        """Let a bot play for the owner, or the owner again."""
        async with self.lock:
            if self.now.over:
                raise Refusal(409, "this game is over")
            if bot is None:
                await self.keep(Event(seat, Kind.BACK))
            else:
                name = self.now.seats[seat].name
                await self.keep(Event(seat, Kind.BOT, name, None, bot))

    def _anew_orders(self, seat: int, before: int, fresh: list[int]) -> list[Event]:
        """The events that write a seat's sealed orders anew after so many of them."""
        undone = [Event(seat, Kind.UNDO)] * (len(self.now.orders[seat]) - before)
        return undone + [Event(seat, Kind.ORDER - order) for order in fresh]

    def _playing(self, now: Position) -> None:
        if now.over:
            raise Refusal(409, "this game is over", number=now.seen[-1])
        if not now.begun:
            raise Refusal(409, "the game begins when all seats are taken", number=now.seen[-1])

    def _unlike_others(self, name: str) -> str:
        taken = {place.name for place in self.now.seats}
        fresh, n = name, 1
        while fresh in taken:
            n += 1
            fresh = f"{name[:36]} {n}"
        return fresh

    def waiting_for(self) -> str:
        """Those who are to act, as a sentence lists them."""
        names = [self.now.seats[seat].name for seat, (_, d) in self.now.acting().items() if not d]
        return listing(names)

    async def keep(self, *happens: Event) -> None:
        """Events and all that follows by itself: on disk, then in force, all or none."""
        ahead = self.now.fork()
        rows = list(play_out(self.id, ahead, list(happens)))
        over = ahead.over and not self.now.over
        try:
            await self.store.keep(rows, ended=(self.id, now_ms()) if over else None)
        except Unwritten:
            raise Refusal(503, "this could not be saved; try again") from None
        except Taken:  # by another process
            self.catch_up()
            raise Refusal(409, "the game has gone on; look again", number=self.now.number) from None
        self._in_force(ahead)
        self.kick()

    # Bots

    def kick(self) -> None:
        """Let the bots go on, if it is for them."""
        if not self.closing and (self.driver is None or self.driver.done()) and self._bots_to_act():
            self.driver = asyncio.get_running_loop().create_task(self._drive())

    def _bots_to_act(self) -> list[int]:
        seats = self.now.seats
        return [i for i, (_, done) in self.now.acting().items() if seats[i].bot and not done]

    async def _drive(self) -> None:
        while not self.closing and (seats := self._bots_to_act()):
            await asyncio.gather(*(self._think(seat) for seat in seats))

    async def _think(self, seat: int) -> None:
        name, (match, _) = self.now.seats[seat].bot or "", self.now.acting()[seat]
        after, begun = self.now.seen[seat], time.monotonic()
        if seat not in self.bots or self.bots[seat].name != name:
            self.bots[seat] = Thinker(self.game, name)
        if self.thinkers.warmth.cold(self.game, name):
            await self.made_ready(name)
        try:
            choice = await self.thinkers.choose(self.bots[seat], match.fork())
        except Exception:  # a bot's fault must not stop the table
            log.exception("bot", bot=name, game=self.game.name, table=self.key[:8])
            choice = DICE.choice(match.choices)
        rest = self.pace - (time.monotonic() - begun)
        if self.watchers and rest > 0:
            await asyncio.sleep(rest)
        if self.now.seats[seat].bot != name:
            return  # the owner is back
        try:
            await self.choose(seat, choice, after)
        except Refusal as refusal:
            if refusal.status == 503:  # the disk is full or slow
                await asyncio.sleep(1)
            elif refusal.status != 409:
                log.error("bot", bot=name, game=self.game.name, why=refusal.why)  # noqa: TRY400
                await asyncio.sleep(1)

    async def made_ready(self, bot: str) -> None:
        """Wait until a bot is compiled for this machine; those who watch are told."""
        self._anew()
        await self.thinkers.warmth.want(self.game, bot)
        self._anew()

    def _anew(self) -> None:
        self.views, self.edition = {}, self.edition + 1
        self.wake()

    # Those who watch

    @contextmanager
    def watching(self) -> Iterator[asyncio.Event]:
        """Somebody who is woken by whatever happens."""
        awake = asyncio.Event()
        self.watchers.add(awake)
        metrics.streams.inc()
        try:
            yield awake
        finally:
            self.watchers.discard(awake)
            metrics.streams.dec()
            self.used = time.monotonic()

    def close(self) -> None:
        """End the streams; bots stop after what they are thinking."""
        self.closing = True
        self.wake()
        if self.driver:
            self.driver.cancel()
