"""Everything that can be done at a table, for the pages' forms and for the API alike.

Each function finds the table, checks that the asker has the seat, and counts against the rate
limits.  Each raises HttpRefusal, or Refused for what is not possible.  `ACTIONS` declares those
that `routes/actions.py` offers in the API and as forms.
"""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, TypeVar

import msgspec
import sqlalchemy as sa

from yegg.engine import Refused
from yegg.engine.match import check_names
from yegg.table import metrics
from yegg.table.accounts.tokens import Person
from yegg.table.domain.dice import fit_salt
from yegg.table.refusals import NO_SEAT, HttpRefusal, as_refusal
from yegg.table.service import block_list, timekeeper
from yegg.table.service.bots import admit
from yegg.table.service.forks_and_rematches import go_on as gone_on
from yegg.table.service.forks_and_rematches import rematch as rematched
from yegg.table.service.lobby import Listed, listed, mine
from yegg.table.service.registry import Registry, Wish
from yegg.table.service.registry import close as closed
from yegg.table.service.table import Table
from yegg.table.storage.schema import blocks
from yegg.table.storage.store import Taken, Unread, Unwritten

from .bodies import Blocking, Body, Choice, Given, GoOn, Hand, Joining, Named, Pause, Saying
from .rate_limits import Limits

T = TypeVar("T")


class Asker(NamedTuple):
    """Who asks, and of which server."""

    registry: Registry
    limits: Limits
    address: str
    me: Person | None

    @property
    def person(self) -> str | None:
        """Who that is."""
        return self.me.id if self.me else None

    def seat(self, key: str) -> tuple[Table, int]:
        """The asker's seat, for doing something there.  Raises HttpRefusal 401 without one."""
        table = self.registry.table(key)
        seat = table.seat_of(self.person)
        if seat < 0:
            raise HttpRefusal(401, NO_SEAT)
        self.limits.take(self.limits.choosing, f"{key}{seat}")
        return table, seat

    async def sat_down(self) -> None:
        """Check that the asker has a seat somewhere.  Raises HttpRefusal 401, and Unread."""
        store = self.registry.store
        if self.me is None:
            raise HttpRefusal(401, "nobody knows who you are: send your token")
        if not await store.aside(store.of_person, self.me.id, 1):
            raise HttpRefusal(401, "nobody has sat down anywhere with this token")

    def to_arrange(self, key: str) -> tuple[Table, int]:
        """The asker's seat, for something beside the game of which everybody there is told.

        Raises HttpRefusal 401, 429.
        """
        table, seat = self.seat(key)
        self.limits.take(self.limits.arranging, f"{key}{seat}")
        return table, seat


def fit(name: str) -> str:
    """A name without spaces around it.  Raises Refused for what is no name."""
    return check_names([name.strip(" ")], 1)[0]


async def lists(who: Asker) -> tuple[list[Listed], list[Listed]]:
    """The tables to join or to watch, and the asker's own."""
    who.limits.take(who.limits.asking, who.address)
    store = who.registry.store
    minds = partial(who.registry.guests.minds, who.person)
    tables = await store.aside(listed, store, minds)
    return tables, await store.aside(mine, store, who.me.id) if who.me else []


async def awaited(who: Asker) -> list[Listed]:
    """The tables where it is the asker's turn."""
    who.limits.take(who.limits.asking, who.address)
    store = who.registry.store
    tables = await store.aside(mine, store, who.me.id) if who.me else []
    return [table for table in tables if table.your_turn and not table.over]


async def open_table(who: Asker, wish: Wish, person: str) -> Table:
    """Open a table."""
    who.limits.take(who.limits.opening, who.address)
    fit_salt(wish.salt)
    return await who.registry.open(wish, person)


async def rematch(who: Asker, key: str, salt: str = "") -> Table:
    """Set the table again with the same seats, or sit down where somebody has done so."""
    table, seat = who.seat(key)
    who.limits.take(who.limits.opening, who.address)
    return await rematched(who.registry, table, seat, fit_salt(salt))


async def go_on(who: Asker, key: str, body: GoOn, person: str) -> Table:
    """Open a table that goes on from a finished game, with bots around the asker."""
    who.limits.take(who.limits.opening, who.address)
    table, bot = who.registry.table(key), body.bot
    seat = None if body.seat is None else body.seat - 1
    now = table.now
    if not now.over:
        raise HttpRefusal(409, "this game is not over yet", number=now.seen[-1])
    if now.closed:
        raise HttpRefusal(410, now.closed)
    if seat is not None and not 0 <= seat < len(now.seats):
        raise HttpRefusal(409, f"there is no seat {seat + 1} at this table")
    if bot is not None:
        admit(table.game, bot, len(now.seats), now.match.options)
    if seat is None and (mine := now.seat_of(person)) >= 0:
        seat = mine
    others = [place.bot or bot for place in now.seats]
    wish = gone_on(now.match, body.at, fit(body.you), others, f"/t/{key}?at={body.at}", seat)
    promise = table.dice.behind(len(wish.played)) if table.dice else None
    wish = replace(wish, odds=table.odds, salt=fit_salt(body.salt), promise=promise)
    return await who.registry.open(wish, person)


async def join(who: Asker, key: str, body: Joining, person: str) -> tuple[Table, int]:
    """Take a free seat, any one if none is named.  Returns the table and the seat."""
    who.limits.take(who.limits.asking, who.address)
    table, seat = who.registry.table(key), None if body.seat is None else body.seat - 1
    return table, await table.sit(seat, fit(body.you), person, fit_salt(body.salt))


class Kept(msgspec.Struct):
    """What you asked for is done and on disk."""

    number: int


class Closed(msgspec.Struct):
    """Whether the table is closed now; if not, others have to agree first."""

    closed: bool


class Blocked(msgspec.Struct):
    """Whether you are kept apart now."""

    blocked: bool


async def choose(who: Asker, key: str, body: Choice) -> Kept:
    """Make a choice, by its text or its number."""
    try:
        return await choose_at_once(who, key, body)
    except (HttpRefusal, Refused) as error:
        if table := who.registry.tables.get(key):
            status = as_refusal(error).status
            metrics.not_kept.labels(table.game.name, "person", status).inc()
        raise


async def choose_at_once(who: Asker, key: str, body: Choice) -> Kept:
    """As `choose`; whoever calls it asks again by `choose` if it is refused, and counts nothing."""
    table, seat = who.seat(key)
    return Kept(await table.choose(seat, body.choice, body.after, who.person))


async def undo(who: Asker, key: str) -> Kept:
    """Take back your last choice, if nothing has happened since."""
    table, seat = who.seat(key)
    return Kept(await table.undo(seat, who.person))


async def hand(who: Asker, key: str, body: Hand) -> Kept:
    """Let a bot play for you or for a friend who has gone; or play again yourself."""
    table, seat = who.to_arrange(key)
    other = None if body.seat is None else body.seat - 1
    await table.hand_over(seat, body.bot, other, who.person)
    return Kept(table.now.seen[seat])


async def rename(who: Asker, key: str, body: Named) -> Kept:
    """Change your name at this table."""
    table, seat = who.to_arrange(key)
    await table.rename(seat, fit(body.you), who.person)
    return Kept(table.now.seen[seat])


async def leave(who: Asker, key: str) -> Kept:
    """Give your seat back for anybody to take."""
    table, seat = who.to_arrange(key)
    await table.leave(seat, who.person)
    return Kept(table.now.seen[-1])


async def say(who: Asker, key: str, body: Saying) -> Kept:
    """Say a phrase to everybody at the table who likes to hear phrases: one in five seconds."""
    table, seat = who.seat(key)
    table.say(seat, body.phrase)
    who.registry.shout(f"{table.id} {seat} {body.phrase}")
    return Kept(table.now.seen[seat])


async def pause(who: Asker, key: str, body: Pause) -> Kept:
    """Ask for a pause; once everybody has agreed, all time stands until somebody ends it."""
    table, seat = who.to_arrange(key)
    await (timekeeper.pause if body.pause else timekeeper.go_on)(table, seat, who.person)
    return Kept(table.now.seen[seat])


async def give_time(who: Asker, key: str, body: Given) -> Kept:
    """Give somebody else the time of one more turn."""
    table, seat = who.to_arrange(key)
    await timekeeper.give(table, seat, body.seat - 1, who.person)
    return Kept(table.now.seen[seat])


async def close(who: Asker, key: str) -> Closed:
    """Close the table: alone before the game begins, later if all people there would like it."""
    table, seat = who.to_arrange(key)
    return Closed(await closed(table, seat, who.person))


async def block(who: Asker, key: str, body: Blocking) -> Blocked:
    """Not be seated with somebody any more, nor hear their phrases; this game goes on."""
    table, seat = who.seat(key)
    who.limits.take(who.limits.opening, who.address)
    me, other = who.me, body.seat - 1
    if me is None or who.registry.keyring.person(me.key) != me.id:
        raise HttpRefusal(403, "only one seat was taken to this device; block from another one")
    place = table.now.seats[other] if 0 <= other < len(table.now.seats) else None
    if place is None or place.person is None or other == seat:
        raise HttpRefusal(409, "only another person at your table can be blocked")
    name, person = place.name, place.person
    if not body.blocked:
        this = blocks.c.other == person
        await change(who, lambda c: block_list.unblock(c, me.id, this))
    elif not await change(who, lambda c: block_list.block(c, me.id, person, name)):
        raise HttpRefusal(409, f"you have blocked {block_list.MOST} people; let somebody go first")
    return Blocked(body.blocked)


async def change(who: Asker, what: Callable[[sa.Connection], T]) -> T:
    """Change something about guests, on disk and here.  Raises HttpRefusal 503."""
    try:
        done = await who.registry.store.work(lambda connection, _: what(connection))
        await who.registry.look_around()
    except (Taken, Unwritten, Unread):
        raise HttpRefusal(503, "this could not be saved; try again") from None
    return done


AT_SEAT = (400, 401, 403, 404, 409, 410, 429, 503)
"""How whatever one does at a seat may be refused."""


class Action(NamedTuple):
    """One thing that somebody who sits at a table can do there, declared once."""

    path: str
    """POST /api/games/KEY/path does it."""
    run: Callable[..., Awaitable[Any]]
    """It takes who asks, the table's key, and the body.

    The API says what it returns, and describes it by its docstring.
    """
    body: type[Body] | None = None
    refusals: tuple[int, ...] = AT_SEAT
    """With which statuses it may be refused, beside 413 for a body that is too large."""
    operation: str = ""
    """What the API's description calls it; by default the function's name."""
    form: str = ""
    """POST /t/KEY/form does it from a page; by default the same path."""
    then: str = ""
    """Where the form leads, with {key} for the table's; by default to the table's first line."""


PLAY = [
    Action("choices", choose, Choice, (*AT_SEAT, 422), form="choose"),
    Action("undo", undo),
    Action("hand", hand, Hand, (*AT_SEAT, 422)),
    Action("name", rename, Named, (*AT_SEAT, 422)),
    Action("leave", leave, then="/t/{key}"),  # where one may sit down again
]
TALK_AND_TIME = [
    Action("phrases", say, Saying, (400, 401, 403, 404, 409, 410, 429), form="say"),
    Action("pause", pause, Pause, operation="pause_json"),
    Action("time", give_time, Given, operation="give_json"),
]
CLOSE_AND_BLOCK = [
    Action("close", close, operation="close_it"),
    Action("block", block, Blocking, operation="block_it", then="/me/guests"),
]
ACTIONS = PLAY, TALK_AND_TIME, CLOSE_AND_BLOCK
"""All of them; a group stands together in the API's description."""
