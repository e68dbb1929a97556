"""A table after some of its events: the match, who sits where, and orders not yet due."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Self, TypeVar

from yegg.engine import CHANCE, NOBODY, Match
from yegg.engine.orders import ahead
from yegg.engine.promised import kind_said

from .clock import Clock, TimedEvent, told_of_time
from .lobby_columns import columns
from .sealed_orders import NO_ROW, Acting, InRow, Sheets, sheets_after, written
from .seats import TAKES_BACK, TIMING, TOLD, Event, Kind, Notice, Seat, closed_by, report, seated
from .watching import LIVE, WatchTerms

T = TypeVar("T")


class TableState:
    """The state of a table after its events.  A changed fork counts only once it is on disk."""

    closed = ""
    """Why the game cannot go on, in a sentence; empty if it can."""

    def __init__(self, match: Match, clock: Clock | None = None) -> None:
        """All seats are free, and nothing has happened; without a ``clock`` nobody is hurried."""
        self.match = match
        self.secret = match.game.secret
        """Whether the game hides anything from anybody."""
        self.seats = [Seat(f"Seat {i + 1}") for i in range(match.players)]
        self.said: list[str] = []
        """The match's events in the words of the record."""
        self.notices: tuple[Notice, ...] = ()
        self.called: tuple[tuple[int, list[str]], ...] = ((0, [seat.name for seat in self.seats]),)
        """Pairs of a number of events and what everybody was called from then on, bots marked."""
        self.failed: frozenset[str] = frozenset()
        """Bots that failed at this table."""
        self.orders: dict[int, list[int]] = {}
        self.sheets: Sheets = {}
        self.begun = False
        self.salts: dict[int, str] = {}
        """What people who sat down before the game began gave to the dice, by seat from 1."""
        self.drawn: dict[str, int] = {}
        """How often chance has acted, by kind: `roll`, `flip`, `deal`."""
        self.number = 0
        self.moved = 0
        """When the last choice was made, in ms since 1970; 0 before the first."""
        self.seen = [0] * (match.players + 1)
        """How many events each seat has seen; the last one is for spectators."""
        self.since = [0] * (match.players + 1)
        """By seat: the number of the last event that changed what it may choose."""
        self.opener: str | None = None  # who sat down first
        self.close_votes: frozenset[int] = frozenset()
        """Seats whose owners would like to close the table, and have not played on since."""
        self.left: dict[int, str | None] = {}  # by seat: who left it last
        self.challenge = ""  # the key of the link by which friends play the same deal
        self.next: tuple[str, int] | None = None
        """The key of the table that was set for a rematch, and the seat that set it."""
        self.watch = LIVE
        """Who may watch without a seat, and how much later they are told."""
        self.clock = clock
        self.late: frozenset[int] = frozenset()
        """Seats without orders whose time is up: the rules write what they send."""
        self.waits: dict[int, tuple[int, int]] = {}
        """By seat of a person who is waited for: since which event, and since when (in ms)."""
        self.played_for: dict[int, int] = {}
        """By seat: how many events there were when a bot had played a turn for somebody late."""
        self.undos: dict[int, int] = {}
        """By seat: how often it has taken something back since somebody else acted."""
        self.in_row = NO_ROW
        self._asked: dict[str, Any] = {}  # answers that hold until the next event

    def fork(self) -> Self:
        """The same position, to be changed."""
        twin = object.__new__(type(self))
        vars(twin).update(vars(self))
        twin.match, twin.seats = self.match.fork(), self.seats.copy()
        twin.said = self.said.copy()
        twin.orders = {seat: orders.copy() for seat, orders in self.orders.items()}
        twin.seen, twin.since = self.seen.copy(), self.since.copy()
        return twin

    def earlier(self, events: int) -> Self:
        """The seats of now at a position of the past; no orders lie under seal there."""
        then = self.fork()
        then.match.back(events)
        then.orders, then.sheets = {}, {}
        then.follow([])
        return then

    def follow(self, choices: Sequence[int]) -> None:
        """Go on from an earlier position with what has happened since."""
        self.match.follow(choices)
        self._asked = {}

    @property
    def played(self) -> int:
        """How many events of the game there are."""
        return len(self.said)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.begun and self.match.actor == NOBODY

    def seat_of(self, person: str | None) -> int:
        """The seat that somebody owns; -1: a spectator."""
        if person is None:
            return -1
        return next((i for i, place in enumerate(self.seats) if place.person == person), -1)

    @property
    def note(self) -> str:
        """The reason why a table is closed, as people are told."""
        return self.closed

    def told_beyond(self, _seat: int) -> list[tuple[int, str]]:
        """What happened that the rules cannot replay: nothing, unless the rules are older."""
        return []

    def called_at(self, event: int) -> list[str]:
        """The names of all seats when an event of the game happened, bots marked."""
        return self.called[max(0, bisect_right(self.called, event, key=lambda c: c[0]) - 1)][1]

    def result(self) -> tuple[list[int], list[int]]:
        """Every side's place and score, once the game is over."""
        return self.match.places, self.match.scores

    def standing(self) -> dict[str, Any]:
        """What the lobby shows: who sits where, and who is to act, a bit for each seat."""
        return self._once(self._stands)

    def _stands(self) -> dict[str, Any]:
        return columns(self)

    def _once(self, ask: Callable[[], T]) -> T:
        """The answer of a method of this state; it holds until the next event."""
        if ask.__name__ not in self._asked:
            self._asked[ask.__name__] = ask()
        answer: T = self._asked[ask.__name__]
        return answer

    def due_at(self, seat: int) -> int | None:
        """When a seat's time is up; None if it has no end, or stands."""
        return self.clock.due(seat) if self.clock else None

    @property
    def paused(self) -> bool:
        """Whether all people have agreed to a pause."""
        return self.clock is not None and self.clock.paused

    def acting(self) -> dict[int, Acting]:
        """Who may act, by seat; nobody while the game is paused."""
        return {} if self.paused or self.closed else self._would_act()

    def _would_act(self) -> dict[int, Acting]:
        """Who may act once a pause is over; nobody where the game cannot go on."""
        if self.closed:
            return {}
        return self._once(self._who_acts)

    def waited_for(self) -> list[int]:
        """The seats that still have to act."""
        return self._once(self._not_ready)

    def _not_ready(self) -> list[int]:
        return [seat for seat, at in self.acting().items() if not at.ready]

    def turn_of(self, seat: int) -> Match | None:
        """The game as the seat sees it, if it still has to choose something; else None."""
        at = self.acting().get(seat)
        return None if at is None or at.full else at.match

    def _who_acts(self) -> dict[int, Acting]:
        match = self.match
        if not self.begun or match.actor < 0:
            return {}
        matches = {match.actor: match}
        if self.secret:
            for seat in range(match.players):
                if own := ahead(match, seat):
                    matches[seat] = own
        if len(matches) == 1:
            late = match.actor in self.late
            return {match.actor: Acting(match, full=late, ready=late)}
        return {
            seat: Acting(own, full=True, ready=True)
            if seat in self.late
            else written(own, seat, self.orders.get(seat, ()), self.sheets)
            for seat, own in sorted(matches.items())
        }

    @property
    def sealed(self) -> bool:
        """Whether several seats order at the same time, in secret."""
        return len(self.acting()) > 1

    def may_undo(self, seat: int) -> bool:
        """Whether a seat has something to take back: never a sealed order that was carried out.

        Nor what was played for it because its time was up.
        """
        if self.seats[seat].stand_in or self.played_for.get(seat) == len(self.said):
            return False
        if self.orders.get(seat):
            return True
        return not self.sealed and bool(self.match.actors) and self.match.actors[-1] == seat

    def words(self, event: Event) -> str | None:
        """A choice about to be made, or to be ordered, in the words of the record."""
        if event.kind == Kind.CHOICE:
            return self.match.say(event.of)
        if event.kind == Kind.ORDER:
            at = self.acting().get(event.actor)
            return at.match.say(event.of) if at else None
        return event.words

    def apply(self, event: Event) -> None:
        """Apply an event."""
        ready = self.ready() if self.secret else ()
        own = event.actor >= 0 and self._plays(event.actor) and event.actor not in self.late
        self.number += 1
        actor, kind = event.actor, event.kind
        self.moved = event.at if kind == Kind.CHOICE else self.moved
        private = self._happens(event)
        self._asked = {}
        row = self.in_row if private else NO_ROW
        if private and (row.seat, row.at) != (actor, event.at):
            row = InRow(actor, event.at, ready, tuple(self.seen))
        self.in_row = row
        for seat in range(len(self.seen)):
            if private and seat != actor:  # who is ready is all that others see
                self.seen[seat] = row.seen[seat] + (self.ready() != row.ready)
            else:
                self.seen[seat] += 1
            if (seat == actor and kind not in (Kind.NAME, Kind.CALLED, Kind.COACH)) or (
                not private and kind in (Kind.CHOICE, Kind.UNDO)
            ):
                self.since[seat] = self.seen[seat]
        self._time_passes(event, own=own)

    def _plays(self, seat: int) -> bool:
        """Whether a person plays a seat, and no bot for them."""
        place = self.seats[seat]
        return place.person is not None and place.bot is None

    def _time_passes(self, event: Event, *, own: bool) -> None:
        """See who is waited for now, and what time everybody has."""
        acting = None
        if not self.in_motion():
            acting = [seat for seat, at in self._would_act().items() if not at.ready]
            for seat, place in enumerate(self.seats):
                if place.stand_in and seat not in acting:  # the turn is over
                    self.seats[seat] = replace(place, bot=None, stand_in=False)
                    self.played_for = {**self.played_for, seat: len(self.said)}
            acting = [seat for seat in acting if self._plays(seat)]
        if self.clock:
            before = self.left.get(event.actor, event.person)
            again = event.kind == Kind.SIT and event.person == before
            people = frozenset(seat for seat in range(len(self.seats)) if self._plays(seat))
            waited_for = None if acting is None else frozenset(acting)
            if acting is None and self.match.actor != CHANCE:
                waited_for = frozenset()  # all sheets are in: whoever sealed last has ended, too
            timed = TimedEvent(event, own, people, waited_for, len(self.said), again)
            self.clock = self.clock.after(timed)
        if acting is not None:
            begins = self.number, event.at
            waiting = () if self.paused or self.closed else acting
            self.waits = {seat: self.waits.get(seat, begins) for seat in waiting}

    def _happens(self, event: Event) -> bool:
        """Carry an event out; return whether only the actor learns of it."""
        actor, kind = event.actor, event.kind
        self.sheets = sheets_after(self.sheets, event)
        if kind in TAKES_BACK:
            self.undos = {**self.undos, actor: self.undos.get(actor, 0) + 1}
        if kind == Kind.CHOICE:
            self._played(event)
        elif kind == Kind.ORDER:
            self.orders.setdefault(actor, []).append(event.of)
            return True
        elif kind == Kind.UNDO and self.orders.get(actor):
            self.orders[actor].pop()
            return True
        elif kind == Kind.UNDO:
            if self.match.undo(actor):
                self.said.pop()
                self._remember(len(self.said))
        elif kind == Kind.DROP:
            self.orders.pop(actor, None)
            return True
        elif kind in (Kind.OPEN, Kind.SEAL):
            return True
        elif kind == Kind.CLOSED:
            self._shut(actor)
        else:
            if kind == Kind.LATE and event.bot is None:
                self.late |= {actor}
                self.orders.pop(actor, None)  # the rules write all orders of a player, or none
            self._seated(event)
        return False

    def _shut(self, actor: int) -> None:
        """Nobody plays on here; what was hidden stays hidden."""
        agreed = bool(self.close_votes - {actor})
        self.closed, self.clock = closed_by(self.seats, actor, agreed=agreed), None

    def ready(self) -> tuple[int, ...]:
        """The seats whose orders are sealed, if several order at the same time."""
        if not self.sealed:
            return ()
        return tuple(seat for seat, at in self.acting().items() if at.ready)

    def _played(self, event: Event) -> None:
        words = event.words or self.match.say(event.of)
        if event.actor == CHANCE:
            kind = kind_said(words)
            self.drawn = {**self.drawn, kind: self.drawn.get(kind, 0) + 1}
        if event.actor in self.late:
            self.match.follow([event.of])  # what only the rules may write
            if self.match.actor != event.actor:
                self.late -= {event.actor}
        else:
            self.match.play(event.of)
        self.said.append(words)
        self.close_votes -= {event.actor}
        self.undos = {seat: many for seat, many in self.undos.items() if seat == event.actor}
        if queue := self.orders.get(event.actor):
            if queue[0] == event.of:
                queue.pop(0)
            else:
                queue.clear()

    def _remember(self, events: int) -> None:
        """Keep all notices about the seats, even if the events before them were taken back."""
        self.notices = tuple(n._replace(after=min(n.after, events)) for n in self.notices)
        called = {min(after, events): names for after, names in self.called}
        self.called = tuple(called.items())

    def _arranged(self, event: Event) -> None:
        words = event.words or ""
        match event.kind:
            case Kind.NEXT:
                self.next = (words, event.actor)
            case Kind.CHALLENGE:
                self.challenge = words
            case Kind.WATCH:
                self.watch = WatchTerms.read(words)

    def _seated(self, event: Event) -> None:
        self._arranged(event)
        before = self.seats[event.actor]
        if event.kind in (Kind.SIT, Kind.LEAVE) and not self.begun:
            others = {seat: salt for seat, salt in self.salts.items() if seat != event.actor + 1}
            self.salts = {**others, **({event.actor + 1: event.words} if event.words else {})}
        timed = self.clock and event.kind in TIMING
        text = told_of_time(self.clock, self.seats, event) if self.clock and timed else ""
        if not timed or event.kind in (Kind.LATE, Kind.GONE):
            self.seats[event.actor] = seated(before, event)
        self.match.names = [seat.name for seat in self.seats]
        if event.kind in (Kind.SIT, Kind.LEAVE):
            self.close_votes -= {event.actor}  # they were somebody else's
        if event.kind == Kind.LEAVE:
            self.left = {**self.left, event.actor: before.person}
        if event.kind == Kind.CLOSE_VOTE:
            self.close_votes |= {event.actor}
        elif event.kind == Kind.SIT and self.opener is None:
            self.opener = event.person
        if event.kind == Kind.FAIL and before.bot:
            self.failed |= {before.bot}
        events = len(self.said)
        if text := text or report(self.seats, before, event):
            self.notices += (Notice(events, TOLD[event.kind], event.actor, text),)
        called = dict(self.called) | {events: [seat.marked for seat in self.seats]}
        self.called = tuple(called.items())
        if not any(seat.free for seat in self.seats):
            self.begun = True

    def in_motion(self) -> bool:
        """Whether something happens next without anybody."""
        return self._once(self._moves)

    def _moves(self) -> bool:
        if not self.begun or self.match.over or self.closed:
            return False
        actor = self.match.actor
        if actor == CHANCE:
            return True
        if not self.orders.get(actor) and actor not in self.late:
            return False
        acting = self._would_act()
        return len(acting) < 2 or all(at.ready for at in acting.values())
