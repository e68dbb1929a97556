"""What the laboratory counts in Secrets."""

from yegg.engine import Ints
from yegg.engine.scratch import int_grid
from yegg.stats.intervals import Section, proportion
from yegg.stats.kinds import numbers
from yegg.stats.sums import Tallied
from yegg.text.phrases import percent

from .rules import writer
from .state import POINTS, POLICEMAN, SEATS, SECRETS, SPIES, Choice, State

LONGEST = 20  # turns
THEFTS, REWARDS = 0, 1  # points of all seats by source
MEETINGS, FRUSTRATED, TRAPS = 2, 3, 4  # collisions, spies in them, collisions under guard
POSTS, BEST_POSTS = 5, 6  # policemen's orders, and those at the most valuable secret
CAPTURED = 7  # spies, by turn
STOLEN = CAPTURED + LONGEST  # secrets, by value
COLUMNS = numbers(
    *("points_stolen", "points_rewarded", "collisions", "spies_in_collisions"),
    *("collisions_under_guard", "posts", "posts_at_the_best"),
    *(f"captured_in_turn_{turn}" for turn in range(1, LONGEST + 1)),
    *(f"stolen_{value}" for value in range(POINTS + 1)),
)
COUNTS = len(COLUMNS)


def count_event(s: State, choice: int, count: Ints) -> None:
    """Count what the last order of a turn brings: who meets whom."""
    last = s.players - 1
    if s.turn == 0 or writer(s) != last or s.given[last] != POLICEMAN:
        return
    if choice >= Choice.STOOD:
        return
    came = int_grid(SEATS, SECRETS)
    visits(s, came)
    for owner in range(s.players):
        post = s.order[owner, POLICEMAN]
        if owner == last:
            post = 0 if choice == Choice.GUARD_NOTHING else 1 + choice - Choice.GUARD
        meet(s, owner, post, came[owner], count)


def visits(s: State, came: Ints) -> None:
    """Write to ``came`` who comes to each secret: a bit for each spy, of seat 0 first.

    It is zeros, of shape (SEATS, SECRETS).
    """
    for seat in range(s.players):
        for spy in range(s.spies):
            target = s.order[seat, spy] - 1
            if target >= 0:
                came[target // SECRETS, target % SECRETS] |= 1 << SPIES * seat + spy


def meet(s: State, owner: int, post: int, visits: Ints, count: Ints) -> None:
    """Count what happens to one owner's secrets; ``visits`` has a bit for each spy, by secret."""
    best = 0
    for secret in range(s.secrets):
        came = how_many(visits[secret])
        if s.thief[owner, secret] == 0:
            best = max(best, s.value[owner, secret])
        if post == 1 + secret:
            count[CAPTURED + s.turn - 1] += came
            count[TRAPS] += came > 1
        elif came > 1:
            count[MEETINGS] += 1
            count[FRUSTRATED] += came
        elif came == 1:
            count[STOLEN + s.value[owner, secret]] += 1
    if post > 0:
        count[POSTS] += 1
        count[BEST_POSTS] += s.value[owner, post - 1] == best


def how_many(bits: int) -> int:
    """How many bits are set."""
    n = 0
    while bits:
        bits &= bits - 1
        n += 1
    return n


def count_end(s: State, count: Ints) -> None:
    """Count where the points came from, at the end of a game."""
    for owner in range(s.players):
        for secret in range(s.secrets):
            if s.thief[owner, secret]:
                count[THEFTS] += s.value[owner, secret]
        for spy in range(s.spies):
            count[REWARDS] += s.reward * (s.captor[owner, spy] > 0)


def report(told: Tallied) -> list[Section]:
    """Points by source, captures by turn, collisions, thefts by value, and posts."""
    counters = told.counters
    total = counters.totals
    points = Section("Points of all players", ["from", "a game", "share"])
    everything = max(total[THEFTS] + total[REWARDS], 1)
    for name, at in (("stolen secrets", THEFTS), ("captured spies", REWARDS)):
        points.rows.append([name, counters[at].average(), percent(total[at] / everything, 1)])
    captured = Section("Spies captured", ["turn", "a game"])
    for turn in range(LONGEST):
        if total[CAPTURED + turn]:
            captured.rows.append([turn + 1, counters[CAPTURED + turn].average()])
    clashes = Section("Collisions", ["", "a game"])
    clashes.rows.append(["spies met at an unguarded secret", counters[MEETINGS].average()])
    clashes.rows.append(["spies frustrated", counters[FRUSTRATED].average()])
    clashes.rows.append(["several captured at one secret", counters[TRAPS].average()])
    stolen = Section("Secrets stolen", ["value", "a game"])
    for value in range(POINTS + 1):
        if total[STOLEN + value]:
            stolen.rows.append([value, counters[STOLEN + value].average()])
    guard = Section("Policemen", ["", "figure"])
    habit = proportion(total[BEST_POSTS], total[POSTS])
    guard.rows.append(["guarded their owner's most valuable secret left", habit])
    return [points, captured, clashes, stolen, guard]
