"""Clocks: time limits, everybody's time by the events, pauses, holidays, and sentences.

Nothing here asks what time it is, and nothing is kept but the events, so that a replay gives the
same to the millisecond.  All times are milliseconds since 1970.

A turn of a seat is the time in which it is to act without another's doing anything that counts.
Whoever writes sealed orders anew, or takes a choice back, goes on in the same turn and gains no
time by it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple, Self

from yegg.text.phrases import counted, listing

from .seats import Event, Kind, Seat

SECOND, MINUTE, HOUR, DAY = 1000, 60_000, 3_600_000, 86_400_000  # milliseconds
ABSENT = "absent"
"""Instead of a bot's name: what the rules write for a player who sent nothing."""


@dataclass(frozen=True)
class ClockTerms:
    """How much time everybody has at a table, in milliseconds."""

    turn: int
    """Of each turn that costs nothing."""
    reserve: int = 0
    """What else there is, for the whole game."""
    add: int = 0
    """What each turn adds to the reserve."""
    holiday: int = 0
    """How long each player may be away in all; their time stands meanwhile."""
    late: str = "medium"
    """Who plays the turn of somebody whose time is up: a bot, or `ABSENT`."""

    @property
    def by_days(self) -> bool:
        """Whether a turn has days, as by post."""
        return self.turn >= DAY

    def stored(self) -> dict[str, Any]:
        """The terms as the database has them."""
        return asdict(self)

    @classmethod
    def read(cls, kept: Mapping[str, Any] | None) -> Self | None:
        """The terms of a game, from the database; None for a game without a clock."""
        return cls(**kept) if kept else None

    @property
    def words(self) -> str:
        """The time in a few words.

        >>> ClockTerms(3 * DAY).words
        '3 days a turn'
        >>> ClockTerms(30 * SECOND, 10 * MINUTE, 5 * SECOND).words
        '30 seconds a turn, 10 minutes in reserve and 5 seconds more after each turn'
        """
        reserve = [f"{lasting(self.reserve)} in reserve"] if self.reserve else []
        reserve += [f"{lasting(self.add)} more after each turn"] if self.add else []
        turn = f"{lasting(self.turn)} a turn"
        return f"{turn}, {listing(reserve)}" if reserve else turn

    @property
    def then(self) -> str:
        """The consequence when a player's time is up, in a few words."""
        if self.late == ABSENT:
            return "the rules write the orders of that turn"
        return f"{self.late} plays that turn"


UNITS = (DAY, "day"), (HOUR, "hour"), (MINUTE, "minute"), (SECOND, "second")


def lasting(ms: int) -> str:
    """A stretch of time, in words; the two largest units.

    >>> lasting(3 * DAY), lasting(90 * MINUTE), lasting(61 * SECOND), lasting(400)
    ('3 days', '1 hour 30 minutes', '1 minute 1 second', '0 seconds')
    """
    for i, (size, name) in enumerate(UNITS):
        if ms >= size:
            parts = [counted(ms // size, name)]
            if i + 1 < len(UNITS) and (rest := ms % size // UNITS[i + 1][0]):
                parts.append(counted(rest, UNITS[i + 1][1]))
            return " ".join(parts)
    return "0 seconds"


Span = tuple[int, int]
"""From when to when."""
MOST = 366 * 86_400_000  # milliseconds that a reserve can grow to
GONE = 2  # turns missed in a row, after which a player counts as gone


class TimedEvent(NamedTuple):
    """An event, and what it left behind as far as clocks are concerned."""

    event: Event
    own: bool
    """Whether a person acted, and no bot for them."""
    people: frozenset[int]
    """The seats that people play, after the event."""
    acting: frozenset[int] | None
    """Those of them that are waited for; None: chance acts first, in whoever's turn it is."""
    mark: int
    """How many events of the game there are now."""
    again: bool = False
    """For `Kind.SIT`: whether nobody else sat there before."""


@dataclass(frozen=True)
class Time:
    """One seat's time."""

    reserve: int
    """What was in reserve when the turn began."""
    used: int = 0
    """How much of the turn is over, up to ``since``."""
    since: int | None = None
    """From when the seat's time runs; None while it stands."""
    missed: int = 0
    """Turns missed in a row."""
    ended: tuple[int, int, int] = (-1, 0, 0)
    """When the last turn ended: how many events there were, and reserve and ``used`` of then."""
    away: tuple[Span, ...] = ()
    """When the player was, or will be, on holiday."""
    anew: int = -1
    """How many events there were when somebody sat down who began the turn anew."""


@dataclass(frozen=True)
class Clock:
    """Everybody's time after some events."""

    terms: ClockTerms
    closed: tuple[Span, ...]
    """When no process of the house was running, ascending."""
    times: tuple[Time, ...]
    at: int = 0
    mark: int = 0
    people: frozenset[int] = frozenset()
    acting: frozenset[int] = frozenset()
    agreed: frozenset[int] = frozenset()
    """Who would like a pause."""

    @classmethod
    def of(cls, terms: ClockTerms, seats: int, closed: Iterable[Span] = ()) -> "Clock":
        """The clock of a table before its first event."""
        return cls(terms, tuple(closed), (Time(terms.reserve),) * seats)

    @property
    def paused(self) -> bool:
        """Whether all people have agreed to a pause, so that everybody's time stands."""
        return bool(self.people) and self.people <= self.agreed

    # What happens

    def after(self, what: TimedEvent) -> "Clock":
        """The clock after an event."""
        event, mark = what.event, what.mark
        at = max(event.at, self.at)  # processes' clocks differ, but a game's time only grows
        back = event.kind == Kind.UNDO and mark < self.mark
        spared = self.acting - {event.actor} if back else frozenset[int]()
        times = [
            time if seat in spared else self._charged(time, at)
            for seat, time in enumerate(self.times)
        ]
        agreed = self._special(times, at, what)
        acting = self.acting if what.acting is None else what.acting
        for seat in self.acting - acting:
            if not back or seat == event.actor:
                times[seat] = self._ended(times[seat], mark)
        for seat in acting - self.acting:
            times[seat] = _begun(times[seat], mark)
        paused = bool(what.people) and what.people <= agreed
        times = [
            replace(time, since=at if seat in acting and not paused else None)
            for seat, time in enumerate(times)
        ]
        people = what.people
        return Clock(self.terms, self.closed, tuple(times), at, mark, people, acting, agreed)

    def _charged(self, time: Time, at: int) -> Time:
        if time.since is None:
            return time
        return replace(time, used=time.used + lapse(time.since, at, self._holes(time, at)))

    def _special(self, times: list[Time], at: int, what: TimedEvent) -> frozenset[int]:
        """Change times by what kind of event it is; return who would like a pause after it."""
        event, agreed = what.event, self.agreed
        seat, kind = event.actor, event.kind
        if kind in (Kind.SIT, Kind.LEAVE):  # it was somebody else who would have liked a pause
            agreed -= {seat}
        if kind == Kind.CHOICE and what.own:  # an order counts once it is carried out: a choice
            times[seat] = replace(times[seat], missed=0)
            agreed = frozenset()  # whoever goes on playing wants no pause
        elif kind == Kind.GIVE:
            grown = min(MOST, times[event.of].reserve + self.terms.turn)
            times[event.of] = replace(times[event.of], reserve=grown)
        elif kind in (Kind.LATE, Kind.GONE):
            times[seat] = replace(times[seat], missed=times[seat].missed + 1)
        elif kind in (Kind.BACK, Kind.SIT):
            times[seat] = fresh = replace(times[seat], missed=0)
            # Once a turn, and for somebody else: nobody gains time by leaving and coming back.
            if kind == Kind.SIT and not what.again and fresh.anew != what.mark:
                times[seat] = replace(self._anew(fresh), anew=what.mark)
        elif kind == Kind.AWAY:
            times[seat] = self._leaves(times[seat], at, int(event.words or 0))
        elif kind == Kind.HERE:
            times[seat] = replace(times[seat], away=_cut(times[seat].away, at))
        elif kind == Kind.PAUSE:
            agreed |= {seat}
        elif kind == Kind.GO_ON:
            if self.paused:  # nobody is late the moment a pause ends
                times[:] = [self._anew(t) if i in self.acting else t for i, t in enumerate(times)]
            agreed = frozenset()
        return agreed

    def _anew(self, time: Time) -> Time:
        """The turn's own time begins anew; what was used of the reserve is used."""
        return replace(time, reserve=self._left_in_reserve(time), used=0, ended=(-1, 0, 0))

    def _leaves(self, time: Time, at: int, until: int) -> Time:
        away = _cut(time.away, at)
        latest = at + max(0, self.terms.holiday - spent(away))
        return replace(time, away=(*away, (at, max(at, min(until, latest)))))

    def _ended(self, time: Time, mark: int) -> Time:
        grown = min(MOST, self._left_in_reserve(time) + self.terms.add)
        return replace(time, reserve=grown, used=0, ended=(mark, time.reserve, time.used))

    def _left_in_reserve(self, time: Time) -> int:
        return max(0, time.reserve - max(0, time.used - self.terms.turn))

    # What time it is

    def _holes(self, time: Time, until: int | None = None) -> list[Span]:
        """When a seat's time stood.

        An event shows that the house was open: of a closure that ends after it nothing counts.
        """
        closed = [span for span in self.closed if until is None or span[1] <= until]
        return merged([*closed, *time.away])

    def due(self, seat: int) -> int | None:
        """When a seat's time is up; None while its time stands."""
        time = self.times[seat]
        if time.since is None:
            return None
        left = max(0, self.terms.turn + time.reserve - time.used)
        return moment(time.since, left, self._holes(time))

    def left(self, seat: int, now: int) -> int:
        """How much time a seat has, at ``now``; if it is not to act, for its next turn."""
        time = self.times[seat]
        used = time.used
        if time.since is not None:
            used += lapse(time.since, max(now, time.since), self._holes(time))
        return max(0, self.terms.turn + time.reserve - used)

    def away(self, seat: int, now: int) -> int | None:
        """Until when somebody is on holiday; None if they are not."""
        return next((to for since, to in self.times[seat].away if since <= now < to), None)

    def holiday_left(self, seat: int, now: int) -> int:
        """How long somebody may still be away."""
        return max(0, self.terms.holiday - spent(_cut(self.times[seat].away, now)))

    def gone(self, seat: int) -> bool:
        """Whether somebody has missed so many turns in a row that others may act."""
        return self.times[seat].missed >= GONE


def _begun(time: Time, mark: int) -> Time:
    """A seat is to act: in a new turn, or still in the last one if nothing has happened since."""
    before, reserve, used = time.ended
    if mark <= before:
        return replace(time, reserve=reserve, used=used)
    return replace(time, used=0)


def _cut(away: tuple[Span, ...], at: int) -> tuple[Span, ...]:
    """Holidays without what would come after a moment."""
    return tuple((since, min(to, at)) for since, to in away if since < at)


def spent(away: Iterable[Span]) -> int:
    """How long some spans are together."""
    return sum(to - since for since, to in away)


def merged(spans: Iterable[Span]) -> list[Span]:
    """Spans merged where they overlap, ascending.

    >>> merged([(5, 7), (0, 3), (2, 4), (9, 9)])
    [(0, 4), (5, 7)]
    """
    apart: list[Span] = []
    for since, to in sorted(span for span in spans if span[0] < span[1]):
        if apart and since <= apart[-1][1]:
            apart[-1] = apart[-1][0], max(to, apart[-1][1])
        else:
            apart.append((since, to))
    return apart


def lapse(since: int, until: int, holes: Iterable[Span]) -> int:
    """How much time passes between two moments, without the holes.

    >>> lapse(0, 10, [(2, 5), (9, 20)])
    6
    """
    return until - since - sum(max(0, min(until, to) - max(since, come)) for come, to in holes)


def moment(since: int, needed: int, holes: Iterable[Span]) -> int:
    """When so much time has passed since a moment, without the holes, which ascend.

    >>> moment(0, 10, [(2, 5), (13, 20)]), moment(0, 11, [(2, 5), (13, 20)])
    (13, 21)
    """
    due = since + needed
    for come, to in holes:
        if to > since and come < due:
            due += to - max(come, since)
    return due


def told_of_time(clock: Clock, seats: Sequence[Seat], event: Event) -> str:
    """The sentence about an event; ``clock`` is as it was before it."""
    who = seats[event.actor].name
    match event.kind:
        case Kind.LATE if event.bot:
            text = f"{who}'s time is up: {event.bot} plays this turn."
        case Kind.LATE:
            text = f"{who}'s time is up, and no orders came: the rules write them."
        case Kind.GONE:
            text = f"{who}'s time is up again: {event.bot} plays on until {who} is back."
        case Kind.AWAY:
            days = max(1, round((int(event.words or 0) - event.at) / DAY))
            text = f"{who} is on holiday for {lasting(days * DAY)}. {who}'s time stands until then."
        case Kind.HERE:
            text = f"{who} is back from holiday."
        case Kind.PAUSE:
            text = _asked(clock, seats, event.actor)
        case Kind.GO_ON if clock.paused:
            text = f"{who} ends the pause. This turn's time begins anew."
        case Kind.GO_ON:
            text = f"{who} wants no pause now."
        case _:
            to = seats[event.of].name
            text = f"{who} gives {to} {lasting(clock.terms.turn)} more."
    return text


def _asked(clock: Clock, seats: Sequence[Seat], seat: int) -> str:
    who, others = seats[seat].name, clock.people - clock.agreed - {seat}
    if not others:
        return f"{who} agrees: the game is paused, and everybody's time stands."
    names = listing([seats[other].name for other in sorted(others)])
    return f"{who} would like a pause. {names} can agree."
