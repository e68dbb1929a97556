"""Who plays a seat: its owner, a bot for them, or a bot that a friend has put there."""

from collections.abc import Collection

from yegg.table.refusals import HttpRefusal

from .free_seats import check_not_held
from .seats import Event, Kind, citizen, put_by
from .state import TableState


def handed(now: TableState, owner: int, bot: str | None) -> Event | None:
    """The owner lets a bot play, or plays again; None if it is so already.  Raises HttpRefusal."""
    place = now.seats[owner]
    if bot is None and place.stand_in:
        why = f"your time was up: {place.bot} plays this turn, and the next one is yours"
        raise HttpRefusal(409, why, number=now.seen[owner])
    if bot is None and place.bot:
        return Event(owner, Kind.BACK)
    if bot is not None and bot != place.bot:
        return Event(owner, Kind.BOT, place.name, None, bot)
    return None


def put(
    now: TableState, seat: int, bot: str | None, by: int, away: Collection[int], at: int
) -> Event:
    """Somebody lets a bot play for a friend who has left or is away.  Raises HttpRefusal.

    ``away`` are the seats whose owners have been away for long, ``at`` is the time in ms.
    """
    if not 0 <= seat < len(now.seats):
        raise HttpRefusal(409, f"there is no seat {seat + 1} at this table")
    place, number = now.seats[seat], now.seen[by]
    if bot is None:
        raise HttpRefusal(409, f"only {place.name} may take that seat back", number=number)
    check_not_held(now.seats, seat, None, at)
    if not place.free and seat not in away:
        why = f"seat {seat + 1} is not free, and {place.name} has not been away for long"
        if now.clock:
            why = f"seat {seat + 1} is not free, and {place.name} still has time"
        raise HttpRefusal(409, why, number=number)
    name = citizen({other.name for other in now.seats}) if place.free else place.name
    return Event(seat, put_by(by), name, None, bot)
