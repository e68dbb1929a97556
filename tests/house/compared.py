"""Whether the house shows what the model says, to every seat and to who watches."""

from house import known
from yegg.engine import CHANCE

SEEN = 12  # newest events and notices that a view holds


class Differs(AssertionError):
    """The house and the model differ; in words, where and how."""


def same(what, house, model):
    """Raise Differs with both values if they are not the same."""
    if house != model:
        raise Differs(f"{what}: the house says {house!r}, the model {model!r}")


def compare(evening, number):
    """Compare a table as everybody sees it."""
    table, key = evening.tables[number], evening.keys[number]
    truth = evening.server.choices_of_chance(key)
    same("what was played", truth, list(zip(table.match.actors, table.match.history, strict=True)))
    if table.doubtful and table.timed:
        table.believe(evening.server.times(key))
    story = known.story(table.match)
    everybody = [*evening.who.values(), None]
    reader = everybody[len(evening.lines) % len(everybody)]  # of the record: another each time
    for who in everybody:
        seat = table.seat_of(who) if who else None
        whose = f"{who or 'who watches'} at table {number + 1}"
        try:
            view = look(evening, key, who)
            of_view(view, table, -1 if seat is None else seat, story, evening.server.now)
            if who == reader:
                of_record(evening, key, who, table, known.told(table.match, eye(seat), story))
            of_stream(evening, number, who, view)
        except Differs as differs:
            raise Differs(f"{whose}: {differs}") from None
        before = evening.seen.get((number, who))
        same_seat = before and before["seat"] == view["seat"]
        if same_seat and view["number"] < before["number"]:
            raise Differs(f"{whose}: the number of events went back")
        evening.seen[number, who] = view


def eye(seat):
    return -1 if seat is None else seat


def look(evening, key, who):
    """The view as the API gives it."""
    answer = evening.server.ask("GET", f"/api/games/{key}", evening.tokens.get(who))
    if answer.status_code != 200:
        raise Differs(f"the table was not shown: {answer.text}")
    return answer.json()


def of_view(view, table, seat, story, now):
    """Every part of a view that the model knows."""
    match = table.match
    same("your seat", view["seat"], None if seat < 0 else seat + 1)
    same("whether it has begun", view["begun"], table.begun)
    same("whether it is over", view["over"], table.over)
    same("whether it is closed", view["closed"] is not None, table.closed)
    for place, shown in zip(table.seats, view["seats"], strict=True):
        same(f"whether seat {shown['seat']} is free", shown["free"], place.free)
        same(f"the bot on seat {shown['seat']}", shown["bot"], place.bot)
        if place.owner and place.owner.startswith("nobody"):
            same(f"the name on seat {shown['seat']}", shown["name"].split()[0], "Somebody")
    same("whose turn it is", view["turn"], [i + 1 for i in table.waited_for()])
    same("the choices", {c["text"]: c["choice"] for c in view["choices"]}, table.choices(seat))
    same("the sealed orders", view["orders"], known.written(table, seat))
    same("the position", view["position"], known.position(table, seat))
    texts = known.told(match, seat, story)[-SEEN:]
    actors = [None if actor == CHANCE else actor + 1 for actor in match.actors[-SEEN:]]
    told = list(zip(actors, texts, strict=True))
    same("what happened", [(e["seat"], e["text"]) for e in view["happened"]], told)
    same("the places", view["places"], match.places if table.over else None)
    if table.over:
        same("the scores", view["scores"], match.scores)
    notices = [(notice["kind"], notice["seat"]) for notice in view["notices"]]
    same("the notices", notices, table.notices[-SEEN:])
    of_clock(view["clock"], table, now)


def of_clock(clock, table, now):
    """Everybody's time, to the second: orders of one seat are a millisecond apart."""
    same("whether there is a clock", clock is not None, table.timed)
    if not clock:
        return
    same("whether it is paused", clock["paused"], table.paused)
    agreed = [seat + 1 for seat in sorted(table.agreed & table.people)]
    same("who would like a pause", clock["agreed"], agreed)
    for place, time in zip(table.seats, clock["times"], strict=True):
        left = time["until"] - now if time["until"] else time["left"]
        same(
            f"whether the time of seat {time['seat']} runs",
            bool(time["until"]),
            place.runs and not table.paused,
        )
        same(f"the time of seat {time['seat']}", round(left / 1000), place.left())
        same(f"the turns missed by seat {time['seat']}", time["missed"], place.missed)


def of_record(evening, key, who, table, texts):
    """The record: who did what, as the seat may know it."""
    answer = evening.server.ask("GET", f"/api/games/{key}/record", evening.tokens.get(who))
    lines = answer.text.partition("\n\n")[2].splitlines()
    by = ["*" if actor == CHANCE else str(actor + 1) for actor in table.match.actors]
    same("the record", lines, [f"{a} {text}" for a, text in zip(by, texts, strict=True)])


def of_stream(evening, number, who, view):
    """What somebody's stream has sent last is what they see, but for what is told more slowly."""
    ear = evening.ears.get((number, who))
    if ear is None:
        return
    ear.hear()
    sent, shown = (at_once(one, evening.server.several) for one in (ear.seen, view))
    for name, value in shown.items():
        same(f"the stream's {name}", sent.get(name), value)


def at_once(view, several):
    """A view without its guests, and where several processes serve, without who is away.

    Processes tell one another of both only now and then.
    """
    if view is None:
        return {}
    seats = [{**seat, "away": None} if several else seat for seat in view["seats"]]
    return {**view, "guests": 0, "seats": seats}
