"""An evening: what its host has chosen, points by place, and how everybody stands."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Literal, NamedTuple

import msgspec

from .clock import ClockTerms
from .pairing import Round, round_robin, swiss

WIN = 12  # points for the first place: whole numbers at tables of two to five
OUT = Fraction(WIN, 2)  # for a round that somebody sits out: what a table gives on average
SWISS, ROBIN = "swiss", "round-robin"
BOT, LEFT_OUT = "bot", "out"


class Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the host of an evening has chosen."""

    game: str
    """The game's name."""
    options: dict[str, str]
    """Those away from the published rules."""
    seats: int
    """At each table, as far as that can be."""
    kind: Literal["swiss", "round-robin"] = "swiss"
    rounds: int | None = 4
    """At most so many; None: until all have met."""
    clock: dict[str, Any] | None = None
    """As `ClockTerms.kept`; None: nobody is hurried."""
    minutes: int = 45
    """After so long bots play for those whom a table of the round waits for."""
    missing: Literal["bot", "out"] = "bot"
    """What becomes of whoever a bot played for: it goes on, or they are left out."""
    counts: bool = True
    """Whether the results count for the season."""

    @property
    def terms(self) -> ClockTerms | None:
        """The clock."""
        return ClockTerms.read(self.clock)


def points(places: Sequence[int]) -> list[Fraction]:
    """The points of a table: `WIN` for the first, 0 for the last, the others evenly between.

    Whoever shares places shares their points.

    >>> [str(point) for point in points([1, 3, 1, 4])]
    ['10', '4', '10', '0']
    """
    last = len(places) - 1
    among = Counter(places)
    return [
        Fraction(WIN, last)
        * (last - sum(other < place for other in places) - Fraction(among[place] - 1, 2))
        for place in places
    ]


class Standing(NamedTuple):
    """How a member stands."""

    place: int
    """Shared by those who are equal in points, wins and the points of whom they met."""
    member: int
    points: Fraction
    won: Fraction
    """Rounds won; who shares the first place shares the win."""
    met: Fraction
    """The points of those whom they met, on average (after Buchholz)."""
    by_round: tuple[Fraction | None, ...]
    """None: they were not there, or the table has not finished."""


def standings(
    members: Sequence[int],
    rounds: Sequence[Round],
    results: Mapping[tuple[int, int], Sequence[Fraction]],
) -> list[Standing]:
    """Everybody's standing, the best first.

    ``results``: the points by seat of each finished table, by its round and table, both from 0.
    """
    own: dict[int, list[Fraction | None]] = {m: [None] * len(rounds) for m in members}
    won, others = defaultdict[int, Fraction](Fraction), defaultdict[int, list[int]](list)
    for r, one in enumerate(rounds):
        for member in one.out:
            own[member][r] = OUT
        for t, table in enumerate(one.tables):
            if (r, t) not in results:
                continue
            got = results[r, t]
            best = max(got)
            for member, point in zip(table, got, strict=True):
                own[member][r] = point
                won[member] += Fraction(point == best and best > 0, list(got).count(best))
                others[member] += [other for other in table if other != member]
    total = {m: sum((p for p in own[m] if p is not None), Fraction()) for m in members}
    met = {
        m: sum((total[o] for o in others[m]), Fraction()) / max(1, len(others[m])) for m in members
    }
    rank = {m: (total[m], won[m], met[m]) for m in members}
    ranked = sorted(members, key=lambda m: rank[m], reverse=True)
    return [
        Standing(
            1 + sum(rank[o] > rank[m] for o in members),
            m,
            total[m],
            won[m],
            met[m],
            tuple(own[m]),
        )
        for m in ranked
    ]


def next_round(
    plan: Plan,
    order: Sequence[int],
    rounds: Sequence[Round],
    total: Mapping[int, Fraction],
    allowed: Sequence[int],
) -> Round | None:
    """The next round for those who are there; None if the evening is over.

    ``order``: by lot, which decides between those with equal points.
    """
    if plan.rounds is not None and len(rounds) >= plan.rounds:
        return None
    if plan.kind == SWISS:
        return swiss(order, rounds, total, allowed, plan.seats)
    return round_robin(order, rounds, allowed, plan.seats)
