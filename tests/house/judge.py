"""Whether a history can be true of one log; else each anomaly, by its line and what was due.

python tests/house/judge.py DIR          DIR holds history.jsonl and log.jsonl
python tests/house/judge.py DIR TWIN     and is the same evening but for one thing that is hidden
"""

import sys
from bisect import bisect_left
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

from house.history import UNKNOWN, load
from house.told import Log, shown
from yegg.engine import promised
from yegg.table.domain.seats import Kind


class Anomaly(NamedTuple):
    """Something that cannot be true."""

    line: int
    """Of the history, from 1, with its head; 0: it stands in the log alone."""
    what: str
    why: str

    def __str__(self):
        return f"{f'line {self.line}' if self.line else 'log'}: {self.what}: {self.why}"


class Judge:
    """One history beside one log."""

    def __init__(self, people, lines, log):
        self.people, self.found = people, []
        self.lines = list(enumerate(lines, 2))
        self.logs = {table["key"]: Log(table) for table in log}
        self.gone = {one["who"] for one in lines if done(one, "me/forget")}
        self.done = defaultdict(list)  # by line: table, state and why, of what was acknowledged
        self.reach = defaultdict(list)  # by table: line, state and why, of the newest told so far
        self.views = defaultdict(dict)  # by table, and seat with number: who was shown it

    def say(self, line, what, why):
        self.found.append(Anomaly(line, what, why))

    def judged(self):
        """All anomalies, in the order of the lines."""
        for log in self.logs.values():
            self.of_log(log)
            self.of_choices(log)
            self.of_dice(log)
        self.of_promises()
        for line, one in self.lines:
            if one["does"] in ("look", "told") and "seat" in one["got"]:
                self.of_view(line, one, self.logs[one["table"]])
            for key, k, why in self.done[line]:
                self.reaches(key, line, k, why)
        self.of_streams()
        self.of_clocks()
        return sorted(self.found)

    def name(self, who):
        return self.people.get(who, "somebody who watches")

    # The log

    def of_log(self, log):
        numbers = [row["number"] for row in log.table["events"]]
        for due, number in enumerate(numbers, 1):
            if number != due:
                why = f"table {log.key} has event {number} where {due} is due"
                self.say(0, "a gap in the log", why)
                break
        if log.broken:
            number, why = log.broken
            self.say(0, "a log that no game has", f"event {number} of {log.key}: {why}")
        for k, event in enumerate(log.events, 1):
            if event.kind != Kind.SIT:
                continue
            owner = log.states[k - 1].seats[event.actor].person
            if owner and owner != event.person:
                why = f"event {k}: {self.name(event.person)} sits down on seat {event.actor + 1}"
                self.say(0, "two owners", f"{why}, where {self.name(owner)} sits")

    def of_dice(self, log):
        seeds = [one.key for one in self.logs.values() if one.table["seed"] == log.table["seed"]]
        if seeds[0] != log.key:
            self.say(0, "a die drawn twice", f"tables {seeds[0]} and {log.key} have the same seed")
        for event, came, due, again in log.dice():
            what = "a die drawn twice" if again else "another die than promised"
            self.say(0, what, f"event {event} of {log.key} is {came!r}; {due!r} was due")

    def of_promises(self):
        for line, one in self.lines:
            if not done(one, "record"):
                continue
            log, pledge = self.logs[one["table"]], promised.pledged(one["got"], "the record")
            due = promised.promise(bytes.fromhex(log.table["seed"]))
            if pledge is None or pledge.promise != due:
                why = f"the record says {pledge and pledge.promise}; {due} was promised"
                self.say(line, "another promise", why)
            elif pledge.seed and "\nplaces: " not in one["got"]:
                why = "the seed is in a record of a game that goes on"
                self.say(line, "a leak of what is hidden", why)

    # Choices

    def owns(self, who, person):
        """Whether a seat's owner is somebody; who is forgotten has no name in the log."""
        return person == who or (who in self.gone and person not in self.people)

    def of_choices(self, log):
        """Each acknowledged choice stands in the log once and in order, and no other one does."""
        asked_for, before = dict(log.asked_for()), []
        left = list(asked_for)
        asked = [(line, one) for line, one in self.lines if one.get("table") == log.key]
        asked = [(line, one) for line, one in asked if one["does"] in ("choices", "undo")]
        for line, one in asked:
            if one["status"] == 200:
                self.of_choice(log, line, one, left, before)
        unknown = {line: many(one) for line, one in asked if one["status"] == UNKNOWN}
        for k in left:
            fits = [(line, one) for line, one in asked if self.fits(log, k, one)]
            if not asked_for[k] or (not fits and undone_with(log, k)):
                continue  # a bot's, or an order that was written anew takes others back
            if lost := [line for line, _ in fits if unknown.get(line)]:
                unknown[lost[0]] -= 1  # nobody was told whether it was done
            else:
                self.of_other(log, k, fits)

    def of_other(self, log, k, fits):
        """Event ``k`` answers for no line, although ``fits`` ask for such a one."""
        event = log.events[k - 1]
        told = f"event {k} of {log.key} is {event.words or 'taken back'!r} of seat"
        told = f"{told} {event.actor + 1}"
        refused = [line for line, one in fits if one["status"] not in (200, UNKNOWN)]
        if any(one["status"] == 200 for _, one in fits):
            self.say(fits[-1][0], "done twice", f"{told}, once more than it was asked for")
        elif refused:
            self.say(refused[0], "refused and done", told)
        else:
            self.say(0, "nobody asked", f"{told}; no line asks for it")

    def of_choice(self, log, line, one, left, before):
        """``left``: events that answer for no line yet; ``before``: lines, and theirs."""
        sent = one["sent"] or {}
        said = sent.get("choice", "undo")
        for token in said if isinstance(said, list) else [said]:
            fits = [k for k in left if self.fits(log, k, one, token)]
            known = [k for k in fits if within(log, k, sent.get("after"), one["got"]["number"])]
            what = f"{self.name(one['who'])} was told that {token!r} is done"
            past = [k for at, k in before if at < one["since"] + 2]
            if known and known[0] < max(past, default=0):
                why = f"{what}; the log has it as event {known[0]}, before what was done by then"
                self.say(line, "in another order", why)
                left.remove(known[0])
            elif known:
                left.remove(known[0])
                before.append((line, known[0]))
                self.done[line].append((log.key, known[0], f"{what} (line {line})"))
            elif fits:
                left.remove(fits[0])
                why = f"{what} as number {one['got']['number']}; the log has it as event {fits[0]}"
                self.say(line, "in another order", why)
            else:
                self.say(line, "acknowledged and lost", f"{what}; the log does not have it")

    def fits(self, log, k, one, token=None):
        """Whether an event of the log is what a line asks for."""
        event, owner = log.events[k - 1], log.states[k - 1].seats[log.events[k - 1].actor].person
        said = (one["sent"] or {}).get("choice", "undo") if token is None else token
        if not self.owns(one["who"], owner):
            return False
        if isinstance(said, list):
            return event.words in said
        if said == "undo" or event.kind == Kind.UNDO:
            return said == "undo" and event.kind == Kind.UNDO
        return said in (event.of, event.words)

    # What people were shown

    def of_view(self, line, one, log):
        view, who = one["got"], one["who"]
        seat = (view["seat"] or 0) - 1
        number, reader = view["number"], self.name(who)
        if (when := log.when(seat, number)) is None:
            known = max(log.at[seat])
            what = "shown and not in the log" if number > known else "a number that never was"
            why = f"{reader} was shown {number} events; by the log a seat there knows of {known}"
            self.say(line, what, why)
            return
        before = self.views[log.key].setdefault((seat, number), who)
        if seat >= 0 and before != who and not {who, before} & self.gone:
            why = f"seat {seat + 1} was shown to {reader} and, as of the same event, to"
            self.say(line, "two owners", f"{why} {self.name(before)}")
        elif seat >= 0 and not self.owns(who, log.states[when[1]].seats[seat].person):
            why = f"{reader} was shown seat {seat + 1}; by the log somebody else sits there"
            self.say(line, "two owners", why)
        self.of_parts(line, reader, shown(view), log, when[1], seat)
        if one["does"] == "look":
            self.of_reach(line, one, log, when)

    def of_parts(self, line, reader, there, log, k, seat):
        due = log.parts(k, seat)
        for name, value in there.items():
            if value != due[name]:
                leaks = leaked(name, value, due[name], log, k)
                what = "a leak of what is hidden" if leaks else "unlike the log"
                why = (
                    f"{name} as {reader} was shown it after event {k}: {differs(value, due[name])}"
                )
                self.say(line, what, why)

    def of_reach(self, line, one, log, when):
        """Nothing is older than what was told before it was asked for."""
        who, told = self.name(one["who"]), self.reach[log.key]
        before = bisect_left(told, one["since"] + 2, key=lambda past: past[0])
        if before and told[before - 1][1] > when[1]:
            _, newest, why = told[before - 1]
            what = "seen less than before" if "was shown" in why else "stale after a write"
            why = f"{who} was shown the table after event {when[1]}, but {why}"
            self.say(line, what, f"{why}, which is event {newest}")
        self.reaches(log.key, line, when[0], f"{who} was shown more (line {line})")

    def reaches(self, key, line, k, why):
        """Somebody knows of event ``k`` now; whoever asks later is to see no less."""
        if not self.reach[key] or k > self.reach[key][-1][1]:
            self.reach[key].append((line, k, why))

    def of_streams(self):
        """No stream goes back, and in the end each has told the newest."""
        last, open_ears = {}, {}
        for line, one in self.lines:
            if one["does"] == "ends":
                open_ears.pop(one["ear"], None)
            if one["does"] != "told":
                continue
            ear, view = one["ear"], one["got"]
            seat, number = last.get(ear, (view["seat"], 0))
            if seat == view["seat"] and view["number"] < number:
                why = f"a stream told {view['number']} events after {number}"
                self.say(line, "seen less than before", why)
            last[ear], open_ears[ear] = (view["seat"], view["number"]), (line, one)
        for line, one in open_ears.values():
            log = self.logs[one["table"]]
            due = log.states[-1].seen[log.states[-1].seat_of(one["who"])]
            if one["got"]["number"] < due:
                why = f"the stream told {one['got']['number']} events and no more; there are {due}"
                self.say(line, "a stream that sleeps", why)

    def of_clocks(self):
        """While somebody's time runs, no more of it is gone than has gone by."""
        left = {}
        for line, one in self.lines:
            clock = one["does"] == "look" and one["status"] == 200 and one["got"]["clock"]
            for time in clock["times"] if clock else ():
                of = one["table"], time["seat"]
                if not time["until"]:
                    continue
                now = time["until"] - one["at"]
                at, before = left.get(of, (one["at"], now))
                if before - now > one["at"] - at + 1000:
                    why = f"{before - now} ms of seat {time['seat']} are gone in {one['at'] - at}"
                    self.say(line, "a clock that runs twice", why)
                left[of] = one["at"], now


def many(one):
    """How many choices a line asks for."""
    said = (one["sent"] or {}).get("choice", "undo")
    return len(said) if isinstance(said, list) else 1


def done(one, does):
    """Whether a line is a request of a kind, and was granted."""
    return one["does"] == does and one.get("status") == 200


def within(log, k, after, number):
    """Whether an event comes after what its actor knew, and before what they were told."""
    seat = log.events[k - 1].actor
    known = log.states[k - 1].seen[seat] >= (after or 0)
    return known and log.states[k].seen[seat] <= number


def undone_with(log, k):
    """Whether an event is of the same moment and seat as something that was taken back."""
    event = log.events[k - 1]
    return any(
        one.kind == Kind.UNDO and (one.actor, one.at) == (event.actor, event.at)
        for one in log.events
    )


def leaked(name, value, due, log, k):
    """Whether what differs is what nobody but its owner may know."""
    fields, texts = log.hidden(k)
    if name == "position":
        three = zip(flat(value), flat(due), flat(fields), strict=False)
        return any(one == truth != other for one, other, truth in three)
    if name == "happened":
        pairs = zip(value, due, texts, strict=False)
        return any(one[1] == text for one, other, text in pairs if one != other)
    return name in ("orders", "choices") and not due


def flat(fields):
    """All numbers of a position."""
    if isinstance(fields, int):
        return [fields]
    inner = fields.values() if isinstance(fields, dict) else fields
    return [number for one in inner for number in flat(one)]


def differs(value, due):
    """Both, as far as they differ."""
    if isinstance(due, dict) and isinstance(value, dict):
        names = [name for name in {**due, **value} if value.get(name) != due.get(name)]
        value, due = ({name: one.get(name) for name in names} for one in (value, due))
    return f"{value!r}; {due!r} was due"[:300]


def judged(people, lines, log):
    """The anomalies of a history."""
    return Judge(people, lines, log).judged()


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    one = load(sys.argv[1])
    found = judged(*one)
    if sys.argv[2:]:
        from house.twins import told_apart

        found += told_apart(one, load(sys.argv[2]))
    for anomaly in found:
        print(anomaly)  # noqa: T201
    if found:
        sys.exit(f"{len(found)} anomalies: this cannot be true")
    print(f"{len(one[1])} lines and {len(one[2])} tables: all of it can be true")  # noqa: T201


if __name__ == "__main__":
    main()
