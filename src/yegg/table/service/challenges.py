"""Challenges: friends play the deal of a finished game, and all compare what they did.

The first game and each friend's are rows of the table `deals`, with the key of the link as the day.
A row of each person is the only one: everybody has one try.
"""

from typing import NamedTuple

import sqlalchemy as sa

from yegg import games
from yegg.coach.called import called
from yegg.engine import CHANCE, Match
from yegg.table.accounts.tokens import new_token
from yegg.table.domain.deal_results import Results
from yegg.table.domain.deals import THEIRS, Challenge, unfit
from yegg.table.domain.seats import Event, Kind
from yegg.table.refusals import HttpRefusal
from yegg.table.storage.schema import deals
from yegg.table.storage.schema import games as tables
from yegg.table.storage.store import Store, Taken

from .bots import admit
from .deal_results import TRIES
from .deals import table_of
from .delays import DelayedTable
from .lobby import seat_of
from .new_tables import ME, NewTable
from .optimistic_lock import retried
from .registry import Registry, challenge_to
from .table import Table

LATELY = 14 * 86_400_000  # ms for which the lobby tells of a friend's game
NONE = "there is no such challenge: the link may be mistyped or cut off"


def shut_to(table: Table, person: str | None) -> str:
    """Why somebody may not look at a table now; "" if they may."""
    if table.now.seat_of(person) >= 0 or person in table.friends:
        return ""
    if table.deal:
        return table.deal.shut(table.moment())
    return THEIRS if table.now.challenge else ""


def still_shown(registry: Registry, table: Table, person: str | None) -> bool:
    """Whether a table, as it is or as it was then, is still what somebody is to see."""
    whole = table.whole if isinstance(table, DelayedTable) else table
    return not shut_to(whole, person) and registry.delays.shows(table, person)


@retried
async def challenge(table: Table, seat: int) -> str:
    """The key of the link for friends; it is made once.  Raises HttpRefusal 409, 410, 503."""
    if isinstance(table.deal, Challenge):
        return table.deal.day
    if table.deal:
        raise HttpRefusal(
            409, "everybody is dealt this one today: send them to the deal of the day"
        )
    async with table.lock:
        if table.now.challenge:
            return table.now.challenge
        if why := unfit(table.now, seat, table.dice):
            raise HttpRefusal(409, why)
        key, person = new_token(), table.now.seats[seat].person
        row = {"game": table.id, "day": key, "name": table.game.name, "person": person}
        await table.keep(Event(seat, Kind.CHALLENGE, words=key), also=[(deals, row)])
    return key


class Challenged(NamedTuple):
    """A challenge, and how far somebody is with it."""

    first: Table
    """Where it was played first."""
    seat: int
    """The person's there, from 0."""
    results: Results

    @property
    def name(self) -> str:
        """What whoever played first is called."""
        return self.first.now.seats[self.seat].name

    @property
    def bots(self) -> list[str]:
        """The bots at the other seats."""
        return [place.bot or "" for i, place in enumerate(self.first.now.seats) if i != self.seat]

    @property
    def may_compare(self) -> bool:
        """Whether somebody has finished, so that all lies open to them."""
        return self.results.mine is not None and self.results.mine.over


async def look(registry: Registry, key: str, person: str | None) -> Challenged:
    """A challenge by its link.  Raises HttpRefusal 404, and Unread."""
    first_key = await registry.store.aside(registry.store.first_of, key)
    if not first_key:
        raise HttpRefusal(404, NONE)
    first = await registry.fetched(first_key)
    found = await registry.results.of(key, first.game.name, person)
    return Challenged(first, seat_first(first), found)


def seat_first(first: Table) -> int:
    """The seat of whoever played first."""
    return next((i for i, place in enumerate(first.now.seats) if place.person), 0)


async def play(registry: Registry, key: str, person: str, you: str, address: str) -> Table:
    """The table of somebody's one try: a new one, or where they have begun.

    Raises HttpRefusal 404, 410, 503, Refused, and Unread.
    """
    found = await look(registry, key, person)
    first, game = found.first, found.first.game
    if found.results.mine:
        return await registry.fetched(found.results.mine.key)
    if first.row.version != games.find(game.name).version:
        raise HttpRefusal(410, "this game was played under other rules: it cannot be dealt again")
    seats = [place.bot or "" for place in first.now.seats]
    for bot in seats:
        if bot:
            admit(game, bot, len(seats), first.now.match.options)
    seats[found.seat] = ME
    wish = NewTable(
        game.name,
        seats,
        you,
        first.now.match.options,
        odds=first.odds,
        listed=False,
        address=address,
        deal=challenge_to(key, first, person),
    )
    try:
        return await registry.open(wish, person)
    except Taken:  # by another press
        table = await table_of(registry, key, game.name, person)
    if table is None:
        raise HttpRefusal(503, "the deal could not be opened; try again")
    return table


class Answered(NamedTuple):
    """A challenge of somebody's that friends have taken."""

    address: str
    title: str
    """The game's."""
    friends: list[str]
    """Who have finished it, whoever did so last first."""


async def answered(store: Store, person: str | None) -> list[Answered]:
    """Somebody's challenges that friends have finished lately.  Raises Unread."""
    if person is None:
        return []
    own = sa.select(deals.c.day).join(tables, deals.c.game == tables.c.id)
    own = own.where(deals.c.person == person, tables.c.chance.is_(None))
    lately = tables.c.ended > store.hours.now() - LATELY
    wanted = TRIES.where(deals.c.day.in_(own), deals.c.person != person, lately)
    wanted = wanted.where(tables.c.result.is_not(None)).order_by(tables.c.ended.desc())
    found: dict[str, Answered] = {}
    for row in await store.query(lambda c: list(c.execute(wanted))):
        if row.name in games.names():
            new = Answered(f"/challenge/{row.day}", games.find(row.name).title, [])
            friend = row.people[max(0, seat_of(row, row.person))][0]
            found.setdefault(row.day, new).friends.append(friend)
    return list(found.values())


class Parting(NamedTuple):
    """Where two games of a deal went apart."""

    events: int
    """How many events they share."""
    who: str
    """Who chose there, by the name in the first of the two; "" for chance."""
    seat: int
    chose: tuple[str, str]
    """What they chose, in the words of the table."""


def parting(one: Match, other: Match) -> Parting | None:
    """The first event in which two games of a deal differ; None if they are the same."""
    pairs = zip(one.history, other.history, strict=False)
    at = next((i for i, (a, b) in enumerate(pairs) if a != b), None)
    if at is None:
        return None
    before = one.again()
    before.follow(one.history[:at])
    words = called(before) if before.actor != CHANCE else {}
    said = [before.say(match.history[at]) for match in (one, other)]
    chose = words.get(said[0], said[0]), words.get(said[1], said[1])
    who = "" if before.actor == CHANCE else one.names[before.actor]
    return Parting(at, who, before.actor, chose)
