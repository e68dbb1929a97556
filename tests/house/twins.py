"""Twins: one evening played twice, but for something hidden.  Nobody else may tell them apart."""

from collections import defaultdict
from itertools import zip_longest

from house.judge import Anomaly
from house.told import Log

BY_LOT = "id", "name", "next", "origin", "notices", "seats"  # names and keys are drawn anew


class Side:
    """One of both evenings, by who reads."""

    def __init__(self, people, lines, log):
        self.logs = {table["key"]: Log(table) for table in log}
        self.tables = list(self.logs)
        self.begins = lines[0]["at"]
        self.people, self.lines = people, lines
        self.told = defaultdict(list)
        self.sent = defaultdict(list)  # what each person asked for
        for number, one in enumerate(lines, 2):
            who = people.get(one.get("who"))
            if one["does"] in ("look", "told") and "seat" in one["got"]:
                self.told[who, self.tables.index(one["table"]), one["does"]].append((number, one))
            elif one.get("table"):
                said = {"sent": one["sent"], "does": one["does"], "status": one["status"]}
                self.sent[who].append(said)

    def may_know(self, one):
        """What somebody may be shown by the log, where they are shown it; None: nothing."""
        log, seat = self.logs[one["table"]], (one["got"]["seat"] or 0) - 1
        when = log.when(seat, one["got"]["number"])
        return when and log.parts(when[1], seat)


def told_apart(one, other):
    """What others are shown of a secret: by what it says, by counting, or by looking at a clock."""
    both = Side(*one), Side(*other)
    secret = {who for who in both[0].sent if both[0].sent[who] != both[1].sent[who]}
    found = []
    for reader in both[0].told.keys() | both[1].told.keys():
        if reader[0] not in secret:
            found += first_leak(reader, *both)
    return sorted(found)


def first_leak(reader, one, other):
    """The first thing by which somebody tells both evenings apart, as long as they may not."""
    name = reader[0] or "somebody who watches"
    by_count = "a leak by count"
    for mine, theirs in zip_longest(one.told[reader], other.told[reader]):
        if mine is None or theirs is None:
            line, _ = mine or theirs
            why = f"{name} is told something more often in one evening than in its twin"
            return [Anomaly(line, by_count, why)]
        (line, left), (_, right) = mine, theirs
        known = one.may_know(left), other.may_know(right)
        if known[0] and known[1] and known[0] != known[1]:
            return []  # from here on they may
        numbers = left["got"]["number"], right["got"]["number"]
        if numbers[0] != numbers[1]:
            why = f"{name} knows of {numbers[0]} events, in the twin of {numbers[1]}"
            return [Anomaly(line, by_count, why)]
        gone = left["at"] - one.begins, right["at"] - other.begins
        if gone[0] != gone[1]:
            why = f"{name} is told after {gone[0]} ms, in the twin after {gone[1]}"
            return [Anomaly(line, "a leak by time", why)]
        if differ := unlike(left["got"], right["got"], one.begins, other.begins):
            why = f"{name} is shown another {', '.join(differ)} than in the twin"
            return [Anomaly(line, "a leak of what is hidden", why)]
    return []


def unlike(left, right, begins, other):
    """The fields of two views that differ, but for what is drawn by lot and the time of day."""
    names = [name for name in left if name not in (*BY_LOT, "clock")]
    differ = [name for name in names if left[name] != right.get(name)]
    if left["clock"] and since(left["clock"], begins) != since(right["clock"], other):
        differ.append("clock")
    return differ


def since(clock, begins):
    """Everybody's time, by when the evening began."""
    return [{**time, "until": time["until"] and time["until"] - begins} for time in clock["times"]]
