"""Everything that can be done at a table, for the pages' forms and for the API alike.

Each function finds the table, checks that the asker has the seat, and counts against the rate
limits.  Each raises HttpRefusal, or Refused for what is not possible.
"""

from dataclasses import replace
from functools import partial
from typing import NamedTuple

from yegg.engine import Refused
from yegg.engine.match import check_names
from yegg.table import metrics
from yegg.table.accounts.tokens import Person
from yegg.table.domain.dice import fit_salt
from yegg.table.refusals import NO_SEAT, HttpRefusal, as_refusal
from yegg.table.service.bots import admit
from yegg.table.service.forks import go_on as gone_on
from yegg.table.service.lobby import Listed, listed, mine
from yegg.table.service.registry import Registry, Wish
from yegg.table.service.rematch import rematch as rematched
from yegg.table.service.table import Table

from .rate_limits import Limits


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


class Onward(NamedTuple):
    """From where somebody would like to go on, and as whom."""

    at: int
    """After how many events."""
    you: str
    bot: str | None
    """It plays for the other people; None for the usual one."""
    seat: int | None = None
    """By default your own; if you had none, that of whoever is to act."""
    salt: str = ""


async def go_on(who: Asker, key: str, wanted: Onward, person: str) -> Table:
    """Open a table that goes on from a finished game, with bots around the asker."""
    who.limits.take(who.limits.opening, who.address)
    table, (at, you, bot, seat, salt) = who.registry.table(key), wanted
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
    wish = gone_on(now.match, at, fit(you), others, f"/t/{key}?at={at}", seat)
    promise = table.dice.behind(len(wish.played)) if table.dice else None
    wish = replace(wish, odds=table.odds, salt=fit_salt(salt), promise=promise)
    return await who.registry.open(wish, person)


async def join(
    who: Asker, key: str, seat: int | None, name: str, person: str, salt: str = ""
) -> tuple[Table, int]:
    """Take a free seat, any one if none is named.  Returns the table and the seat."""
    who.limits.take(who.limits.asking, who.address)
    table = who.registry.table(key)
    return table, await table.sit(seat, fit(name), person, fit_salt(salt))


async def choose(who: Asker, key: str, choice: str | int | list[str], after: int) -> int:
    """Make a choice, or several in a row.  Returns the seat's newest event number."""
    try:
        return await choose_at_once(who, key, choice, after)
    except (HttpRefusal, Refused) as error:
        if table := who.registry.tables.get(key):
            status = as_refusal(error).status
            metrics.not_kept.labels(table.game.name, "person", status).inc()
        raise


async def choose_at_once(who: Asker, key: str, choice: str | int | list[str], after: int) -> int:
    """As `choose`; whoever calls it asks again by `choose` if it is refused, and counts nothing."""
    table, seat = who.seat(key)
    return await table.choose(seat, choice, after, who.person)


async def undo(who: Asker, key: str) -> int:
    """Take back the last choice, if nothing has happened since."""
    table, seat = who.seat(key)
    return await table.undo(seat, who.person)


async def hand(who: Asker, key: str, bot: str | None, other: int | None) -> int:
    """Let a bot play for the asker or for a friend who has gone; or let the asker play again."""
    table, seat = who.to_arrange(key)
    await table.hand_over(seat, bot, other, who.person)
    return table.now.seen[seat]


async def say(who: Asker, key: str, phrase: int) -> int:
    """Say one of the eight phrases, counted from 1, to the others at the table."""
    table, seat = who.seat(key)
    table.say(seat, phrase)
    who.registry.shout(f"{table.id} {seat} {phrase}")
    return table.now.seen[seat]


async def rename(who: Asker, key: str, name: str) -> int:
    """Be called something else."""
    table, seat = who.to_arrange(key)
    await table.rename(seat, fit(name), who.person)
    return table.now.seen[seat]


async def leave(who: Asker, key: str) -> int:
    """Give the seat back for anybody to take."""
    table, seat = who.to_arrange(key)
    await table.leave(seat, who.person)
    return table.now.seen[-1]
