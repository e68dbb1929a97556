"""Forks and rematches: a table that goes on from another's position, or plays its game again.

For a rematch the old table gets an event with the new one's key.  Both are written together, so
that of two people who press at the same moment one sets the table, and the other sits down at it.

Who goes on from a position, in a finished game or in a lesson, gets a table whose first events are
those of then, so that it replays like every other table.
"""

from collections.abc import Sequence

from yegg import players
from yegg.engine import Match, Refused
from yegg.table.accounts.tokens import new_token
from yegg.table.domain.clock import ClockTerms
from yegg.table.domain.seat_control import free_for
from yegg.table.domain.seats import Kind
from yegg.table.refusals import HttpRefusal
from yegg.table.storage.schema import events
from yegg.table.storage.store import Taken

from .bots import substitute
from .new_tables import ME, OPEN, NewTable
from .registry import Registry
from .table import Table


async def rematch(
    registry: Registry, old: Table, seat: int, salt: str = "", bot: str | None = None
) -> Table:
    """The table of a rematch, with whoever has the seat at the old one sitting there.

    ``salt`` is what they give to its dice; ``bot`` plays the others' seats, if bots did.  Raises
    HttpRefusal 409 while the game goes on, and Refused if today's rules have no such table, or
    another bot is wanted where people play.
    """
    if not (old.now.over or old.now.closed):
        raise HttpRefusal(409, "this game is not over yet", number=old.now.seen[seat])
    if bot and any(place.person for i, place in enumerate(old.now.seats) if i != seat):
        raise Refused("other bots can be chosen only where nobody else plays")
    async with old.lock:
        for _ in range(2):
            if table := await _taken(registry, old, seat, salt):
                return table
            try:
                return await _opened(registry, old, seat, salt, bot)
            except Taken:  # somebody has set it meanwhile, through another process
                await old.renew()
    raise HttpRefusal(409, "the game has gone on; look again", number=old.now.seen[seat])


async def _taken(registry: Registry, old: Table, seat: int, salt: str) -> Table | None:
    """The table that was set already, with a seat taken there; None without one to be had."""
    if old.now.next is None:
        return None
    key, place = old.now.next[0], old.now.seats[seat]
    await registry.fetch(key)
    table = registry.table(key)
    if table.now.seat_of(place.person) >= 0:
        return table
    if (
        table.now.over
        or table.now.closed
        or free_for(table.now.seats, place.person, old.store.hours.now()) is None
    ):
        return None
    try:
        await table.sit(None, place.name, place.person or "", salt)
    except HttpRefusal:
        if table.now.seat_of(place.person) < 0:
            raise
    return table  # where they may have sat down meanwhile, by another press


async def _opened(registry: Registry, old: Table, seat: int, salt: str, bot: str | None) -> Table:
    """A new table with the same seats, and the old one's event that tells of it."""
    now, you = old.now, old.now.seats[seat]
    seats = [
        ME if i == seat else OPEN if place.person or not place.bot else bot or place.bot
        for i, place in enumerate(now.seats)
    ]
    held = {
        i: (place.name, place.person)
        for i, place in enumerate(now.seats)
        if place.person and i != seat and not registry.guests.apart(you.person, place.person)
    }
    wish = NewTable(
        old.game.name,
        seats,
        you.name,
        now.match.options,
        old.odds,
        old.row.listed,
        held=held,
        salt=salt,
        clock=ClockTerms.read(old.row.clock),  # a closed table's own clock is gone
        watch=now.watch,
        counts=bool(old.row.counts),
        address=old.address,
    )
    key = new_token()
    told = {"actor": seat, "choice": Kind.NEXT, "words": key, "at": old.store.hours.now()}
    also = [(events, {"game": old.id, "number": now.number + 1, **told})]
    table = await registry.open(wish, you.person or "", key, also)
    await old.renew()
    return table


def wish_to_go_on(
    match: Match,
    events: int,
    you: str,
    others: Sequence[str | None],
    origin: str,
    seat: int | None = None,
) -> NewTable:
    """The table to be opened: ``match`` after its first ``events`` events, with bots around you.

    By default you sit where somebody is to act.  ``others`` names a bot for each seat; where it
    cannot play or is None, another does.  ``origin`` is the address where it was played, on this
    server.  Raises HttpRefusal 409 if nothing is left to play.
    """
    start = unsealed(match, events)
    if start.over:
        raise HttpRefusal(409, "the game is over at this position; go on from an earlier one")
    usual = substitute(match.game, match.players, match.options, ())
    seats = [bot if bot and _can_play(bot, match) else usual for bot in others]
    seats[max(start.actor, 0) if seat is None else seat] = ME
    played = list(zip(start.actors, start.history, strict=True))
    return NewTable(
        match.game.name,
        seats,
        you,
        match.options,
        listed=False,
        played=played,
        origin=origin,
    )


def _can_play(bot: str, match: Match) -> bool:
    """Whether a bot of then is still here, and can play such a game."""
    try:
        return players.objection(match.game, bot, match.players, match.options) is None
    except Refused:
        return False


def unsealed(match: Match, events: int) -> Match:
    """A match after so many events at most: as many as leave nobody's order under seal.

    An order is under seal as long as nobody else has learned anything by it.
    """
    twin = match.again()
    twin.follow(match.history[: max(0, events)])
    while match.game.secret and twin.history and twin.actors[-1] >= 0:
        before = twin.fork()
        before.back(len(twin.history) - 1)
        others = [seat for seat in range(match.players) if seat != twin.actors[-1]]
        if any(_knows(before, other) != _knows(twin, other) for other in others):
            break
        twin = before
    return twin


def _knows(match: Match, seat: int) -> bytes:
    return bytes(match.known_to(seat).tobytes())
