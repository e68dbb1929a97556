"""What may be done about time at a table: pausing, giving, going on holiday, being late.

Each function raises HttpRefusal for what is not possible.  ``by`` is the person who asks.
"""

from yegg.table.domain.clock import Clock
from yegg.table.domain.clock_terms import ABSENT, DAY, lasting
from yegg.table.domain.seats import Event, Kind, given_to
from yegg.table.refusals import HttpRefusal

from .bots import substitute
from .optimistic_lock import again
from .table import Table

LONGEST = 366  # days of a holiday
GIFTS = 3  # turns by which a reserve can be made larger than it was at the start


@again
async def pause(table: Table, seat: int, by: str | None = None) -> None:
    """Somebody would like a pause; once all people at the table would, all time stands."""
    async with table.lock:
        clock = timed(table, seat, by)
        if not table.now.begun:
            raise HttpRefusal(409, "the game has not begun yet", number=table.now.seen[seat])
        _plays(table, seat)
        if seat not in clock.agreed:
            await table.keep(Event(seat, Kind.PAUSE))


@again
async def go_on(table: Table, seat: int, by: str | None = None) -> None:
    """Somebody wants no pause, or ends it."""
    async with table.lock:
        if timed(table, seat, by).agreed:
            await table.keep(Event(seat, Kind.GO_ON))


@again
async def give(table: Table, seat: int, to: int, by: str | None = None) -> None:
    """Somebody gives another the time of one more turn.

    A third player waits meanwhile, so that two cannot do this for ever.
    """
    async with table.lock:
        clock = timed(table, seat, by)
        number = table.now.seen[seat]
        if not 0 <= to < len(table.now.seats):
            raise HttpRefusal(409, f"there is no seat {to + 1} at this table", number=number)
        if to == seat:
            raise HttpRefusal(409, "you can give time to others only", number=number)
        place = table.now.seats[to]
        if place.person is None or place.bot:
            why = f"nobody at seat {to + 1} needs time: no person plays there now"
            raise HttpRefusal(409, why, number=number)
        terms = clock.terms
        if clock.times[to].reserve > terms.reserve + (GIFTS - 1) * terms.turn:
            why = f"{place.name} has been given enough time for this turn"
            raise HttpRefusal(409, why, number=number)
        await table.keep(Event(seat, given_to(to)))


@again
async def leave_for(table: Table, seat: int, days: int, by: str | None = None) -> None:
    """Somebody goes on holiday for some days; their time stands meanwhile.  0: they are back."""
    async with table.lock:
        clock, number, now = timed(table, seat, by), table.now.seen[seat], table.store.hours.now()
        if days == 0:
            if clock.away(seat, now) is not None:
                await table.keep(Event(seat, Kind.HERE))
            return
        if not clock.terms.by_days:
            why = "holidays are for games with days a turn; here you can ask for a pause"
            raise HttpRefusal(409, why, number=number)
        left = clock.holiday_left(seat, now)
        if left < days * DAY:
            whole = f"{lasting(left // DAY * DAY)} of holiday" if left >= DAY else "no holiday"
            raise HttpRefusal(409, f"you have {whole} left in this game", number=number)
        await table.keep(Event(seat, Kind.AWAY, words=str(now + days * DAY)))


@again
async def late(table: Table, seat: int) -> None:
    """Somebody's time is up, if it still is: the terms say who plays for them."""
    async with table.lock:
        clock = table.now.clock
        due = clock.due(seat) if clock else None
        if clock is None or due is None or due > table.store.hours.now() or table.now.closed:
            return
        if clock.terms.late == ABSENT:
            await table.keep(Event(seat, Kind.LATE))
            return
        able, wanted, match = table.able(), clock.terms.late, table.now.match
        bot = wanted
        if wanted not in able:
            bot = substitute(table.game, match.players, match.options, table.now.failed)
        kind = Kind.GONE if clock.times[seat].missed else Kind.LATE
        await table.keep(Event(seat, kind, table.now.seats[seat].name, None, bot))


def timed(table: Table, seat: int, by: str | None) -> Clock:
    """The clock of a game that goes on.  Raises HttpRefusal without one."""
    table.not_over(seat, by)
    if table.now.clock is None:
        raise HttpRefusal(409, "nobody is hurried at this table", number=table.now.seen[-1])
    return table.now.clock


def _plays(table: Table, seat: int) -> None:
    place = table.now.seats[seat]
    if place.bot:
        why = f"a bot ({place.bot}) is playing for you; play yourself first"
        raise HttpRefusal(409, why, number=table.now.seen[seat])
