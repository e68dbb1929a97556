"""Who sits together in the next round of an evening: pure functions of what has been played.

Members are numbers.  Tables are as even as can be, nobody sits out twice before everybody else has
once, and pairs that have met are parted where that is possible.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from typing import NamedTuple

from yegg.engine.record import SIDES

Seated = tuple[int, ...]
"""The members at a table, by seat."""
Pair = frozenset[int]
SWEEPS = 60  # over all exchanges of two members; a handful are enough
LONGEST = 3  # a round robin has at most so many rounds for each member


class Round(NamedTuple):
    """The tables of a round, and who sits out."""

    tables: tuple[Seated, ...]
    out: tuple[int, ...] = ()


def sizes(people: int, allowed: Collection[int], wanted: int) -> list[int]:
    """The sizes of the tables for so many people: as few sit out as can be, and sizes differ by 1.

    Of several ways that are left, that with tables nearest to ``wanted`` is taken; the largest
    tables come first.  ``allowed``: how many may play the game.

    >>> sizes(11, range(3, 6), 4), sizes(7, [2], 2), sizes(2, range(3, 6), 4)
    ([4, 4, 3], [2, 2, 2], [])
    """
    for seated in range(people, 1, -1):
        ways = []
        for tables in range(1, seated // 2 + 1):
            small, larger = divmod(seated, tables)
            way = [small + 1] * larger + [small] * (tables - larger)
            if set(way) <= set(allowed):
                ways.append(way)
        if ways:
            return min(ways, key=lambda way: (sum(abs(size - wanted) for size in way), len(way)))
    return []


def games_of(history: Sequence[Round]) -> Counter[int]:
    """How many rounds each member has played."""
    return Counter(member for one in history for table in one.tables for member in table)


def meetings(history: Sequence[Round]) -> Counter[Pair]:
    """How often two members have sat together."""
    tables = (table for one in history for table in one.tables)
    return Counter(frozenset(pair) for table in tables for pair in combinations(table, 2))


# Rounds by points: those with near points meet


def swiss(
    order: Sequence[int],
    history: Sequence[Round],
    points: Mapping[int, Fraction],
    allowed: Collection[int],
    wanted: int,
) -> Round | None:
    """The next round of a Swiss evening; None if there are too few people for a table.

    ``order``: who is there, in the order that equal points are left in.  Whoever has sat out least
    often, and of these has the fewest points, sits out; rounds before somebody came count.
    """
    ranked = sorted(order, key=lambda member: -points.get(member, Fraction()))
    return _filled(ranked, history, sizes(len(ranked), allowed, wanted), by_rank=True)


def _filled(
    ranked: Sequence[int], history: Sequence[Round], fit: Sequence[int], *, by_rank: bool
) -> Round | None:
    if not fit:
        return None
    played = games_of(history)
    lowest = ranked[::-1]
    often_first = sorted(lowest, key=lambda member: -played[member])
    out = often_first[: len(ranked) - sum(fit)]
    stay = [member for member in ranked if member not in out]
    tables, at = [], 0
    for size in fit:
        tables.append(stay[at : at + size])
        at += size
    apart(tables, meetings(history), by_rank=by_rank)
    return Round(tuple(seats(table, history) for table in tables), tuple(sorted(out)))


def apart(tables: list[list[int]], met: Mapping[Pair, int], *, by_rank: bool) -> None:
    """Exchange members between tables, in place, while that lets fewer pairs meet again.

    Of two exchanges as good in this, ``by_rank`` prefers tables of people who stand near one
    another; ``tables`` come in that order.  No exchange of two is left that would be better.
    Where all tables have two seats and fewer rounds were played than there are tables, nobody
    meets again: each of the two who do has too few others that they have met.
    """
    rank = {member: i for i, member in enumerate(member for table in tables for member in table)}
    far = len(rank) if by_rank else 0
    again = 1 + 2 * SIDES * far * far  # more than ranks can be worth in one exchange

    def cost(one: int, others: Sequence[int], instead: int) -> int:
        known = [met.get(frozenset((one, other)), 0) for other in others if other != instead]
        worse = sum(len(rank) + times for times in known if times)
        near = sum((rank[one] - rank[other]) ** 2 for other in others if other != instead)
        return again * worse + (near if by_rank else 0)

    for _ in range(SWEEPS):
        better = False
        for first, second in combinations(tables, 2):
            for i, j in ((i, j) for i in range(len(first)) for j in range(len(second))):
                a, b = first[i], second[j]
                now = cost(a, first, a) + cost(b, second, b)
                if cost(b, first, a) + cost(a, second, b) < now:
                    first[i], second[j], better = b, a, True
        if not better:
            return


def seats(table: Sequence[int], history: Sequence[Round]) -> Seated:
    """Who sits on which seat: everybody where they have sat least often."""
    sat = Counter(
        (member, i) for one in history for at in one.tables for i, member in enumerate(at)
    )

    def sat_before(way: Sequence[int]) -> int:
        return sum(sat[member, i] for i, member in enumerate(way))

    return min(permutations(table), key=sat_before)


# A round robin: everybody meets everybody


def round_robin(
    order: Sequence[int], history: Sequence[Round], allowed: Collection[int], wanted: int
) -> Round | None:
    """The next round of a round robin; None once all who are there have met, or cannot play.

    As long as those are there who began, and there is a `design`, it is followed.  Else the round
    lets as many pairs meet as it can that have not met yet.
    """
    fit = sizes(len(order), allowed, wanted)
    if not fit:
        return None
    designed = design(sorted(order), fit)
    if designed and [_who(one) for one in history] == [
        _who(one) for one in designed[: len(history)]
    ]:
        if len(history) == len(designed):
            return None
        now = designed[len(history)]
        return Round(tuple(seats(table, history) for table in now.tables), now.out)
    met = meetings(history)
    apart_still = [pair for pair in combinations(order, 2) if frozenset(pair) not in met]
    if not apart_still or len(history) >= LONGEST * len(order):
        return None
    return _filled(order, history, fit, by_rank=False)


def _who(one: Round) -> tuple[set[Pair], set[int]]:
    return {frozenset(table) for table in one.tables}, set(one.out)


def design(members: Sequence[int], fit: Sequence[int]) -> list[Round]:
    """Rounds in which each two members meet exactly once; empty if none is known here.

    Pairs take turns around a circle (Kirkman 1847; with an odd number each sits out once).  Tables
    of a prime number of seats, and as many of them, are the lines of an affine plane.
    """
    size, tables = fit[0], len(fit)
    if size == 2:
        return list(_circle(members))
    prime = all(size % n for n in range(2, size))
    if size == tables == fit[-1] and prime and size * size == len(members):
        return list(_plane(members, size))
    return []


def _circle(members: Sequence[int]) -> Iterator[Round]:
    around: list[int | None] = [*members, *([None] if len(members) % 2 else [])]
    for _ in range(len(around) - 1):
        half = len(around) // 2
        pairs = list(zip(around[:half], reversed(around[half:]), strict=True))
        tables = tuple((a, b) for a, b in pairs if a is not None and b is not None)
        out = tuple(one for pair in pairs if None in pair for one in pair if one is not None)
        yield Round(tables, out)
        around[1:] = [around[-1], *around[1:-1]]


def _plane(members: Sequence[int], size: int) -> Iterator[Round]:
    def at(x: int, y: int) -> int:
        return members[x * size + y % size]

    for slope in range(size):
        yield Round(tuple(tuple(at(x, slope * x + c) for x in range(size)) for c in range(size)))
    yield Round(tuple(tuple(at(x, y) for y in range(size)) for x in range(size)))
