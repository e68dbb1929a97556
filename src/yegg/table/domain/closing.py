"""Closing a table before the game is over.

Before the game begins whoever opened the table can close it.  Later all people who sit there have
to agree, so that nobody can close a game because they are losing it.
"""

from yegg.table.refusals import HttpRefusal
from yegg.table.service.optimistic_lock import again
from yegg.table.service.table import Table

from .seats import Event, Kind


@again
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
        agreed = not now.begun or others <= now.wishes
        if agreed or seat not in now.wishes:
            await table.keep(Event(seat, Kind.CLOSED if agreed else Kind.WISH))
        return agreed
