"""An evening: what people ask for, line by line, of the house and of the model.

A line is a word for who asks, one for what, and what else there is: `Ann sit 1 2` is Ann, who would
like seat 2 of the first table.  After each line the house and the model are compared.
"""

from collections import Counter

from house.compared import Differs, compare
from house.failing import Failing
from house.history import person
from house.known import unsealed
from house.model import HELD, NOT_NOW, NOT_POSSIBLE, OK, Table
from house.seat import Seat
from house.server import STEP
from yegg import games
from yegg.engine import Match

PEOPLE = "Ann", "Ben", "Cid", "Dot"
CLOCK = {"kind": "live", "turn": 60, "reserve": 120, "late": "uniform"}
GAMES = {  # settings that are soon over
    "second-story": {"chips": "3"},
    "thiefs-market": {"dice": "6"},
    "magnate": {"districts": "aces"},
    "secrets": {"turns": "2", "secrets": "2"},
}
ELSEWHERE = "put", "rename"  # nothing that changes what one may choose
USUAL = "medium"  # the bot that plays where nobody says which
NOBODY = object()  # where somebody was not here yet
PLAYERS = {"second-story": 2, "thiefs-market": 3, "magnate": 2, "secrets": 3}


class Evening(Failing):
    """Some tables at which people meet."""

    def __init__(self, server):
        self.server, self.lines, self.counts, self.differs = server, [], Counter(), False
        self._begin(1)

    def _begin(self, processes):
        """Everybody comes to a new house."""
        self.server.restart(processes=processes)
        self.who = {name: name for name in PEOPLE}  # a new name for whoever was forgotten
        self.tokens, self.tables, self.keys = {}, [], []
        self.apart, self.past, self.ears = set(), {}, {}
        self.seen, self.since, self.met, self.public = {}, {}, set(), {}
        for name in PEOPLE:
            self._comes(name)

    def _comes(self, name):
        """Somebody gets a token."""
        self.tokens[name] = self.server.ask("POST", "/api/tokens").json()["token"]
        self.server.history.people[person(self.tokens[name])] = name

    def do(self, line):
        """Carry out a line, and compare."""
        self.lines.append(line)
        name, verb, *rest = line.split(" ", 3)
        self.counts[verb] += 1
        who = self.who.get(name)
        self.differs = True  # until it is clear that nothing does
        touched = getattr(self, "_" + verb.replace("-", "_"))(who, *rest)
        if touched is not None:
            self._follow(touched, who)
        if errors := self.server.errors():
            raise Differs(f"the house says in its log: {errors}")
        self.differs = False

    def ask(self, who, what, body=None, key=None):
        """What the house answers to somebody's request."""
        path = "/api" + (f"/games/{key}" if key else "") + what
        return self.server.ask("POST", path, self.tokens.get(who), body)

    def expect(self, answer, status):
        """Whether the house did as it should, and no worse."""
        if answer.status_code != status:
            why = f"the house answered {answer.status_code}, the model {status}: {answer.text}"
            raise Differs(why)
        self.counts["refused" if status != OK else "done"] += 1
        return status == OK

    def _follow(self, number, did=None):
        """Let bots and chance go on in the model, too; then compare."""
        table, key = self.tables[number], self.keys[number]
        table.settle(self.server.choices_of_chance(key))
        with self.server.one_answers():
            compare(self, number)
        self.met |= {seat.owner for seat in table.seats}
        numbers, past = self.numbers(number), self.past.setdefault(number, [])
        history = list(table.match.history)
        self._counted(number, numbers, did)
        for who in numbers:  # a choice for an older position counts no more
            own = who == did and self.lines[-1].split(" ")[1] not in ELSEWHERE
            own = own and past and past[-1][0].get(who) != numbers[who]
            if not past or past[-1][2] != history or own:
                self.since[number, who] = numbers[who]
        past.append((numbers, {who: table.seat_of(who) for who in numbers}, history))

    def _counted(self, number, numbers, did):
        """Orders under seal, given or taken back, are no event to anybody else."""
        table = self.tables[number]
        public = (
            list(table.match.history),
            [(seat.owner, seat.bot, seat.held) for seat in table.seats],
            table.waited_for(),
            (table.begun, table.closed, table.paused, table.next is None),
            (list(table.notices), set(table.agreed), set(table.votes)),
        )
        before, was = self.public.get(number, (None, {}))
        seat = table.seat_of(did)
        bot = seat is not None and table.seats[seat].bot  # it gives again what is taken back
        choice = not bot and self.lines[-1].split(" ")[1].startswith(("choose", "undo"))
        if choice and before == public:
            for who, known in numbers.items():
                if who != did and known != was.get(who, known):
                    raise Differs(f"{who or 'who watches'} can count orders under seal: {known}")
        self.public[number] = public, numbers

    def numbers(self, number):
        """By person: the newest event that they know of."""
        return {who: self.seen[number, who]["number"] for who in [*self.who.values(), None]}

    def at(self, text):
        """A table by its number from 1; those who ask for none that is there get another."""
        number = (int(text) - 1) % len(self.tables)
        return number, self.tables[number], self.keys[number]

    # Tables

    def _processes(self, _, many):
        """`all processes 3`: the first line, if several processes serve the house."""
        self._begin(int(many))

    def _open(self, who, game, rest):
        """`Ann open magnate me,open clock`."""
        who_sits, *how = rest.split(" ")
        seats, options = who_sits.split(","), GAMES[game]
        body = {"game": game, "seats": seats, "options": options, "you": who}
        timed = "clock" in how
        answer = self.ask(who, "/games", body | ({"clock": CLOCK} if timed else {}))
        if answer.status_code != 201:
            raise Differs(f"no table was opened: {answer.text}")
        match = Match(games.find(game), len(seats), options)
        table = Table(match, [Seat() for _ in seats], timed=timed)
        return self._new(answer.json()["id"], table, seats, who)

    def _new(self, key, table, seats, who):
        table.now = self.server.now // 1000
        for i, seat in enumerate(seats):
            if seat == "me":
                table.sits(i, who)
            elif seat != "open":
                table.seats[i].bot = seat
                table._begins()
        self.tables.append(table)
        self.keys.append(key)
        self.server.everywhere(key)
        return len(self.tables) - 1

    def _sit(self, who, table, seat="any"):
        number, model, key = self.at(table)
        wanted = None if seat == "any" else int(seat) - 1
        apart = any(frozenset((who, p.owner)) in self.apart for p in model.seats if p.owner)
        body = {"you": who} | ({} if wanted is None else {"seat": wanted + 1})
        self.expect(self.ask(who, "/join", body, key), model.sit(who, wanted, apart))
        return number

    def _leave(self, who, table):
        number, model, key = self.at(table)
        self.expect(self.ask(who, "/leave", None, key), model.leave(who))
        return number

    def _close(self, who, table):
        number, model, key = self.at(table)
        answer = self.ask(who, "/close", None, key)
        if self.expect(answer, model.close(who)) and answer.json()["closed"] != model.closed:
            raise Differs(f"the model says closed: {model.closed}; the house: {answer.text}")
        return number

    # Choices

    def _choose(self, who, table, choice):
        """By its words; `#3` is the number 3."""
        number, model, key = self.at(table)
        said = int(choice[1:]) if choice.startswith("#") else choice
        now = self.seen[number, who]["number"]
        status = model.choose(who, said)
        self.expect(self.ask(who, "/choices", {"choice": said, "after": now}, key), status)
        return number

    def _choose_twice(self, who, table, choice):
        """The same sent twice: the second comes too late."""
        number, model, key = self.at(table)
        now = self.seen[number, who]["number"]
        body = {"choice": choice, "after": now}
        first = model.choose(who, choice)
        self.expect(self.ask(who, "/choices", body, key), first)
        model.settle(self.server.choices_of_chance(key))
        again = model.choose(who, choice, stale=first == OK)
        self.expect(self.ask(who, "/choices", body, key), again)
        return number

    def _choose_late(self, who, table, choice):
        """A choice for the position that was before somebody last did something."""
        number, model, key = self.at(table)
        seat = model.seat_of(who)
        before = [
            seen[who]
            for seen, seats, _ in self.past.get(number, [])
            if seats.get(who, NOBODY) == seat
        ]
        now, since = self.seen[number, who]["number"], self.since.get((number, who), 0)
        older = next((n for n in reversed(before) if n < since), None)
        body = {"choice": choice, "after": now if older is None else older}
        status = model.choose(who, choice, stale=older is not None)
        self.expect(self.ask(who, "/choices", body, key), status)
        return number

    def _choose_row(self, who, table, texts):
        """Several choices in a row: all, or none."""
        number, model, key = self.at(table)
        row = texts.split(" | ")
        now = self.seen[number, who]["number"]
        answer = self.ask(who, "/choices", {"choice": row, "after": now}, key)
        for text in row:
            if not self.expect(answer, model.choose(who, text)):
                break
        return number

    def _undo(self, who, table):
        number, model, key = self.at(table)
        self.expect(self.ask(who, "/undo", None, key), model.undo(who))
        return number

    # Who plays

    def _hand(self, who, table, bot="back"):
        number, model, key = self.at(table)
        bot = None if bot == "back" else bot
        self.expect(self.ask(who, "/hand", {"bot": bot}, key), model.hand(who, bot))
        return number

    def _hand_wrong(self, who, table, bot):
        number, model, key = self.at(table)
        status = model.refused(model.seat_of(who))
        status = status if status == 401 else NOT_POSSIBLE
        self.expect(self.ask(who, "/hand", {"bot": bot}, key), status)
        return number

    def _put(self, who, table, seat_and_bot):
        number, model, key = self.at(table)
        seat, bot = seat_and_bot.split(" ")
        status = model.put(who, int(seat) - 1, bot)
        self.expect(self.ask(who, "/hand", {"bot": bot, "seat": int(seat)}, key), status)
        return number

    def _rename(self, who, table, name):
        number, model, key = self.at(table)
        seat = model.seat_of(who)
        same = seat is not None and self.seen[number, None]["seats"][seat]["name"] == name
        status = model.rename(who, same=same)
        self.expect(self.ask(who, "/name", {"you": name}, key), status)
        return number

    # Time

    def _pause(self, who, table):
        number, model, key = self.at(table)
        self.expect(self.ask(who, "/pause", {"pause": True}, key), model.pause(who))
        return number

    def _go_on(self, who, table):
        number, model, key = self.at(table)
        self.expect(self.ask(who, "/pause", {"pause": False}, key), model.go_on(who))
        return number

    def _give(self, who, table, seat):
        number, model, key = self.at(table)
        status = model.give(who, int(seat) - 1)
        self.expect(self.ask(who, "/time", {"seat": int(seat)}, key), status)
        return number

    def _wait(self, did, seconds):
        """`all wait 30`: time goes by at all tables, some seconds at once."""
        left = int(seconds)
        while left:
            step = min(left, STEP)
            self.server.wait(step)
            for key, table in zip(self.keys, self.tables, strict=True):
                if table.wait(step):
                    table.settle(self.server.choices_of_chance(key))
            left -= step
        for number in range(len(self.tables)):
            self._follow(number, did)

    # Beside the game

    def _say(self, who, table, phrase):
        number, model, key = self.at(table)
        answer = self.ask(who, "/phrases", {"phrase": int(phrase)}, key)
        self.expect(answer, model.say(who, int(phrase)))
        return number

    def _block(self, who, table, seat):
        number, model, key = self.at(table)
        own, place = model.seat_of(who), int(seat) - 1
        other = model.seats[place].owner if place < len(model.seats) else None
        status = 401 if own is None else NOT_NOW if other is None or place == own else OK
        answer = self.ask(who, "/block", {"seat": place + 1, "blocked": True}, key)
        if self.expect(answer, status):
            self.apart.add(frozenset((who, other)))
        return number

    def _forget(self, who):
        """Somebody's name is erased; whoever comes with the name then is somebody new."""
        known = who in self.met
        if not self.expect(self.ask(who, "/me/forget"), OK if known else 401):
            return
        self.server.looks_around()
        name = next(name for name, now in self.who.items() if now == who)
        new, gone = f"{who}'", f"nobody, who was {who}"
        self.who[name] = new
        self._comes(new)
        for number, table in enumerate(self.tables):
            if ear := self.ears.pop((number, who), None):
                ear.ends()
            table.forget(who, gone)
            self._follow(number)

    def _listen(self, who, table):
        """Somebody opens a stream, `all` who has no seat."""
        number, _, key = self.at(table)
        if (number, who) not in self.ears:
            self.ears[number, who] = self.server.listen(key, self.tokens.get(who))
        return number

    def _reread(self, _, table):
        """The house forgets a table, and reads it from disk again."""
        number, model, key = self.at(table)
        for there, who in list(self.ears):
            if there == number:
                del self.ears[there, who]
        self.server.forget(key)
        model.spoke = {}
        return number

    # Another game

    def _rematch(self, who, table):
        number, old, key = self.at(table)
        seat = old.seat_of(who)
        status = 401 if seat is None else OK if old.over or old.closed else NOT_NOW
        there = old.next
        joins = there and not (there.over or there.closed) and there.free_for(who) is not None
        if status == OK and there and there.seat_of(who) is None and joins:
            apart = any(frozenset((who, p.owner)) in self.apart for p in there.seats if p.owner)
            status = there.sit(who, None, apart)
            number = self.tables.index(there)
            self.expect(self.ask(who, "/again", None, key), status)
            return number
        answer = self.ask(who, "/again", None, key)
        if not self.expect(answer, status) or (there and there.seat_of(who) is not None):
            return number
        return self._set_again(old, seat, who, answer.json()["id"], number)

    def _set_again(self, old, seat, who, key, number):
        new = Table(
            old.match.again(), [Seat() for _ in old.seats], timed=old.timed or old.was_timed
        )
        new.opener = who
        seats = ["open" if p.owner or not p.bot else p.bot for p in old.seats]
        seats[seat] = "me"
        made = self._new(key, new, seats, who)
        for i, place in enumerate(old.seats):
            if place.owner and i != seat and frozenset((who, place.owner)) not in self.apart:
                new.seats[i].held = place.owner, new.now + HELD
                self.met.add(place.owner)
        old.next = new
        old.tell("again", seat)
        self._follow(number)
        return made

    def _fork(self, who, table, rest):
        """`Ann fork 1 12 2`: from the position after 12 events, on seat 2."""
        number, old, key = self.at(table)
        at, seat = (int(word) for word in rest.split(" "))
        answer = self.ask(who, "/fork", {"at": at, "seat": seat, "you": who}, key)
        if not old.over:
            self.expect(answer, NOT_NOW)
            return number
        status = 410 if old.closed else NOT_NOW if seat > len(old.seats) else OK
        start = unsealed(old.match, at)
        if status == OK and start.over:
            status = NOT_NOW
        if not self.expect(answer, status if status != OK else 200):
            return number
        new = Table(start, [Seat() for _ in old.seats])
        seats = [place.bot or USUAL for place in old.seats]
        seats[seat - 1] = "me"
        return self._new(answer.json()["id"], new, seats, who)
