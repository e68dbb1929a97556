"""A table: its game, replayed from disk, and everybody who plays or watches."""

import asyncio
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import sqlalchemy as sa

from yegg import players
from yegg.engine import Game, Match, Refused
from yegg.engine.sequence import chosen
from yegg.table import metrics
from yegg.table.domain.automatic_events import change, play_out, undoes_too_often
from yegg.table.domain.deals import Dealt, check_own
from yegg.table.domain.dice import chance_of, unpromised
from yegg.table.domain.phrases_and_emotes import PHRASES, Phrases, among_people
from yegg.table.domain.quick_match import waits_no_more
from yegg.table.domain.sealed_orders import held_open, rewritten
from yegg.table.domain.seat_control import check_goes_on, check_seen, handed, place_for, put
from yegg.table.domain.seats import Event, Kind, unlike_others
from yegg.table.domain.shown_position import Around, ShownPosition, Story
from yegg.table.domain.state import TableState
from yegg.table.domain.table_view import TableView
from yegg.table.refusals import NO_SEAT, HttpRefusal, not_legal
from yegg.table.storage.database import Carried, Row, rows_of
from yegg.table.storage.store import Taken, Unread, Unwritten

from .block_list import check_seat
from .bots import admit
from .house import House
from .older_rules import position
from .optimistic_lock import StaleWrite, retried
from .presence import Presence, RemotePresence
from .replay import replay


class Table:
    """A table: its state, who is present, and what each seat sees of it.

    The state changes only after the events are on disk.
    """

    def __init__(
        self, row: sa.Row[Any], game: Game, house: House, deal: Dealt | None, address: str = ""
    ) -> None:
        """``row`` is the game's head; nothing has happened yet.

        ``deal``: what others are dealt, too; ``address``: the one that opened it, if it is known.
        """
        self.id, self.row, self.house, self.address = row.id, row, house, address
        self.store, self.thinkers = house.store, house.thinkers
        self.game, self.key, self.name, self.odds = game, row.key, row.name, row.odds
        self.dice, self.story = chance_of(row), Story()
        self.deal, self.evening = deal, row.evening
        self.friends = frozenset[str]()  # who have finished the same challenge
        self.now = self._blank(game)
        self.lock = asyncio.Lock()  # one event at a time
        self.views: dict[int, TableView] = {}  # by seat: what it sees now
        self._shown: ShownPosition | None = None
        self.edition = 0  # rises when views change although nothing has happened
        self.beats = 0  # signs of life that streams have been told to give
        self.watchers: dict[asyncio.Event, float] = {}  # with their pace: see `watching`
        self.elsewhere = RemotePresence()
        self.presence = Presence(house.patience)
        self.phrases = Phrases()
        self.driver = house.driver(self)
        self.closing = False
        self.use()
        self.chosen = [metrics.choices.labels(game.name, by) for by in ("person", "bot")]

    def _blank(self, game: Game) -> TableState:
        row, how = self.row, self.thinkers.compiling.how(game)
        return position(row, Match(game, row.seats, row.options, how=how), self.store.hours.closed)

    async def reread(self) -> None:
        """Replay all events: what follows from them has changed.  Raises Unread."""
        async with self.lock:
            rows = await self.store.aside(self.store.events, self.id)
            position = await replay(self._blank(self.game), rows)
            self.now = self._blank(self.game)
            self._in_force(position)
            self.anew()

    async def renew(self) -> None:
        """Replay the events on disk that are not applied yet.  Raises Unread."""
        await self.catch_up(await self.store.aside(self.store.events, self.id, self.now.number))
        self.driver.kick()

    def follow(self, rows: Iterable[sa.Row[Any] | Carried]) -> None:
        """Replay a few events that are on disk, as far as they are not applied yet."""
        if fresh := [row for row in rows if row.number > self.now.number]:
            ahead = self.now.fork()
            for row in fresh:
                ahead.apply(Event.read(row))
            self._in_force(ahead)

    async def catch_up(self, rows: Iterable[sa.Row[Any]]) -> None:
        """Replay all events on disk that are not applied yet; others are answered meanwhile."""
        if fresh := [row for row in rows if row.number > self.now.number]:
            self._in_force(await replay(self.now.fork(), fresh))

    def _in_force(self, position: TableState) -> None:
        if position.number <= self.now.number:
            return  # read from disk already, with what another process wrote after it
        new = [now != was for now, was in zip(position.seen, self.now.seen, strict=True)]
        self.views = {seat: view for seat, view in self.views.items() if not new[seat]}
        self.now, self._shown = position, None
        self.use()
        if new[-1]:  # else only one seat may know that something has happened
            self.presence.look(position, self.elsewhere.guests)
            self.phrases.forget()
        self.wake()

    @property
    def driven_here(self) -> bool:
        """Whether this process lets the bots of this table play."""
        return self.house.drives(self.id)

    @property
    def away(self) -> frozenset[int]:
        """Seats whose owners are away though it is their turn."""
        clock = self.now.clock
        if clock is None:
            return self.presence.away
        return frozenset(seat for seat in clock.acting if clock.gone(seat))

    @property
    def payer(self) -> str:
        """Whose share of the bots' time is used here: of whoever opened it."""
        return self.address or self.now.opener or self.key

    def moment(self) -> int:
        """What time it is by the database's clock, in milliseconds since 1970."""
        return self.store.hours.now()

    def preparing(self, bot: str) -> bool:
        """Whether a bot still has to be compiled before it can play."""
        return self.thinkers.compiling.cold(self.game, bot)

    def hopeless(self, bot: str) -> bool:
        """Whether a bot could not be compiled here, so that its stand-in plays on."""
        return (self.game.name, players.base(bot)) in self.thinkers.compiling.failed

    def look_round(self) -> None:
        """Tell everybody who is away, if that has changed."""
        if self.presence.look(self.now, self.elsewhere.guests):
            self.anew()

    def use(self) -> None:
        """Note that somebody needs the table, so that it is not forgotten."""
        self.used = time.monotonic()

    def meet(self, person: str | None) -> None:
        """Count somebody who looks at the table as present, and tell everybody who is away."""
        if person is not None:
            self.presence.heard(person)
        self.look_round()

    def hear(self, seat: int) -> None:
        """Count the owner of a seat who does something here as present; if away, all are told."""
        if (person := self.now.seats[seat].person) is not None:
            self.presence.heard(person)
        if seat in self.presence.away:
            self.look_round()

    def beat(self) -> None:
        """Find out who has gone away, and let every stream give a sign of life."""
        self.look_round()
        self.beats += 1
        self.wake()

    def wake(self) -> None:
        """Tell everybody who watches that there is something new."""
        for awake in self.watchers:
            awake.set()

    @property
    def shown(self) -> ShownPosition:
        """What is the same for all who see the table now."""
        if self._shown is None:
            around = Around(self.away, self.presence.held, self.presence.guests)
            head = self.game, self.key, self.name, self.now, self.odds, self.row.origin
            self._shown = ShownPosition(*head, self.dice, around, self, self.story)
        return self._shown

    def view(self, seat: int) -> TableView:
        """What a seat (-1: who watches) may see: one for all who sit or watch there.

        It is the same one until the seat may know of something new.
        """
        if seat not in self.views:
            self.views[seat] = TableView(self.shown, seat)
        return self.views[seat]

    # What people and bots may do.  Events are on disk before they count.  Each method raises
    # HttpRefusal, or Refused for a bot that cannot play here.  ``by`` is the person who asks.

    @retried
    async def choose(
        self,
        seat: int,
        choice: str | int | list[str],
        after: int,
        by: str | None = None,
        *,
        by_hand: bool = False,
    ) -> int:
        """Make a seat's choice, by its text or its number, and all that follows by itself.

        A list of texts is several choices in a row: all are made, or none.  ``by_hand``: a full
        sheet of orders stays open until it is sealed.
        """
        async with self.lock:
            now = self.now
            self.not_over(seat, by)
            check_goes_on(now)
            check_seen(now, seat, after)
            acting = now.acting()
            at = acting.get(seat)
            if at is None:
                why = f"it is not your turn. {self.shown.waiting_for()}"
                raise HttpRefusal(422, why, clause=None, legal=[])
            sheet = held_open(now.sheets, seat, by_hand=by_hand) if now.sealed else []
            if isinstance(choice, str) and now.orders.get(seat):
                before, fresh = rewritten(now.match, seat, now.orders[seat], choice)
                if fresh:
                    undone = [Event(seat, Kind.UNDO)] * (len(now.orders[seat]) - before)
                    await self.keep(*sheet, *undone, *(Event(seat, Kind.ORDER, of) for of in fresh))
                if fresh or before:
                    return self.now.seen[seat]
            if at.full:
                why = "all your orders are given; to change one, choose it again"
                if seat in now.late:
                    why = "your time was up: the rules write your orders of this turn"
                raise HttpRefusal(422, why, clause=None, legal=[])
            try:
                back, numbers = chosen(at.match, choice)
            except Refused as error:
                raise not_legal(error, at.match) from None
            kind = Kind.ORDER if len(acting) > 1 else Kind.CHOICE
            undone = [Event(seat, Kind.UNDO)] * back
            await self.keep(*sheet, *undone, *(Event(seat, kind, number) for number in numbers))
            self.chosen[now.seats[seat].bot is not None].inc(len(numbers))
            return self.now.seen[seat]

    @retried
    async def undo(self, seat: int, by: str | None = None) -> int:
        """Take back the seat's own last choice if nothing has happened since, or an order.

        A sheet of orders that was sealed by hand is opened again.
        """
        async with self.lock:
            self.not_over(seat, by)
            check_goes_on(self.now)
            if not self.now.may_undo(seat):
                why = "there is nothing that you could take back: something has happened since"
                raise HttpRefusal(409, why)
            sealed = self.now.sheets.get(seat) is False
            await self.keep(Event(seat, Kind.OPEN if sealed else Kind.UNDO))
            return self.now.seen[seat]

    @retried
    async def sit(self, seat: int | None, name: str, person: str, salt: str = "") -> int:
        """Take a free seat, any one if none is named, with salt for the dice; return its number."""
        async with self.lock:
            checked = None
            while checked is not self.now:  # another process may seat somebody meanwhile
                checked = self.now
                await check_seat(self.store, checked, person)
            self.not_over()
            if (own := self.now.seat_of(person)) >= 0:
                raise HttpRefusal(409, f"you sit here already, at seat {own + 1}", seat=own + 1)
            place = place_for(self.now.seats, person, seat, self.store.hours.now())
            called = unlike_others(name, self.now.seats)
            await self.keep(Event(place, Kind.SIT, -1, called, person, words=salt or None))
            return place

    @retried
    async def leave(self, seat: int, by: str | None = None) -> None:
        """Give the seat back for anybody to take."""
        check_own(self.deal, self.evening)
        async with self.lock:
            self.not_over(seat, by)
            await self.keep(Event(seat, Kind.LEAVE))

    @retried
    async def rename(self, seat: int, name: str, by: str | None = None) -> None:
        """Change the name of whoever sits there."""
        async with self.lock:
            self.not_over(seat, by)
            if name != self.now.seats[seat].name:
                called = unlike_others(name, self.now.seats, seat)
                await self.keep(Event(seat, Kind.NAME, name=called))

    @retried
    async def hand_over(
        self, owner: int, bot: str | None, seat: int | None = None, by: str | None = None
    ) -> None:
        """Let a bot play for the owner or for a friend who has gone; or let the owner play again.

        ``seat``: the friend's seat; None for the owner's own.
        """
        check_own(self.deal)
        if bot is not None:
            self.admit(bot)
        async with self.lock:
            self.not_over(owner, by)
            if seat is not None and seat != owner:
                self.look_round()
                now = self.store.hours.now()
                await self.keep(put(self.now, seat, bot, owner, self.away, now))
            elif event := handed(self.now, owner, bot):
                await self.keep(event)

    def able(self) -> list[str]:
        """The bots that can play here and have not failed."""
        able = players.able(self.game, len(self.now.seats), self.now.match.options)
        return [name for name in able if name not in self.now.failed]

    def admit(self, bot: str) -> None:
        """Check that a bot may play at this table.  Raises Refused."""
        admit(self.game, bot, len(self.now.seats), self.now.match.options)
        if bot in self.now.failed:
            raise Refused(f"{bot} failed at this table; there are: {', '.join(self.able())}")

    def not_over(self, seat: int = -1, by: str | None = None) -> None:
        """Check that the game can go on, and that a seat is still theirs who ask.

        Somebody else may have sat down there meanwhile.  Raises HttpRefusal 401, 409, 410.
        """
        if self.now.closed:
            raise HttpRefusal(410, self.now.closed)
        if self.now.over:
            raise HttpRefusal(409, "this game is over", number=self.now.seen[-1])
        if by is not None and self.now.seats[seat].person != by:
            raise HttpRefusal(401, NO_SEAT)

    async def keep(self, *happens: Event, also: Iterable[tuple[sa.Table, Row]] = ()) -> None:
        """Write events, what follows by itself and ``also`` to disk, all or none; apply them."""
        if self.now.closed:
            raise HttpRefusal(410, self.now.closed)
        if undoes_too_often(self.now, happens):
            why = "you have taken back too much in this turn; what you chose last stands now"
            raise HttpRefusal(409, why, number=self.now.number)
        ahead, chance = self.now.fork(), self.deal or self.dice or unpromised
        at = max(self.store.hours.now(), self.now.in_row.at + 1)  # orders in a row end here
        rows = [*rows_of(self.id, play_out(ahead, list(happens), at, chance)), *also]
        try:
            changed = waits_no_more(change(self.id, self.now, ahead, at), self.row, self.now, ahead)
            await self.store.keep(rows, change=changed)
        except Unwritten:
            raise HttpRefusal(503, "this could not be saved; try again") from None
        except Taken:  # by another process
            with suppress(Unread):
                await self.renew()
            why = "the game has gone on; look again"
            raise StaleWrite(409, why, number=self.now.number) from None
        self._in_force(ahead)
        self.driver.kick()

    def anew(self) -> None:
        """Draw all views again, although nothing has happened."""
        self.views, self._shown, self.edition = {}, None, self.edition + 1
        self.wake()

    # Those who watch

    @contextmanager
    def watching(self, person: str | None = None, pace: float = 1.0) -> Iterator[asyncio.Event]:
        """An event that is set whenever there is something new, for somebody who watches.

        ``pace``: how much of the time that bots take is for them; 0: none.
        """
        awake = asyncio.Event()
        self.watchers[awake] = pace
        metrics.streams.inc()
        try:
            with self.presence.watching(person):
                self.look_round()
                self.driver.kick()  # bots may have waited for somebody to watch
                yield awake
        finally:
            del self.watchers[awake]
            metrics.streams.dec()
            self.use()

    def say(self, seat: int, phrase: int) -> None:
        """Say a phrase to those who watch, or make an emote.  Raises HttpRefusal."""
        if phrase > len(PHRASES) and not among_people(self.now.seats):
            raise HttpRefusal(409, "emotes are for tables where people play with people only")
        self.phrases.say(seat, phrase)
        self.wake()

    def close(self) -> None:
        """End the streams; bots stop after their current decision."""
        self.closing = True
        self.wake()
        self.driver.close()
