"""Tables as those are shown them who are told later what happens there.

Nothing is kept for it: the events and their times are on disk, and each process replays them once
they are told.  Who watches later is woken by time alone (`Delays.look`), never by what happens now.
"""

import asyncio
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace

from yegg.table.domain.deals import check_own
from yegg.table.domain.seat_control import place_for
from yegg.table.domain.seats import Event, Kind
from yegg.table.domain.shown_position import ShownPosition
from yegg.table.domain.state import TableState
from yegg.table.domain.watching import LATER, LIVE, NOBODY, SECOND, WHO, WatchTerms, told_at
from yegg.table.refusals import HttpRefusal
from yegg.table.storage.store import Unread

from .optimistic_lock import retried
from .presence import NOBODY as NO_GUESTS
from .presence import Guests, Presence
from .replay import AT_ONCE
from .table import Table

THEN = "then "
"""Begins the name of a person who sat somewhere then: it is nobody's who asks now."""
UNSEEN = "only those who play here see this game"


class NoDriver:
    """Lets no bot play: what happens is only told."""

    busy = False

    def __init__(self, _table: Table) -> None:
        """It does nothing."""

    def kick(self) -> None:
        """Nobody plays."""

    def close(self) -> None:
        """Nobody played."""


@dataclass
class NoPresence(Presence):
    """Who is there now tells nothing of then, and is not told."""

    def look(self, *_: object) -> bool:
        """Nobody is away, and nobody watches."""
        return False

    def guests_here(self, _: TableState) -> Guests:
        """They are counted at the table itself."""
        return NO_GUESTS


class DelayedTable(Table):
    """A table that those see who are told later: as it was then, and without a seat for anybody."""

    def __init__(self, whole: Table, terms: WatchTerms) -> None:
        """``whole``: the table as it is now; nothing of it has been told yet."""
        house = replace(whole.house, driver=NoDriver, drives=lambda _: False)
        super().__init__(whole.row, whole.game, house, whole.deal, whole.address)
        self.whole, self.terms, self.presence = whole, terms, NoPresence()
        self.edition = -1 - WHO.index(terms.who) - len(WHO) * [*LATER].index(terms.later)
        self.waiting: deque[Event] = deque()
        """Events that are not told yet."""
        self.known = 0
        """The number of the newest event that was read."""
        self.newest: int = whole.row.at
        """When the newest event happened that was told, in ms since 1970."""
        self.seated = self._seated()

    def _seated(self) -> tuple[str | None, ...]:
        """Who may see more or less than before if it changes: who sits there, and a challenge."""
        now = self.whole.now
        return now.challenge, *(place.person for place in now.seats)

    @property
    def stale(self) -> bool:
        """Whether it must be made anew: other terms hold, or other closures of the house count."""
        clock, closed = self.now.clock, self.store.hours.closed
        return self.terms != self.whole.now.watch or bool(clock and clock.closed != closed)

    async def tell(self) -> None:
        """Replay what is to be told by now.  Raises Unread."""
        async with self.lock:
            ahead, told = self.now.fork(), 0
            while await self._some_wait() and self._due(ahead, self.waiting[0]):
                event = self.waiting.popleft()
                ahead.apply(event)
                self.newest, told = max(self.newest, event.at), told + 1
                if told % AT_ONCE == 0:
                    await asyncio.sleep(0)
            self._in_force(ahead)

    async def _some_wait(self) -> bool:
        """Whether there are events that were not told; they are read if there may be some."""
        if not self.waiting and self.known < self.whole.now.number:
            for row in await self.store.aside(self.store.events, self.id, self.known):
                event, self.known = Event.read(row), row.number
                then = THEN + event.person if event.person else None
                self.waiting.append(event._replace(person=then))
        return bool(self.waiting)

    def _due(self, ahead: TableState, event: Event) -> bool:
        """Whether an event is told: how the game began at once, and later ones in their time."""
        if not ahead.begun or (ahead.in_motion() and max(ahead.match.actors, default=-1) < 0):
            return True
        now = self.whole.now
        over = now.over or bool(now.closed)
        at = told_at(self.terms, max(self.newest, event.at), self.row.at, over=over)
        return at is not None and at <= self.store.hours.now()

    # What is not as at other tables

    async def keep(self, *_: Event, **__: object) -> None:
        """Nothing happens here.  Raises HttpRefusal."""
        raise HttpRefusal(403, "here you can only watch")

    async def sit(self, seat: int | None, name: str, person: str, salt: str = "") -> int:
        """Sit down at the table itself, if it was told that there is a place.  Raises HttpRefusal.

        A refusal says nothing of what has happened there since.
        """
        self.not_over()
        place_for(self.now.seats, person, seat, self.store.hours.now())
        try:
            place: int = await self.whole.sit(seat, name, person, salt)
        except HttpRefusal as refusal:
            if refusal.status in (409, 410):
                raise HttpRefusal(409, "there is no place any more") from None
            raise
        return place

    @property
    def away(self) -> frozenset[int]:
        """Nobody: who is away now is not told."""
        return frozenset()

    @property
    def shown(self) -> ShownPosition:
        """The position of then."""
        shown = super().shown
        shown.watch = self.terms
        return shown

    def moment(self) -> int:
        """What time it was then, so that clocks show what was left."""
        if self.terms.later is None:
            return self.newest
        return max(self.newest, super().moment() - SECOND * self.terms.later)

    def preparing(self, _bot: str) -> bool:
        """Whether bots are compiled now tells nothing of then."""
        return False

    def hopeless(self, _bot: str) -> bool:
        """As `preparing`."""
        return False

    def look_round(self) -> None:
        """Nobody is looked for."""

    def meet(self, _person: str | None) -> None:
        """Nobody who watches is waited for."""

    def look(self) -> None:
        """Wake those who watch if they sit down now, or friends play the same deal now.

        They are shown the table itself then, or nothing.
        """
        if (seated := self._seated()) != self.seated:
            self.seated = seated
            self.wake()

    @contextmanager
    def watching(self, person: str | None = None, pace: float = 1.0) -> Iterator[asyncio.Event]:
        """An event that is set whenever something is told; those at the table are shown guests."""
        awake = asyncio.Event()
        with self.whole.watching(person, pace):
            self.watchers[awake] = pace
            try:
                yield awake
            finally:
                del self.watchers[awake]


class Delays:
    """All tables of this process at which somebody is told later."""

    def __init__(self) -> None:
        """There are none."""
        self.tables: dict[int, DelayedTable] = {}
        """By the game's number."""

    def seen_by(self, table: Table, person: str | None) -> Table:
        """The table as somebody is to see it.  Raises HttpRefusal 403 if they may not watch."""
        now = table.now
        if now.watch == LIVE or not now.begun or now.seat_of(person) >= 0:
            return table
        if now.watch.who == NOBODY:
            if now.over or now.closed or not any(place.free for place in now.seats):
                raise HttpRefusal(403, UNSEEN)
            return table  # whoever could sit down may look
        return self._of(table) if now.watch.later != 0 else table

    def _of(self, table: Table) -> DelayedTable:
        made = self.tables.get(table.id)
        if made is None or made.whole is not table or made.stale:
            self.drop(table.id)
            made = self.tables[table.id] = DelayedTable(table, table.now.watch)
        return made

    def shows(self, table: Table, person: str | None) -> bool:
        """Whether a table is still what somebody is to see."""
        whole = table.whole if isinstance(table, DelayedTable) else table
        try:
            return self.seen_by(whole, person) is table
        except HttpRefusal:
            return False

    async def made_ready(self, table: Table, person: str | None) -> None:
        """Replay what somebody is to be told of a table by now, if anything.  Raises Unread."""
        with suppress(HttpRefusal):
            seen = self.seen_by(table, person)
            if isinstance(seen, DelayedTable):
                await seen.tell()

    async def look(self) -> None:
        """Tell those who watch what has become due."""
        for table in list(self.tables.values()):
            if table.stale:
                self.drop(table.id)
            elif table.watchers:
                table.look()
                with suppress(Unread):
                    await table.tell()

    def drop(self, game: int) -> None:
        """Forget a table; streams of it end, and are asked for again."""
        if made := self.tables.pop(game, None):
            made.close()

    def beat(self, game: int) -> None:
        """Let every stream of a table give a sign of life."""
        if made := self.tables.get(game):
            made.beat()

    def wake(self) -> None:
        """Let every stream look whether it may go on."""
        for table in self.tables.values():
            table.wake()

    def close(self) -> None:
        """End all streams."""
        for game in list(self.tables):
            self.drop(game)


@retried
async def let_watch(table: Table, seat: int, terms: WatchTerms, by: str | None = None) -> None:
    """Whoever opened the table says who may watch; everybody there is told.  Raises HttpRefusal."""
    check_own(table.deal)
    if table.evening:
        raise HttpRefusal(409, "whoever has the link of an evening may watch its tables")
    async with table.lock:
        table.not_over(seat, by)
        now = table.now
        if now.seats[seat].person != now.opener:
            raise HttpRefusal(403, "only whoever opened this table can say who may watch")
        if terms != now.watch:
            await table.keep(Event(seat, Kind.WATCH, words=terms.stored))
