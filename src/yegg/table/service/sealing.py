"""Sealing of a seat's orders by hand."""

from yegg.table.domain.seat_control import check_goes_on, check_seen
from yegg.table.domain.seats import Event, Kind
from yegg.table.refusals import HttpRefusal

from .optimistic_lock import retried
from .table import Table


@retried
async def seal(
    table: Table, seat: int, after: int, by: str | None = None, *, opened: bool = False
) -> int:
    """Hand in a seat's full sheet, or take it back (``opened``); return what `Table.choose` does.

    Once the last seat has sealed, all orders are carried out.  Raises HttpRefusal.
    """
    async with table.lock:
        now = table.now
        table.not_over(seat, by)
        check_goes_on(now)
        check_seen(now, seat, after)
        at = now.acting().get(seat) if now.sealed else None
        if at is None or seat in now.late:
            raise HttpRefusal(422, "you have no orders to seal now", clause=None, legal=[])
        if not at.full:
            why = "your sheet is not full yet; it is sealed as a whole"
            raise HttpRefusal(422, why, clause=None, legal=[])
        if at.ready == opened:
            await table.keep(Event(seat, Kind.OPEN if opened else Kind.SEAL))
        return table.now.seen[seat]
