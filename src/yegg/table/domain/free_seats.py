"""Which free seat somebody gets; some are held for those who played before."""

from collections.abc import Sequence

from yegg.table.refusals import HttpRefusal
from yegg.text.phrases import counted

from .seats import Seat


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
        there = ", ".join(str(i + 1) for i in free)
        raise HttpRefusal(409, f"seat {wanted + 1} is not free; free: {there}")
    found = free_for(seats, person, now) if wanted is None else wanted
    place = free[0] if found is None else found
    check_not_held(seats, place, person, now)
    return place


def check_not_held(seats: Sequence[Seat], seat: int, person: str | None, now: int) -> None:
    """Check that a seat is not held for somebody else.  Raises HttpRefusal."""
    if held := seats[seat].kept_from(person, now):
        left = counted(max(1, (held.until - now) // 1000), "second")
        why = f"seat {seat + 1} is held for {held.name}; in {left} anybody may have it"
        raise HttpRefusal(409, why)
