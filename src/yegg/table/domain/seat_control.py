"""Assignment of free seats, who plays a seat, its owner or a bot for them, and when it may act.

Some free seats are held for those who played before.
"""

from collections.abc import Collection, Sequence

from yegg.table.refusals import HttpRefusal
from yegg.text.phrases import counted

from .seats import Event, Kind, Seat, citizen
from .state import TableState


def free_for(seats: Sequence[Seat], person: str | None, now: int) -> int | None:
    """The seat that somebody would get: one that is held for them first; None without one."""
    free = [i for i, seat in enumerate(seats) if seat.free and not seat.kept_from(person, now)]
    own = [i for i in free if (held := seats[i].held) and held.person == person]
    return next(iter([*own, *free]), None)


def place_for(seats: Sequence[Seat], person: str, wanted: int | None, now: int) -> int:
    """The seat that somebody gets who sits down, the wanted one or any.  Raises HttpRefusal."""
    free = [i for i, seat in enumerate(seats) if seat.free]
    if not free:
        raise HttpRefusal(409, "all seats are taken; you may watch")
    if wanted is not None and wanted not in free:
        numbers = ", ".join(str(i + 1) for i in free)
        raise HttpRefusal(409, f"seat {wanted + 1} is not free; free: {numbers}")
    own = free_for(seats, person, now) if wanted is None else wanted
    place = free[0] if own is None else own
    check_not_held(seats, place, person, now)
    return place


def check_not_held(seats: Sequence[Seat], seat: int, person: str | None, now: int) -> None:
    """Check that a seat is not held for somebody else.  Raises HttpRefusal."""
    if held := seats[seat].kept_from(person, now):
        left = counted(max(1, (held.until - now) // 1000), "second")
        why = f"seat {seat + 1} is held for {held.name}; in {left} anybody may have it"
        raise HttpRefusal(409, why)


def check_goes_on(now: TableState) -> None:
    """Check that the game has begun, and that nobody has stopped it.  Raises HttpRefusal 409."""
    why = "" if now.begun else "the game begins when all seats are taken"
    if now.begun and now.paused:
        why = "the game is paused; anybody at the table may end the pause"
    if why:
        raise HttpRefusal(409, why, number=now.seen[-1])


def check_seen(now: TableState, seat: int, after: int) -> None:
    """Check that a seat knows of all that changed what it may do.  Raises HttpRefusal 409."""
    if not now.since[seat] <= after <= now.seen[seat]:
        raise HttpRefusal(409, "the game has gone on; look again", number=now.seen[seat])


def handed(now: TableState, owner: int, bot: str | None) -> Event | None:
    """The owner lets a bot play, or plays again; None if it is so already.  Raises HttpRefusal."""
    place = now.seats[owner]
    if bot is None and place.stand_in:
        why = f"your time was up: {place.bot} plays this turn, and the next one is yours"
        raise HttpRefusal(409, why, number=now.seen[owner])
    if bot is None and place.bot:
        return Event(owner, Kind.BACK)
    if bot is not None and bot != place.bot:
        return Event(owner, Kind.BOT, name=place.name, bot=bot)
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
    return Event(seat, Kind.PUT, by, name, bot=bot)
