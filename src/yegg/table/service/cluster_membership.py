"""Cluster membership: processes on one database, which are alive, whose bots are whose.

Nothing is handed over.  Of the processes that gave a sign of life lately one lets a game's bots
play (`SeveralProcesses`).  When one falls silent, the others reckon anew.  If two ever believe that
a game is theirs, the database keeps what the first of them writes.
"""

import asyncio
from collections.abc import Callable, Collection, Coroutine, Iterable, Iterator, Sequence
from contextlib import aclosing, suppress
from functools import partial
from itertools import groupby
from typing import Any, Protocol, TypeVar

import sqlalchemy as sa
import structlog

from yegg.table.accounts.device_tokens import keys_on_disk
from yegg.table.domain.phrases_and_emotes import SAID as SAYINGS
from yegg.table.domain.seats import Seat
from yegg.table.refusals import HttpRefusal
from yegg.table.storage.database import HEAR, Carried
from yegg.table.storage.store import Unread

from .presence import ACTED, EVERY, MARKED, NOBODY, Guests, Presence, marked
from .processes import SAID, SeveralProcesses
from .registry import Registry
from .replay import batched
from .timekeeper import Timekeeper

EVERYTHING = 30  # beats after which everything is told again, for whoever missed some of it
BEAT = 1.0  # seconds between signs of life
SILENT = 3.0  # seconds after which a process counts as dead
AGAIN = 0.2  # seconds before the next attempt, while the database is away
T = TypeVar("T")
log = structlog.get_logger()


class Shared(Protocol):
    """State that processes tell one another once a second, as lines of words."""

    def updates(self, _second: int, *, everything: bool) -> Iterable[str]:
        """The lines to tell now: everything, or what has changed."""

    def hear(self, process: str, said: Sequence[str]) -> None:
        """Take in the lines of another process."""

    def alive(self, processes: Collection[str]) -> None:
        """Take in which processes are alive, whenever something may have been missed."""


Seen = tuple[int, Guests]
"""How many watch a table here, and who of them has no seat."""


class PresenceReports:
    """Reports of who is at each table, to other processes and from them."""

    def __init__(self, registry: Registry) -> None:
        """``registry``: the tables of this process."""
        self.registry = registry
        self.reported: dict[int, Seen] = {}  # by game

    def updates(self, second: int, *, everything: bool) -> Iterator[str]:
        """Each table's number, its watchers, a bit for each seat whose owner is present, guests.

        Of the guests there are those whom nobody knows, as a number, and the marks of the others.
        """
        for game, table in self.registry.by_number.items():
            seen = watchers, guests = len(table.watchers), table.presence.guests_here(table.now)
            before = self.reported.get(game, (0, NOBODY))
            due = everything or game % EVERY == second % EVERY
            if not due and seen == before:
                continue
            present = bits(table.presence, table.now.seats)
            if watchers or present or before[0]:
                yield f"{game} {watchers} {present} {listed(guests)}"
            self.reported[game] = seen
        if len(self.reported) > 2 * len(self.registry.by_number) + 100:
            self.reported = {g: n for g, n in self.reported.items() if n[0]}

    def hear(self, process: str, said: Sequence[str]) -> None:
        """What another process reports of a table."""
        game, watchers, present, strangers = map(int, said[:4])
        table = self.registry.by_number.get(game)
        if table is None:
            return
        table.elsewhere.hear(process, watchers, guests=Guests(strangers, frozenset(said[4:])))
        for seat, place in enumerate(table.now.seats):
            if place.person and present >> seat & 1:
                table.presence.heard_of(place.person)
        table.look_round()

    def alive(self, processes: Iterable[str]) -> None:
        """Nobody watches any more through a process that is not alive."""
        living = set(processes)
        for table in self.registry.by_number.values():
            table.elsewhere.told = {p: t for p, t in table.elsewhere.told.items() if p in living}


def listed(guests: Guests) -> str:
    """How many guests nobody knows, and the marks of the others; of very many only some."""
    marks = sorted(marked(person) for person in guests.people)
    return " ".join([str(guests.strangers + len(marks[MARKED:])), *marks[:MARKED]])


def bits(presence: Presence, seats: Sequence[Seat]) -> int:
    """A bit for each seat whose owner has a page open here, or has asked for something lately."""
    return sum(
        1 << seat
        for seat, place in enumerate(seats)
        if place.person and presence.lately(place.person, EVERY)
    )


class Cluster:
    """The other processes on the database, as one of them knows them."""

    def __init__(
        self,
        processes: SeveralProcesses,
        registry: Registry,
        timekeeper: Timekeeper,
        **shared: Shared,
    ) -> None:
        """``registry``: the tables of this process, on a database that others use too.

        ``shared``: what else they tell one another, by a word for it.
        """
        self.processes, self.registry, self.timekeeper = processes, registry, timekeeper
        self.store, self.database, self.me = processes.store, processes.database, processes.me
        self.shared: dict[str, Shared] = {
            "at": PresenceReports(registry),
            "keys": registry.keyring,
            **shared,
        }
        self.second = 0
        self.behind: set[int] = set()
        self.tasks: dict[str, asyncio.Task[None]] = {}
        self.closing = self.begun = False

    async def start(self) -> None:
        """Be one of the living, and listen."""
        self.loop = asyncio.get_running_loop()
        self._task("listening", self._listening)
        with suppress(Unread):
            await self._beat()
        self._task("beating", self._beating)

    async def close(self) -> None:
        """Let the others know that they need not wait."""
        self.closing = True
        for task in self.tasks.values():
            task.cancel()
        await asyncio.gather(*self.tasks.values(), return_exceptions=True)
        with suppress(Unread):
            await self.store.aside(self.database.leave, self.me, self.store.hours)

    def _task(self, name: str, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Begin something, unless it is being done already."""
        task = self.tasks.get(name)
        if not self.closing and (task is None or task.done()):
            self.tasks[name] = self.loop.create_task(work())

    # Signs of life

    async def _beating(self) -> None:
        while True:
            await asyncio.sleep(BEAT)
            try:
                await self._beat()
            except Unread:
                pass  # it cannot be told just now
            except Exception:  # whatever it is: the others must know that this process lives
                log.exception("beat")

    async def _beat(self) -> None:
        self.second += 1
        everything = self.second % EVERYTHING == 1
        if everything:
            self._task("taking over", self._take_over)
        lines = [
            f"{name} {self.me} {line}"
            for name, what in self.shared.items()
            for line in what.updates(self.second, everything=everything)
        ]
        hours = self.store.hours
        beat = partial(self.database.beat, self.me, SILENT, lines, hours, first=not self.begun)
        living, sign = await self.store.aside(beat)
        self.begun = True
        await self.timekeeper.note(sign)
        if self.processes.living(living):
            log.info("alive", processes=len(self.processes.alive))
            self.second = 0  # a newcomer has heard nothing yet
            self.may_have_missed()
            self._task("taking over", self._take_over)

    def may_have_missed(self) -> None:
        """Take in who is alive, and read all keys anew."""
        for what in self.shared.values():
            what.alive(self.processes.alive)
        self._task("reading keys", self._read_keys)

    async def _take_over(self) -> None:
        """Let bots go on whose process has gone, or which this one has not heard of."""
        for table in list(self.registry.tables.values()):
            table.driver.kick()
        for game, key in await self._read(self.store.games_of_bots):
            if self.processes.drives(game) and game not in self.registry.by_number:
                await self._fetch(key)

    async def _fetch(self, key: str) -> None:
        with suppress(HttpRefusal, Unread):
            await self.registry.fetch(key)

    async def _read(self, read: Callable[..., T], *what: Any) -> T:
        """Read once the database answers."""
        while True:
            try:
                return await self.store.aside(read, *what)
            except Unread:
                await asyncio.sleep(AGAIN)

    async def _read_keys(self) -> None:
        self.registry.keyring.load(await self._read(keys_on_disk, self.store))

    # What others write

    async def _listening(self) -> None:
        away = False
        while True:
            try:
                async with aclosing(self.database.heard()) as heard:
                    async for lines in heard:
                        away = False
                        if lines:
                            self._hear(lines)
                        else:
                            self._missed()
            except Exception as error:  # noqa: BLE001  whatever it is: it must go on listening
                if not away:
                    log.warning("away", why=str(error).partition("\n")[0][:200])
                away = True
                await asyncio.sleep(AGAIN)

    def _hear(self, lines: Iterable[str]) -> None:
        for line in lines:
            try:
                self._heard(line)
            except (TypeError, ValueError):  # said by another version
                log.exception("not understood")
        if self.behind:
            self._task("catching up", self._catch_up)

    def _heard(self, line: str) -> None:
        what, _, rest = line.partition(" ")
        if what == "kept":
            if not rest.startswith(self.store.writer):
                self._kept(*rest.split(" ", 4))
        elif what == SAID or what in self.shared:
            who, *words = rest.split(" ")
            if who == self.me:
                return
            if what == SAID:
                self._said(*map(int, words))
            else:
                self.shared[what].hear(who, words)

    def _said(self, game: int, seat: int, phrase: int) -> None:
        """Somebody has said something at a table through another process."""
        table = self.registry.by_number.get(game)
        if table and 0 <= seat < len(table.now.seats) and 1 <= phrase <= len(SAYINGS):
            table.phrases.heard(seat, phrase)
            table.wake()

    def _missed(self) -> None:
        """Anything may have been told while this process did not listen."""
        self.may_have_missed()
        self.behind.update(self.registry.by_number)
        self._task("catching up", self._catch_up)
        self._task("taking over", self._take_over)

    def _kept(self, writer: str, game: str, number: str, bots: str, carried: str = "") -> None:
        table = self.registry.by_number.get(int(game))
        if table is None:
            if bots == "1" and self.processes.drives(int(game)):
                self._task(f"drive {game}", lambda: self._drive(int(game), writer))
        elif int(number) > table.now.number:
            table.elsewhere.hear(writer, 1, ACTED)
            told = HEAR(carried) if carried else []
            if told and told[0].number == table.now.number + 1:
                self._follow(table.id, told)
            else:
                self.behind.add(table.id)

    async def _drive(self, game: int, writer: str) -> None:
        """Have a table here whose bots are to play here."""
        try:
            if key := await self._read(self.store.key_of, game):
                await self._fetch(key)
                if game in self.registry.by_number:
                    self.registry.by_number[game].elsewhere.hear(writer, 1, ACTED)
        finally:
            self.tasks.pop(f"drive {game}", None)

    async def _catch_up(self) -> None:
        """Read what others have written, of all tables at once, until nothing is left."""
        tables = self.registry.by_number
        while self.behind:
            known = {game: tables[game].now.number for game in self.behind if game in tables}
            self.behind.clear()
            rows = await self._read(self.database.newer, known)
            for game, fresh_rows in groupby(rows, lambda row: int(row.game)):
                for some in batched(fresh_rows):
                    if game in tables:
                        self._follow(game, some)
                    await asyncio.sleep(0)

    def _follow(self, game: int, rows: Sequence[sa.Row[object] | Carried]) -> None:
        table = self.registry.by_number[game]
        try:
            table.follow(rows)
        except Exception:
            log.exception("follow", game=table.game.name, table=table.key[:8])
            table.close()
            self.registry.forget(table)
        else:
            table.driver.kick()
