"""All orders of a seat at once, as a letter gives them."""

from collections.abc import Callable, Sequence

from yegg.engine import Match
from yegg.engine.orders import ahead
from yegg.table.domain.sealed_orders import held_open
from yegg.table.domain.seats import Event, Kind
from yegg.table.refusals import HttpRefusal
from yegg.table.service.optimistic_lock import retried
from yegg.table.service.table import Table

Read = Callable[[Match, int, Sequence[str]], list[int]]
"""Finds the orders of a seat; is given the game as the seat finds it, its own sheet empty."""


class Late(Exception):
    """Raised where the turn is over, or not the seat's any more; the reason in words."""


@retried
async def order(table: Table, person: str, turn: int, read: Read) -> None:
    """Give the orders that ``read`` finds, all or none.

    ``turn`` is how many events the game had when they were asked for: under seal it has no more
    of them until all orders are given.  Raises Late, HttpRefusal, and whatever ``read`` raises.
    """
    async with table.lock:
        now = table.now
        seat = now.seat_of(person)
        if seat < 0:
            raise Late("you have no seat at this table any more")
        if now.over or now.closed:
            raise Late("this game is over")
        if len(now.match.history) != turn:
            raise Late("the turn that these orders are for is over")
        if now.seats[seat].bot:
            raise Late("a bot is playing for you")
        own = ahead(now.match, seat)
        if own is None or not now.sealed:
            raise HttpRefusal(422, "orders cannot be given here")
        choices = read(own, seat, [place.name for place in now.seats])
        undone = [Event(seat, Kind.UNDO)] * len(now.orders.get(seat, ()))
        orders = [Event(seat, Kind.ORDER, choice) for choice in choices]
        await table.keep(*held_open(now.sheets, seat, by_hand=False), *undone, *orders)
