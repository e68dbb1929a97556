"""Clocks, rendered for scripts and for pages."""

from typing import Any

import msgspec

from yegg.table.domain.clock import ABSENT, Clock, lasting
from yegg.table.domain.shown_position import ShownPosition
from yegg.text.phrases import listing


class TimeOf(msgspec.Struct):
    """The time of a seat, from 1.  All moments are milliseconds since 1970."""

    seat: int
    """Its number, from 1."""
    until: int | None
    """When it is up, if it runs."""
    left: int
    """If it stands: how many milliseconds there are."""
    away: int | None
    """Until when the player is, or was last, on holiday."""
    missed: int
    """How many turns in a row the player has missed."""


class Timing(msgspec.Struct):
    """The clock of a table."""

    says: str
    """How much time everybody has, in words."""
    late: str
    """Who plays the turn of somebody whose time is up: a bot, or `absent`: the rules."""
    turn: int
    """Milliseconds of each turn."""
    reserve: int
    """Milliseconds in reserve at the start."""
    add: int
    """Milliseconds that each turn adds to the reserve."""
    holiday: int
    """Milliseconds that each player may be on holiday."""
    paused: bool
    """Whether all have agreed to a pause, so that all time stands."""
    agreed: list[int]
    """The seats that would like a pause."""
    times: list[TimeOf]
    """Everybody's time."""


def timing(shown: ShownPosition) -> Timing | None:
    """The clock of a table; the same at every moment, until something happens."""
    clock = shown.now.clock
    if clock is None:
        return None
    terms = clock.terms
    times = []
    for seat, time in enumerate(clock.times):
        until = shown.due[seat]
        left = 0 if until else clock.left(seat, clock.at)
        away = time.away[-1][1] if time.away else None
        times.append(TimeOf(seat + 1, until, left, away, time.missed))
    return Timing(
        terms.words,
        terms.late,
        terms.turn,
        terms.reserve,
        terms.add,
        terms.holiday,
        clock.paused,
        [seat + 1 for seat in sorted(clock.agreed & clock.people)],
        times,
    )


def as_html(shown: ShownPosition, seat: int) -> dict[str, Any] | None:
    """What the page shows of everybody's time; None without a clock, or once the game is over."""
    clock = shown.now.clock
    if clock is None or shown.now.over or shown.now.closed:
        return None
    now = shown.keeper.moment()
    people = sorted(clock.people)
    own = seat in clock.people
    return {
        "says": clock.terms.words,
        "then": clock.terms.then,
        "paused": clock.paused,
        "asked": [shown.now.seats[one].name for one in sorted(clock.agreed & clock.people)],
        "agreed": seat in clock.agreed,
        "own": own,
        "seats": [_seat(shown, clock, one, now) for one in range(len(clock.times))],
        "line": line(shown, seat, now),
        "others": [{"seat": i, "name": shown.now.seats[i].name} for i in people if i != seat],
        "more": lasting(clock.terms.turn),
        "soon": clock.terms.turn // 6,
    }


def _seat(shown: ShownPosition, clock: Clock, seat: int, now: int) -> dict[str, Any]:
    place, until = shown.now.seats[seat], shown.due[seat]
    plays = seat in clock.people
    return {
        "i": seat,
        "until": until,
        "left": short(clock.left(seat, now)) if plays else "",
        "says": "bot" if place.bot else "" if plays else "free",
        "away": clock.away(seat, now) if plays else None,
        "runs": until is not None,
    }


def line(shown: ShownPosition, seat: int, now: int) -> dict[str, Any]:
    """Who is waited for, how long, and what happens then: parts of a sentence or two."""
    clock = shown.now.clock
    if clock is None or not shown.now.begun:
        return {}
    if clock.paused:
        return {"says": "The game is paused. Everybody's time stands."}
    waited = sorted((due, one) for one in clock.acting if (due := shown.due[one]) is not None)
    if not waited:
        return {}
    until, first = next((one for one in waited if one[1] == seat), waited[0])
    who = "You have" if first == seat else f"{shown.now.seats[first].name} has"
    names = [shown.now.seats[one].name for _, one in waited if one not in (first, seat)]
    verb = "is" if len(names) == 1 else "are"
    also = f" {listing(names)} {verb} waited for, too." if names else ""
    if clock.away(first, now) is not None:
        return {"says": f"{who} time: it stands during the holiday.{also}"}
    left = lasting(clock.left(first, now))
    return {"who": who, "until": until, "left": left, "then": f"{then(clock, first)}{also}"}


def then(clock: Clock, seat: int) -> str:
    """What happens when a seat's time is up, as a sentence."""
    if clock.terms.late == ABSENT:
        return "After that the rules write the orders of this turn."
    if clock.times[seat].missed:
        return f"After that {clock.terms.late} plays on."
    return f"After that {clock.terms.late} plays this turn."


UNITS = (86_400_000, "d", 3_600_000, "h"), (3_600_000, "h", 60_000, "min")


def short(ms: int) -> str:
    """A time as a clock shows it, in the words of `clock.js`.

    >>> short(3 * 86_400_000), short(90 * 60_000), short(61_000), short(0)
    ('3 d', '1 h 30 min', '1:01', '0:00')
    """
    for size, unit, smaller, small in UNITS:
        if ms >= size:
            rest = ms % size // smaller
            return f"{ms // size} {unit}" + (f" {rest} {small}" if rest else "")
    return f"{ms // 60_000}:{ms // 1000 % 60:02}"
