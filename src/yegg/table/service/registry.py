"""The registry of all tables of the server: opens, loads and closes them, evicts idle ones."""

import asyncio
import random
import secrets
import time
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import sqlalchemy as sa

from yegg import games
from yegg.engine import Game, Match, Refused
from yegg.table import metrics
from yegg.table.accounts.device_tokens import DeviceTokens, Tokens, keys_on_disk
from yegg.table.accounts.tokens import Signer, digest, new_token
from yegg.table.domain.automatic_events import change, play_out
from yegg.table.domain.clock import Clock, ClockTerms
from yegg.table.domain.deals import CHALLENGE, DEAL, Challenge, Dealt
from yegg.table.domain.dice import Promised, promised_anew, promised_for, unpromised
from yegg.table.domain.quick_match import ALONE
from yegg.table.domain.seats import Event, Kind, citizen
from yegg.table.domain.state import TableState
from yegg.table.domain.watching import LIVE
from yegg.table.refusals import HttpRefusal
from yegg.table.settings import Settings
from yegg.table.storage import schema
from yegg.table.storage.database import Row, Tell, Write, rows_of
from yegg.table.storage.schema import EVERYWHERE
from yegg.table.storage.store import Store, Taken, Unread, Unwritten
from yegg.table.storage.uptime import here

from .block_list import BlockList, touch
from .bot_driver import BotDriver
from .bots import Bots, admit
from .coach import Coach
from .deal_results import DealResults
from .delays import Delays
from .house import House
from .lobby import game_here
from .new_tables import ME, OPEN, NewTable, clock_terms
from .older_rules import replayed
from .optimistic_lock import TRIES, retried
from .own_games import Backlog
from .processes import Processes
from .table import Table
from .table_names import drawn_name

REMEMBERED = 10_000  # games whose addresses are known
IDLE = 600  # seconds after which a table that nobody watches is forgotten


class Offer(NamedTuple):
    """Promised dice for a table that does not exist yet."""

    ticket: str
    promise: str


class Registry:
    """The tables in memory, which are only a cache: everything is on disk."""

    def __init__(
        self,
        store: Store,
        pace: float,
        patience: float = Settings.patience,
        processes: Processes | None = None,
    ) -> None:
        """``pace`` and ``patience`` are as in `House`.

        ``processes``: who shares the database; by default nobody.
        """
        self.store, self.processes = store, processes or Processes()
        self.signer = Signer(store.secret(new_token()))
        self.secret_of_dice = store.secret_of_dice(secrets.token_hex(32))
        self.thinkers = Bots()
        deals = bytes.fromhex(store.secret_of_deals(secrets.token_hex(32)))
        drives = self.processes.drives
        self.house = House(store, self.thinkers, BotDriver, deals, drives, pace, patience)
        self.coach = Coach(self.thinkers)
        self.backlog = Backlog(self.coach, self.fetched)
        self.tables: dict[str, Table] = {}
        self.by_number: dict[int, Table] = {}
        self.fetching: dict[str, asyncio.Task[None]] = {}
        self.addresses: OrderedDict[int, str] = OrderedDict()
        """By a game's number: the address that opened it here, which is never on disk."""
        self.guests = BlockList()
        self.guests.load(store)
        self.delays, self.results = Delays(), DealResults(store, self.guests)
        self.keyring = DeviceTokens(self.wake)
        self.keyring.load(keys_on_disk(store))
        self.tokens = Tokens(self.signer, self.keyring, store)

    def wake(self) -> None:
        """Let every stream look whether it may go on."""
        for table in self.tables.values():
            table.wake()
        self.delays.wake()

    def whose(self, token: str, key: str = "") -> str | None:
        """The person whose device carries a token, at a table; None if it was taken away."""
        table = self.tables.get(key)
        return self.keyring.person(digest(token), table.id if table else EVERYWHERE)

    async def look_around(self) -> None:
        """See what somebody has changed in the database beside the servers.  Raises Unread."""
        changed = await self.store.aside(self.guests.load, self.store)
        if changed is None:
            return
        self.tokens.old.clear()  # somebody may have been forgotten
        known = set(self.keyring.keys)
        on_disk = {row.digest for row in await self.store.aside(keys_on_disk, self.store)}
        for key in known - on_disk:  # whose owner was forgotten; all else is told as it happens
            self.keyring.keys.pop(key, None)
        for game in changed:
            if table := self.by_number.get(game):
                await table.reread()
                self.delays.drop(game)

    def table(self, key: str) -> Table:
        """The table of that key, which was fetched before.  Raises HttpRefusal 404."""
        if key not in self.tables:
            raise HttpRefusal(404, "there is no such table")
        return self.tables[key]

    async def fetch(self, key: str) -> None:
        """Have a table here, if there is one, as it is on disk now, for whoever is about to use it.

        It is read beside the event loop; if the database does not answer, a table that is here
        stays as it is.  Raises HttpRefusal 410, and Unread.
        """
        if key in self.tables:
            self.tables[key].use()  # so that it is not forgotten meanwhile
            with suppress(Unread):
                await self._renew(key)
                await self._meet_friends(self.tables[key])
            return
        if key not in self.fetching:
            task = asyncio.get_running_loop().create_task(self._fetch(key))
            self.fetching[key] = task
            task.add_done_callback(lambda _: self.fetching.pop(key))
        await asyncio.shield(self.fetching[key])

    async def fetched(self, key: str) -> Table:
        """The table of that key, here now.  Raises HttpRefusal 404, 410, and Unread."""
        await self.fetch(key)
        return self.table(key)

    async def _fetch(self, key: str) -> None:
        rows = await self.store.aside(self.store.whole, key)
        if rows and key not in self.tables:
            table = await self._made(*rows)
            self.tables[key] = self.by_number[table.id] = table
            metrics.tables.set(len(self.tables))
            await self._renew(key)  # what was written before others' news was heard here
            await self._meet_friends(table)
            table.driver.kick()

    async def _renew(self, key: str) -> None:
        if self.store.database.shared:
            await self.tables[key].renew()

    async def _meet_friends(self, table: Table) -> None:
        """Note who may look at a game of a challenge."""
        challenge = table.deal.day if isinstance(table.deal, Challenge) else table.now.challenge
        if challenge:
            table.friends = frozenset(await self.store.aside(self.store.done, challenge))

    async def _dealt(self, row: sa.Row[Any]) -> Dealt | None:
        """What is dealt at a table; None where dice are its own.  Raises HttpRefusal, Unread."""
        word, _, which = (row.chance or "").partition(" ")
        if word == DEAL:
            return Dealt.of(self.house.secret_of_deals, which, row.game)
        if word != CHALLENGE:
            return None
        first = await self.fetched(await self.store.aside(self.store.first_of, which))
        return challenge_to(which, first)

    async def _made(self, row: sa.Row[Any], happened: Iterable[sa.Row[Any]]) -> Table:
        game = game_here(row)
        if game is None:
            why = f"this table plays {row.game}, a game that is not here any more"
            raise HttpRefusal(410, why)
        self.thinkers.compiling.prepare(game)
        try:
            deal = await self._dealt(row)
            table = Table(row, game, self.house, deal, self.addresses.get(row.id, ""))
            await table.catch_up(happened)
        except Refused as error:
            why = f"today's {game.title} cannot be set up as at this table: {error}"
            raise HttpRefusal(410, why) from None
        return table

    async def open(
        self, wish: NewTable, person: str, key: str = "", also: Iterable[tuple[sa.Table, Row]] = ()
    ) -> Table:
        """A new table with somebody at it.

        ``also``: rows that are written with it, all or none.  Raises Refused, HttpRefusal if it is
        not saved, and Taken if another process has written one of these rows.
        """
        game = games.find(wish.game)
        self.thinkers.compiling.prepare(game)
        options = game.chosen(len(wish.seats), wish.options)
        seats = list(wish.seats)
        if seats.count(ME) > 1:
            raise Refused("you can sit on one seat only")
        for bot in dict.fromkeys(seats):
            if bot not in (OPEN, ME):
                admit(game, bot, len(seats), options)
        if wish.shuffled:
            random.SystemRandom().shuffle(seats)
        key, number = key or new_token(), await self.store.next_game()
        head = {
            "id": number,
            "key": key,
            "game": game.name,
            "version": game.version,
            "seats": len(seats),
            "options": options,
            "name": wish.name or drawn_name(),
            "odds": wish.odds,
            "listed": wish.listed,
            "at": self.store.hours.now(),
            "origin": wish.origin,
            "clock": clock_terms(wish.clock, game, len(seats), options),
            "chance": wish.deal.chance if wish.deal else None,
            "quick": wish.quick,
            "counts": wish.counts and sum(who in (ME, OPEN) for who in seats) > 1,
            "evening": wish.evening,
        }
        first = first_events(seats, wish, person)
        first += [Event(actor, Kind.CHOICE, choice) for actor, choice in wish.played]
        try:
            await self._keep(head, game, first, self.dice(wish), also)
        except Taken:  # a ticket is good for one table
            if not wish.ticket:
                raise
            await self._keep(head, game, first, self.dice(replace(wish, ticket="")), also)
        metrics.games.labels(game.name).inc()
        self.addresses[number] = wish.address
        if len(self.addresses) > REMEMBERED:
            self.addresses.popitem(last=False)
        if early := self.fetching.get(key):  # somebody asked before it was written
            await asyncio.wait([early])
        return await self.fetched(key)

    def offer(self) -> Offer:
        """A promise for whoever may open a table next, and the ticket that holds it."""
        ticket = new_token()
        return Offer(ticket, promised_for(ticket, self.secret_of_dice).promise)

    def dice(self, wish: NewTable) -> Promised | Dealt:
        """The chance of a new table."""
        if wish.deal:
            return wish.deal
        if wish.ticket and not wish.played:
            return promised_for(wish.ticket, self.secret_of_dice)
        early = ME not in wish.seats and not wish.seated
        return promised_anew(len(wish.played), early=early, origin=wish.promise)

    async def _keep(
        self,
        head: dict[str, Any],
        game: Game,
        first: list[Event],
        dice: Promised | Dealt,
        also: Iterable[tuple[sa.Table, Row]],
    ) -> None:
        terms = ClockTerms.read(head["clock"])
        clock = Clock.of(terms, head["seats"], self.store.hours.closed) if terms else None
        match = Match(game, head["seats"], head["options"], how=self.thinkers.compiling.how(game))
        position = TableState(match, clock)
        happened = play_out(position, list(first), head["at"], dice)
        kept = schema.deals if isinstance(dice, Dealt) else schema.dice
        rows = [*rows_of(head["id"], happened), (kept, dice.row(head["id"])), *also]
        bots_come = {"due": head["at"] + ALONE} if head["quick"] else {}
        try:
            await self.store.keep([(schema.games, head | position.standing() | bots_come), *rows])
        except Unwritten:
            raise HttpRefusal(503, "the table could not be saved; try again") from None

    def opened_by(self, row: sa.Row[Any]) -> str:
        """Who opened a game: an address if that is known, else whoever sits there first."""
        people = (person for _, person, _ in row.people or [] if person)
        return self.addresses.get(row.id) or next(people, row.key)

    def evict(self) -> None:
        """Forget the tables that nobody watches and nobody has used for a while."""
        late = time.monotonic() - IDLE
        for table in list(self.tables.values()):
            busy = table.watchers or table.lock.locked() or table.driver.busy
            if table.used < late and not busy:
                self.forget(table)
        metrics.tables.set(len(self.tables))

    def forget(self, table: Table) -> None:
        """Keep a table in memory no longer; it is read again when somebody comes."""
        self.tables.pop(table.key, None)
        self.by_number.pop(table.id, None)
        self.delays.drop(table.id)

    def close(self) -> None:
        """End all streams; compile nothing more."""
        self.thinkers.compiling.close()
        for table in self.tables.values():
            table.close()
        self.delays.close()


def challenge_to(key: str, first: Table, whose: str = "") -> Challenge:
    """What is dealt to whoever plays a finished game again.  Raises HttpRefusal 410."""
    if first.dice is None or not first.now.match.over:
        raise HttpRefusal(410, "the game that this one repeats cannot be replayed any more")
    return Challenge.to(key, first.now.match, first.dice.pledge(first.now).key, whose)


def first_events(seats: Sequence[str], wish: NewTable, person: str) -> list[Event]:
    """The first events of a table: who sits down, and for whom open seats are held."""
    held, salt = wish.held, wish.salt or None
    first = [] if wish.watch == LIVE else [Event(0, Kind.WATCH, words=wish.watch.stored)]
    names = {wish.you, *(name for name, _ in held.values())}
    for i, who in enumerate(seats):
        if who == ME:
            first.append(Event(i, Kind.SIT, -1, wish.you, person, words=salt))
        elif who != OPEN:
            name = citizen(names)
            names.add(name)
            first.append(Event(i, Kind.SIT, name=name, bot=who))
        elif i in wish.seated:
            name, sits, bot = wish.seated[i]
            first.append(Event(i, Kind.SIT, -1, name, sits))
            if bot:
                first.append(Event(i, Kind.BOT, name=name, bot=bot))
        elif i in held:
            first.append(Event(i, Kind.HOLD, -1, *held[i]))
    return first


# Closing a table before the game is over.  Before it begins whoever opened the table can close it.
# Later all people who sit there have to agree, so that nobody can close a game because they are
# losing it.  Whoever runs the server can close any.


@retried
async def close(table: Table, seat: int, by: str | None = None) -> bool:
    """Close the table, or say that one would like to; return whether it is closed.

    ``by`` is the person who asks.  Raises HttpRefusal.
    """
    async with table.lock:
        table.not_over(seat, by)
        now = table.now
        if not now.begun and now.seats[seat].person != now.opener:
            why = "only whoever opened this table can close it; you can leave your seat"
            raise HttpRefusal(403, why)
        others = {i for i, place in enumerate(now.seats) if place.person} - {seat}
        agreed = not now.begun or others <= now.close_votes
        if agreed or seat not in now.close_votes:
            await table.keep(Event(seat, Kind.CLOSED if agreed else Kind.CLOSE_VOTE))
        return agreed


def close_any(store: Store, key: str) -> str:
    """Close a table for whoever runs the server, from beside it; return the table's name.

    Raises HttpRefusal 404, 409, Refused if its game is not here any more, and Unwritten.
    """
    for _ in range(TRIES):
        row = store.read(key)
        if row is None:
            raise HttpRefusal(404, "there is no such table")
        if row.ended is not None:
            raise HttpRefusal(409, "this table is over or closed already")
        was, at = replayed(row, store.events(row.id)), here()
        ahead = was.fork()
        rows = tuple(rows_of(row.id, play_out(ahead, [Event(-1, Kind.CLOSED)], at, unpromised)))
        told = partial(_touched, row.id)
        with suppress(Taken):  # somebody was faster
            store.at_once(Write(rows, change(row.id, was, ahead, at), told))
            return str(row.name)
    raise HttpRefusal(503, "too many people are acting here at once; try again")


def _touched(game: int, connection: sa.Connection, _: Tell) -> None:
    touch(connection, game)
