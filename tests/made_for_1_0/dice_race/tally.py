"""What is counted in dice races, by the verbs of version 1.0."""

from yegg.stats.intervals import Section, average

COLUMNS = ("rolls", "pot")
COUNTS = 2


def note(s, choice, count):
    """Rolls of the die."""
    count[0] += choice < 6


def close(s, count):
    """The winner's points."""
    for seat in range(s.players):
        count[1] = max(count[1], s.points[seat])


def report(counts, results):
    """The mean of each."""
    rows = [["rolls", average(counts[:, 0])], ["points of the winner", average(counts[:, 1])]]
    return [Section("Dice", ["", "mean"], rows)]
