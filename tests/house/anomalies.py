"""What the judge of histories is to name: true histories that are bent, and a house that is.

Each bend changes a history (`people`, `lines`, `log`) of the evening `BENT`, and returns the line
at which it is to be named, 0 where it stands in the log alone.  `BROKEN` changes the house itself.
`python tests/house/anomalies.py` says what the judge says of each.
"""

import copy
import json
import sys
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from house.evening import Evening
from house.history import log_of
from house.judge import judged
from house.plant import planted
from house.runs import served
from house.twins import told_apart

HERE = Path(__file__).parent
BENT = """Ann open magnate me,open clock
Ben sit 1
Ann listen 1
all listen 1
Ann choose 1 sell the-castle
all wait 20
Ann choose 1 end
Ben choose 1 sell the-mill
Ben undo 1
Ben choose 1 sell the-mill
Ben choose 1 end
all wait 7
all wait 9
Ann choose 1 end
Ann open secrets me,open,open
Ben sit 2
Cid sit 2
Ann choose 2 #10
Ben choose 2 #0
Cid choose 2 #0
Ann pause 1""".splitlines()

SECRET = """Ann open secrets me,open,open
Ben sit 1
Cid sit 1
Ben listen 1
all listen 1
Ann choose 1 #10
Ann undo 1
Ann choose 1 #10
Ann choose 1 #11
all wait 5
Ben choose 1 #0
Cid choose 1 #0""".splitlines()
TWIN = [*SECRET[:5], "Ann choose 1 #20", "all wait 0", "all wait 0", *SECRET[8:]]
"""The same to all but Ann: another order, and she takes none back."""

BROKEN = [
    (
        "stale after a write",
        "table/service/table.py",
        "for seat, view in self.views.items() if not new[seat]}",
        "for seat, view in self.views.items() if seat != 0 and not new[seat] or seat == 0}",
    ),
    (
        "a die drawn twice",
        "table/domain/dice.py",
        "now.drawn.get(kind, 0) + 1",
        "max(1, now.drawn.get(kind, 0))",
    ),
    (
        "a stream that sleeps",
        "table/service/table.py",
        "            self.phrases.forget()\n        self.wake()",
        "            self.phrases.forget()\n            self.wake()",
    ),
    (
        "a leak of what is hidden",
        "engine/secrecy.py",
        "return text_for(self.voice, self.past, i, seat) if hides(self.twin) else self.words[i]",
        "return self.words[i]",
    ),
    (
        "a clock that runs twice",
        "table/domain/clock.py",
        "since=at if seat in acting and not paused else None",
        "since=2 * self.at - at if seat in acting and not paused else None",
    ),
    (
        "a leak by count",
        "table/domain/state.py",
        "self.seen[seat] = row.seen[seat] + (self.ready() != row.ready)",
        "self.seen[seat] += 1",
    ),
]
"""Anomaly, file, text and what is there in its place."""


def heard(server, script):
    """The history of a script, whatever the model says of it; and its log."""
    evening = Evening(server)
    for line in script:
        with suppress(Exception):  # whatever the model says, the judge is to say it
            evening.do(line)
    log = list(log_of(server.registry.store, evening.keys))
    history = server.history
    return copy.deepcopy((history.people, history.lines, json.loads(json.dumps(log))))


# Where something stands


def at(lines, does, nth=0, who=None, table=None):
    """The index of the nth line of a kind; -1: the last."""
    fits = [i for i, one in enumerate(lines) if one["does"] == does]
    fits = [i for i in fits if who is None or lines[i]["who"] == who]
    fits = [i for i in fits if table is None or lines[i]["table"] == table]
    return fits[nth]


def renumbered(table):
    for number, event in enumerate(table["events"], 1):
        event["number"] = number


def who(people, name):
    return next(one for one, called in people.items() if called == name)


def event(table, words, nth=0):
    """The index of the nth event of a table with such words."""
    return [i for i, one in enumerate(table["events"]) if one["words"] == words][nth]


def looks(lines, after, who):
    """The next look of somebody."""
    for i, one in enumerate(lines):
        if i > after and one["does"] == "look" and one["who"] == who:
            return i
    raise LookupError


# Bends, each with the name that the judge is to give


def acknowledged_and_lost(people, lines, log):
    """An order that was acknowledged is not on disk."""
    del log[1]["events"][-2]  # Ben's
    renumbered(log[1])
    return at(lines, "choices", 0, who(people, "Ben"), log[1]["key"]) + 2


def done_twice(people, lines, log):
    """What was asked for once stands in the log twice: the client asked once, and it sufficed."""
    ben = who(people, "Ben")
    del lines[at(lines, "choices", 1, ben)]
    return at(lines, "choices", 0, ben) + 2


def in_another_order(people, lines, log):
    """Ben's order stands before Ann's, who was told before he asked."""
    events = log[1]["events"]
    events[-3], events[-2] = events[-2], events[-3]
    renumbered(log[1])
    return at(lines, "choices", 0, who(people, "Ben"), log[1]["key"]) + 2


def stale_after_a_write(people, lines, log):
    """Ann chooses, and is shown the table as it was before."""
    ann = who(people, "Ann")
    before = at(lines, "choices", 0, ann)
    after = looks(lines, before, ann)
    lines[after]["got"] = copy.deepcopy(
        next(one["got"] for one in lines[before::-1] if one["does"] == "look" and one["who"] == ann)
    )
    return after + 2


def seen_less_than_before(people, lines, log):
    """Ann is shown the newest pause, and then the table without it."""
    ann = who(people, "Ann")
    looked = [i for i, one in enumerate(lines) if one["does"] == "look" and one["who"] == ann]
    looked = [i for i in looked if lines[i]["table"] == log[0]["key"]]
    again = copy.deepcopy(lines[looked[-2]]) | {"since": len(lines)}
    lines.append(again)
    return len(lines) + 1


def two_owners(people, lines, log):
    """Cid, who watches, is shown Ann's seat as their own."""
    cid, ann = who(people, "Cid"), who(people, "Ann")
    there = at(lines, "look", 3, cid)
    theirs = max(i for i in range(there) if lines[i]["does"] == "look" and lines[i]["who"] == ann)
    lines[there]["got"] = copy.deepcopy(lines[theirs]["got"])
    return there + 2


def two_owners_in_the_log(people, lines, log):
    """Cid sits down where Ben sits."""
    sat = log[0]["events"][1]
    log[0]["events"].insert(2, {**sat, "person": who(people, "Cid"), "name": "Cid"})
    renumbered(log[0])
    return 0


def a_die_drawn_twice(people, lines, log):
    """The second of two dice is the first once more."""
    rolls = [one for one in log[0]["events"] if (one["words"] or "").startswith("roll")]
    one, two = next((a, b) for a, b in pairwise(rolls) if a["words"] != b["words"])
    two |= {"choice": one["choice"], "words": one["words"]}
    return 0


def another_die_than_promised(people, lines, log):
    """A die shows what no draw before it showed."""
    rolls = [one for one in log[0]["events"] if (one["words"] or "").startswith("roll")]
    there = {one["choice"] for one in rolls[:2]}
    rolls[1]["choice"] = next(n for n in range(rolls[0]["choice"] - 2, 60) if n not in there)
    rolls[1]["words"] = None
    return 0


def another_promise(people, lines, log):
    """A record names another promise than the one that the seed opens."""
    there = at(lines, "record", 4)
    head, promise, rest = lines[there]["got"].partition("# promise: ")
    lines[there]["got"] = head + promise + "0" * 64 + rest[64:]
    return there + 2


def a_leak_of_what_is_hidden(people, lines, log):
    """Ben is shown the cards in Ann's hand."""
    ben, ann = who(people, "Ben"), who(people, "Ann")
    there = looks(lines, at(lines, "choices", 0, ann), ben)
    mine = looks(lines, at(lines, "choices", 0, ann), ann)
    lines[there]["got"]["position"] = lines[mine]["got"]["position"]
    return there + 2


def a_seed_too_early(people, lines, log):
    """The seed stands in a record of a game that goes on."""
    there = at(lines, "record", 4)
    head, promise, rest = lines[there]["got"].partition("# rules")
    lines[there]["got"] = f"{head}# seed: {log[0]['seed']}\n{promise}{rest}"
    return there + 2


def a_clock_that_runs_twice(people, lines, log):
    """Of Ann's time 18 seconds are gone after nine."""
    ann = who(people, "Ann")
    looked = [i for i, one in enumerate(lines) if one["does"] == "look" and one["who"] == ann]
    nine = next(i for i in looked if lines[i]["at"] - lines[0]["at"] == 36_000)
    lines[nine]["got"]["clock"]["times"][0]["until"] -= 9_000
    return nine + 2


def shown_and_not_in_the_log(people, lines, log):
    """Ann's pause was shown to all, and is not on disk."""
    del log[0]["events"][-1]
    return at(lines, "pause") + 3


def refused_and_done(people, lines, log):
    """Ann was told no, and it was done."""
    there = at(lines, "choices", 0, who(people, "Ann"))
    lines[there] |= {"status": 409, "got": {"why": "the game has gone on; look again"}}
    return there + 2


def nobody_asked(people, lines, log):
    """A choice of Ann's, who asked for none."""
    del lines[at(lines, "choices", 0, who(people, "Ann"))]
    return 0


def a_stream_that_sleeps(people, lines, log):
    """Ann's stream does not tell the end."""
    ann = who(people, "Ann")
    del lines[at(lines, "told", -1, ann, log[0]["key"])]
    return at(lines, "told", -1, ann, log[0]["key"]) + 2


def a_gap_in_the_log(people, lines, log):
    """The log lacks a number."""
    del log[1]["events"][2]
    return 0


BENDS = [
    acknowledged_and_lost,
    done_twice,
    in_another_order,
    stale_after_a_write,
    seen_less_than_before,
    two_owners,
    two_owners_in_the_log,
    a_die_drawn_twice,
    another_die_than_promised,
    another_promise,
    a_leak_of_what_is_hidden,
    a_seed_too_early,
    a_clock_that_runs_twice,
    shown_and_not_in_the_log,
    refused_and_done,
    nobody_asked,
    a_stream_that_sleeps,
    a_gap_in_the_log,
]
TOO = {"a_seed_too_early": "a leak of what is hidden", "two_owners_in_the_log": "two owners"}
"""Other ways to something that is named already."""


# Of two evenings that are twins


def count_told(_, twin):
    """Ben's stream tells once more, in one evening, that nothing has happened."""
    people, lines, _ = twin
    there = at(lines, "told", -1, who(people, "Ben"))
    lines.insert(there, copy.deepcopy(lines[there]))


def time_told(_, twin):
    """Ben's stream tells it 40 ms later in one evening."""
    people, lines, _ = twin
    lines[at(lines, "told", -1, who(people, "Ben"))]["at"] += 40


def advice_told(_, twin):
    """Something else is shown to Ben: here the question that he is asked."""
    people, lines, _ = twin
    lines[at(lines, "look", 7, who(people, "Ben"))]["got"]["question"] = "Ann goes for the heart."


TWINS = [
    (count_told, "a leak by count"),
    (time_told, "a leak by time"),
    (advice_told, "a leak of what is hidden"),
]


def named(bend):
    """The anomaly that a bend is to be called."""
    return TOO.get(bend.__name__, bend.__name__.replace("_", " "))


def bent(bend, true):
    """What the judge says of a history that is bent, with the line at which it is due."""
    people, lines, log = copy.deepcopy(true)
    line = bend(people, lines, log)
    found = judged(people, lines, log)
    return line, [one for one in found if (one.line, one.what) == (line, named(bend))], found


def broken(server, fault):
    """What the judge says of a house that is not as it should be, by that name."""
    what, file, old, new = fault
    with planted({"name": what, "file": file, "old": old, "new": new}):
        one, pair = heard(server, BENT), (heard(server, SECRET), heard(server, TWIN))
    found = judged(*one) + judged(*pair[0]) + told_apart(*pair)
    return [one for one in found if one.what == what]


def main():
    say = print
    with served() as server:
        true, pair = heard(server, BENT), (heard(server, SECRET), heard(server, TWIN))
        for bend in BENDS:
            _, fits, found = bent(bend, true)
            say(f"{bend.__doc__}\n  {fits[0] if fits else f'NOT NAMED: {found}'}")
        for bend, what in TWINS:
            twins = copy.deepcopy(pair)
            bend(*twins)
            say(f"{bend.__doc__}\n  {what}: {told_apart(*twins)[0]}")
        for fault in BROKEN:
            found = broken(server, fault)
            say(f"{fault[0]}, by the house itself\n  {found[0] if found else 'NOT NAMED'}")


if __name__ == "__main__":
    main()
