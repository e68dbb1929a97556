"""A table by its log: what it was after each event, and what each seat may then be shown."""

from types import SimpleNamespace

from house import known
from yegg import games
from yegg.engine import CHANCE, Match, promised
from yegg.table.domain.seats import Event, Kind
from yegg.table.service.older_rules import position

SEEN = 12  # newest events that a view holds


class Log:
    """A table of the log, replayed as far as it can be."""

    def __init__(self, table):
        self.table, self.key, self.broken = table, table["key"], None
        game = games.find(table["game"])
        head = SimpleNamespace(**table, ended=None, result=None)
        head.clock = table["clock"]
        now = position(head, Match(game, table["seats"], table["options"]))
        self.states, self.events, self.stories = [now], [], {}
        for row in table["events"]:
            now = now.fork()
            try:
                event = Event.read(SimpleNamespace(**row))
                now.apply(event)
            except Exception as why:  # noqa: BLE001  a log that is wrong may break anything
                self.broken = row["number"], f"{type(why).__name__}: {why}"
                break
            self.events.append(event)
            self.states.append(now)
        self.at = [{} for _ in now.seen]  # by seat and number: the first and the last state
        for k, state in enumerate(self.states):
            for there, number in zip(self.at, state.seen, strict=True):
                there[number] = there.get(number, (k, k))[0], k

    def when(self, seat, number):
        """The first and the last state in which a seat knew of so many events; else None."""
        return self.at[seat].get(number)

    def asked_for(self):
        """The numbers of the choices of people's seats; whether somebody must have asked for each.

        Where a bot plays for the owner it may be either's.
        """
        for k, event in enumerate(self.events, 1):
            before, seat = self.states[k - 1], event.actor
            if seat < 0 or event.kind not in (Kind.CHOICE, Kind.ORDER, Kind.UNDO):
                continue
            place, carried_out = before.seats[seat], event.kind == Kind.CHOICE
            if place.person is None or seat in before.late:
                continue
            if carried_out and (before.orders.get(seat) or before.played < self.table["after"]):
                continue
            yield k, place.bot is None or event.kind == Kind.UNDO

    def parts(self, k, seat):
        """What a view shows to a seat after ``k`` events, of what follows from the rules."""
        state = self.states[k]
        turn, match = state.turn_of(seat), state.match
        texts = known.told(match, seat, self.story(k))[-SEEN:]
        actors = [None if actor == CHANCE else actor + 1 for actor in match.actors[-SEEN:]]
        return {
            "begun": state.begun,
            "over": state.over,
            "closed": bool(state.closed),
            "turn": [one + 1 for one in state.waited_for()],
            "choices": {} if turn is None else turn.texts,
            "orders": known.written(state, seat),
            "position": known.position(plain(state), seat),
            "happened": list(map(list, zip(actors, texts, strict=True))),
            "places": match.places if state.over else None,
        }

    def story(self, k):
        """Everything that had happened after ``k`` events, nothing left out."""
        history = tuple(self.states[k].match.history)
        if history not in self.stories:
            self.stories[history] = known.story(self.states[k].match)
        return self.stories[history]

    def hidden(self, k):
        """The same with nothing hidden: the position, and what has happened."""
        state = self.states[k]
        return known.fields(state.match.states), self.story(k)[0][-SEEN:]

    def dice(self):
        """Each chance event that is not as promised: its number, what came, whether it came twice.

        Events are counted as in the record.
        """
        state, after = self.states[-1], self.table["after"]
        key, before = promised.key(bytes.fromhex(self.table["seed"]), state.salts, after), {}
        for draw in promised.draws(state.match):
            if draw.event > after:
                due = promised.index(key, draw.kind, draw.n, len(draw.texts))
                came = draw.texts[draw.drawn]
                if due != draw.drawn:
                    yield draw.event, came, draw.texts[due], before.get(draw.kind) == came
            before[draw.kind] = draw.texts[draw.drawn]


def plain(state):
    """A state with what `known.position` asks of the model's table."""
    acting = {seat: (at.match, at.full) for seat, at in state.acting().items()}
    return SimpleNamespace(match=state.match, acting_now=lambda: acting)


def shown(view):
    """The same parts of a view that somebody was shown."""
    return {
        **{name: view[name] for name in ("begun", "over", "turn", "orders", "position", "places")},
        "closed": view["closed"] is not None,
        "choices": {one["text"]: one["choice"] for one in view["choices"]},
        "happened": [[one["seat"], one["text"]] for one in view["happened"]],
    }
