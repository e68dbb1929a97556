"""A rematch: somebody sets the table again, and everybody else may sit down there at one press.

The old table gets an event with the new one's key.  Both are written together, so that of two
people who press at the same moment one sets the table, and the other sits down at it.
"""

from yegg.table.accounts.tokens import fresh
from yegg.table.domain.free_seats import free_for
from yegg.table.domain.seats import Kind
from yegg.table.refusals import HttpRefusal
from yegg.table.storage.schema import events
from yegg.table.storage.store import Taken

from .registry import ME, OPEN, Registry, Wish
from .table import Table


async def rematch(registry: Registry, old: Table, seat: int, salt: str = "") -> Table:
    """The new table, with whoever has the seat at the old one sitting there.

    ``salt`` is what they give to its dice.  Raises HttpRefusal 409 while the game goes on, and
    Refused if today's rules have no such table.
    """
    if not (old.now.over or old.now.closed):
        raise HttpRefusal(409, "this game is not over yet", number=old.now.seen[seat])
    async with old.lock:
        for _ in range(2):
            there = await _taken(registry, old, seat, salt)
            if there:
                return there
            try:
                return await _set(registry, old, seat, salt)
            except Taken:  # somebody has set it meanwhile, through another process
                await old.renew()
    raise HttpRefusal(409, "the game has gone on; look again", number=old.now.seen[seat])


async def _taken(registry: Registry, old: Table, seat: int, salt: str) -> Table | None:
    """The table that was set already, with a seat taken there; None without one to be had."""
    if old.now.next is None:
        return None
    key, place = old.now.next[0], old.now.seats[seat]
    await registry.fetch(key)
    there = registry.table(key)
    if there.now.seat_of(place.person) >= 0:
        return there
    if (
        there.now.over
        or there.now.closed
        or free_for(there.now.seats, place.person, old.store.hours.now()) is None
    ):
        return None
    try:
        await there.sit(None, place.name, place.person or "", salt)
    except HttpRefusal:
        if there.now.seat_of(place.person) < 0:
            raise
    return there  # where they may have sat down meanwhile, by another press


async def _set(registry: Registry, old: Table, seat: int, salt: str) -> Table:
    """A new table with the same seats, and the old one's event that tells of it."""
    now, you = old.now, old.now.seats[seat]
    seats = [
        ME if i == seat else OPEN if place.person else place.bot or OPEN
        for i, place in enumerate(now.seats)
    ]
    held = {
        i: (place.name, place.person)
        for i, place in enumerate(now.seats)
        if place.person and i != seat and not registry.guests.apart(you.person, place.person)
    }
    wish = Wish(
        old.game.name,
        seats,
        you.name,
        now.match.options,
        old.odds,
        old.row.listed,
        held=held,
        salt=salt,
        clock=now.clock.terms if now.clock else None,
    )
    key = fresh()
    told = {"actor": seat, "choice": Kind.NEXT, "words": key, "at": old.store.hours.now()}
    also = [(events, {"game": old.id, "number": now.number + 1, **told})]
    there = await registry.open(wish, you.person or "", key, also)
    await old.renew()
    return there
