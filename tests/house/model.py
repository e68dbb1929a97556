"""What a table should be: a plain match, and a few rules about seats and clocks.

It knows nothing of the house.  Whatever somebody asks for is a method that answers with the status
which the house should give; where that is 200, it has happened here, too.  Chance's choices come
from the house (`settle`); everything else follows.
"""

from dataclasses import dataclass, field

from house.known import others_know
from house.process import bots_choice
from house.seat import GIFTS, RESERVE, TURN, Seat
from yegg.engine import CHANCE, Match
from yegg.engine.orders import ahead

HELD = 120  # seconds that a seat is held for somebody
STAND_IN = "uniform"
OK, NO_SEAT, FORBIDDEN, NOT_NOW, CLOSED, NOT_POSSIBLE, TOO_OFTEN = 200, 401, 403, 409, 410, 422, 429


def waiting(acting):
    """The seats that still have to act."""
    return [seat for seat, (_, full) in acting.items() if not full]


@dataclass
class Table:
    """A table as it should be."""

    match: Match
    seats: list[Seat]
    opener: str | None = None
    timed: bool = False
    begun: bool = False
    closed: bool = False
    votes: set = field(default_factory=set)  # who would like to close it
    agreed: set = field(default_factory=set)  # who would like a pause
    orders: dict = field(default_factory=dict)  # by seat, while several order at once
    played_for: dict = field(default_factory=dict)  # by seat: events when a stand-in had played
    notices: list = field(default_factory=list)
    spoke: dict = field(default_factory=dict)
    left_by: dict = field(default_factory=dict)  # by seat: who left it last
    next: "Table | None" = None
    now: int = 0
    was_timed: bool = False
    doubtful: bool = False  # whether its time is taken from the house: something was taken back

    # Who may do what

    @property
    def over(self):
        return self.begun and self.match.over

    @property
    def people(self):
        return {i for i, seat in enumerate(self.seats) if seat.played}

    @property
    def paused(self):
        return self.timed and bool(self.people) and self.people <= self.agreed

    def seat_of(self, who):
        return next((i for i, seat in enumerate(self.seats) if seat.owner == who), None)

    def refused(self, seat):
        """The status for somebody who can do nothing here at all; else None."""
        if seat is None:
            return NO_SEAT
        return CLOSED if self.closed else NOT_NOW if self.over else None

    def acting(self):
        """By seat that may act: the game as it finds it, and whether its orders are written."""
        match = self.match
        if not self.begun or self.closed or match.actor < 0:
            return {}
        found = {match.actor: match}
        if match.game.secret:
            for seat in range(match.players):
                if own := ahead(match, seat):
                    found[seat] = own
        if len(found) == 1:
            return {match.actor: (match, False)}
        return {seat: self.sheet(own, seat) for seat, own in sorted(found.items())}

    def sheet(self, own, seat):
        """The game with a seat's orders written, and whether these are all of its orders."""
        twin = own.fork()
        for order in self.orders.get(seat, ()):
            before = twin.fork()
            twin.play(order)
            if twin.actor != seat or others_know(twin, seat) != others_know(own, seat):
                return before, True
        return twin, False

    def acting_now(self):
        return {} if self.paused else self.acting()

    def waited_for(self):
        return waiting(self.acting_now())

    def choices(self, seat):
        """What a seat may do now: numbers by texts."""
        there, full = self.acting_now().get(seat, (None, True))
        return {} if full else there.texts

    # What happens

    def settle(self, truth):
        """Let bots play and orders be carried out; ``truth`` has chance's choices."""
        self._turns()
        while not (self.over or self.closed) and self.begun:
            match, acting = self.match, self.acting()
            if match.actor == CHANCE:
                actor, choice = truth[len(match.history)]
                assert actor == CHANCE, f"chance is to act, but seat {actor + 1} does"
                match.play(choice)
            elif self.moves():
                self._happens(match.actor, self.orders[match.actor].pop(0))
            elif bots := [seat for seat in self.waited_for() if self.seats[seat].bot]:
                self._does(bots[0], bots_choice(acting[bots[0]][0]))
            else:
                break
            self._turns()

    def moves(self):
        """Whether something happens next without anybody."""
        if self.over or self.closed or not self.begun:
            return False
        acting = self.acting()
        due = self.orders.get(self.match.actor) and not (len(acting) > 1 and waiting(acting))
        return self.match.actor == CHANCE or bool(due)

    def _does(self, seat, choice):
        if len(self.acting()) > 1:
            self.orders.setdefault(seat, []).append(choice)
        else:
            self._happens(seat, choice)

    def _happens(self, seat, choice):
        self.match.play(choice)
        self.votes.discard(seat)
        if self.seats[seat].played:
            self.seats[seat].missed, self.agreed = 0, set()

    def _turns(self):
        """Turns begin and end: stand-ins go, and clocks run or stand."""
        if self.moves():
            return
        acting, events = waiting(self.acting()), len(self.match.history)
        for i, seat in enumerate(self.seats):
            if seat.stand_in and i not in acting:
                seat.bot, seat.stand_in = None, False
                self.played_for[i] = events
            runs = i in acting and seat.played
            if seat.runs and not runs:
                seat.ended = events, seat.reserve, seat.used
                seat.reserve, seat.used = seat.left_in_reserve(), 0
            elif runs and not seat.runs:
                if events <= seat.ended[0]:
                    _, seat.reserve, seat.used = seat.ended
                else:
                    seat.used = 0
            seat.runs = runs

    def tell(self, kind, seat):
        self.notices.append((kind, seat + 1))

    def sits(self, seat, who, *, again=False):
        """Somebody is on a seat now."""
        place, known = self.seats[seat], any(other.owner for other in self.seats)
        place.owner, place.bot, place.held, place.missed = who, None, None, 0
        self.votes.discard(seat)
        self.agreed.discard(seat)
        self.opener = self.opener or who
        if known:
            self.tell("sat", seat)
        if not again and place.anew != len(self.match.history):
            place.begins_anew()
            place.anew = len(self.match.history)
        self._begins()

    def _begins(self):
        self.begun = self.begun or not any(seat.free for seat in self.seats)
        self._turns()

    # What people ask for

    def sit(self, who, seat, apart):
        """``seat`` None: any; ``apart``: whether somebody here keeps apart from them."""
        if self.seat_of(who) is None and apart:
            return FORBIDDEN
        if (status := self.refused(-1)) or self.seat_of(who) is not None:
            return status or NOT_NOW
        if seat is None:
            seat = self.free_for(who)
        elif not self._free(seat, who):
            return NOT_NOW
        if seat is None:
            return NOT_NOW
        self.sits(seat, who, again=self.left_by.get(seat, who) == who)
        return OK

    def _free(self, seat, who):
        if seat >= len(self.seats) or not self.seats[seat].free:
            return False
        held = self.seats[seat].held
        return held is None or held[0] == who or self.now >= held[1]

    def free_for(self, who):
        """The seat that somebody gets, one held for them first; None without one."""
        free = [i for i in range(len(self.seats)) if self._free(i, who)]
        own = [i for i in free if self.seats[i].held and self.seats[i].held[0] == who]
        return next(iter([*own, *free]), None)

    def leave(self, who):
        seat = self.seat_of(who)
        if status := self.refused(seat):
            return status
        place = self.seats[seat]
        place.owner = place.bot = None
        place.stand_in = False
        self.left_by[seat] = who
        self.votes.discard(seat)
        self.agreed.discard(seat)
        self.tell("left", seat)
        self._turns()
        return OK

    def choose(self, who, choice, *, stale=False):
        """``choice``: its text or its number; ``stale``: for a position that is past."""
        seat = self.seat_of(who)
        if status := self.refused(seat):
            return status
        if not self.begun or self.paused or stale:
            return NOT_NOW
        legal = self.choices(seat)
        number = legal.get(choice, choice)
        if number not in legal.values():
            return NOT_POSSIBLE
        self._does(seat, number)
        return OK

    def may_undo(self, seat):
        if self.seats[seat].stand_in or self.played_for.get(seat) == len(self.match.history):
            return False
        several = len(self.acting_now()) > 1
        last = bool(self.match.actors) and self.match.actors[-1] == seat
        return bool(self.orders.get(seat)) or (not several and last)

    def undo(self, who):
        seat = self.seat_of(who)
        if status := self.refused(seat):
            return status
        if not self.begun or self.paused or not self.may_undo(seat):
            return NOT_NOW
        if self.orders.get(seat):
            self.orders[seat].pop()
        else:
            self.match.undo(seat)
        self.doubtful = True
        return OK

    def hand(self, who, bot):
        """``bot``: None for the owner."""
        seat = self.seat_of(who)
        if status := self.refused(seat):
            return status
        place = self.seats[seat]
        if bot is None and place.stand_in:
            return NOT_NOW
        if bot is None and place.bot:
            place.bot, place.missed = None, 0
            self.tell("back", seat)
        elif bot is not None and bot != place.bot:
            place.bot, place.stand_in = bot, False
            self.tell("handed", seat)
        self._turns()
        return OK

    def put(self, who, seat, bot):
        """Let a bot play on another seat; nobody here is ever away for long."""
        own = self.seat_of(who)
        if status := self.refused(own):
            return status
        if seat == own:
            return self.hand(who, bot)
        if seat >= len(self.seats) or not self._free(seat, None):
            return NOT_NOW
        self.seats[seat].bot, self.seats[seat].held = bot, None
        self.tell("put", seat)
        self._begins()
        return OK

    def rename(self, who, *, same):
        seat = self.seat_of(who)
        if status := self.refused(seat):
            return status
        if not same:
            self.tell("renamed", seat)
        return OK

    def close(self, who):
        """The status, and whether the table is closed."""
        seat = self.seat_of(who)
        if status := self.refused(seat):
            return status
        if not self.begun and who != self.opener:
            return FORBIDDEN
        others = {i for i, place in enumerate(self.seats) if place.owner} - {seat}
        if not self.begun or others <= self.votes:
            self.closed, self.was_timed, self.timed = True, self.timed, False
        elif seat not in self.votes:
            self.votes.add(seat)
            self.tell("close", seat)
        return OK

    def pause(self, who):
        seat = self.seat_of(who)
        if status := self.refused(seat):
            return status
        if not self.timed or not self.begun or self.seats[seat].bot:
            return NOT_NOW
        if seat not in self.agreed:
            self.agreed.add(seat)
            self.tell("pause", seat)
        return OK

    def go_on(self, who):
        seat = self.seat_of(who)
        if status := self.refused(seat):
            return status
        if not self.timed:
            return NOT_NOW
        if self.agreed:
            if self.paused:
                for place in self.seats:
                    if place.runs:
                        place.begins_anew()
            self.agreed = set()
            self.tell("go-on", seat)
        return OK

    def give(self, who, to):
        seat = self.seat_of(who)
        if status := self.refused(seat):
            return status
        if not self.timed or to >= len(self.seats) or to == seat or not self.seats[to].played:
            return NOT_NOW
        if self.seats[to].reserve > RESERVE + (GIFTS - 1) * TURN:
            return NOT_NOW
        self.seats[to].reserve += TURN
        self.tell("gave", seat)
        return OK

    def say(self, who, phrase):
        seat = self.seat_of(who)
        if seat is None:
            return NO_SEAT
        bots = any(place.bot and place.owner is None for place in self.seats)
        if phrase > 8 and (bots or sum(place.owner is not None for place in self.seats) < 2):
            return NOT_NOW
        if self.now - self.spoke.get(seat, -9) < 5:
            return TOO_OFTEN
        self.spoke[seat] = self.now
        return OK

    def forget(self, who, nobody):
        """Somebody is nobody any more."""
        self.opener = nobody if self.opener == who else self.opener
        self.left_by = {i: nobody if one == who else one for i, one in self.left_by.items()}
        for place in self.seats:
            place.owner = nobody if place.owner == who else place.owner
            if place.held and place.held[0] == who:
                place.held = nobody, place.held[1]

    # Time

    def believe(self, times):
        """Take everybody's time from the house."""
        for place, (reserve, used, ended) in zip(self.seats, times, strict=True):
            place.reserve, place.used, place.ended = reserve, used, ended
        self.doubtful = False

    def wait(self, seconds):
        """Time goes by; who is late is played for.  Return who."""
        self.now += seconds
        late = []
        for i, place in enumerate(self.seats):
            if self.timed and place.runs and not self.paused and not self.over:
                place.used += seconds
                late += [i] if place.used >= TURN + place.reserve else []
        for i in late:
            self.seats[i].bot, self.seats[i].stand_in = STAND_IN, not self.seats[i].missed
            self.seats[i].missed += 1
            self.tell("late", i)
            self._turns()
        return late
