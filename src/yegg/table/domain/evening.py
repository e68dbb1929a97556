"""An evening: its plan, who has joined, its rounds and their tables, and how everybody stands."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal, NamedTuple

import msgspec

from yegg import games as known
from yegg.engine import Game

from .clock import ClockTerms
from .pairing import Round, round_robin, swiss

WIN = 12  # points for the first place: whole numbers at tables of two to five
OUT = Fraction(WIN, 2)  # for a round that somebody sits out: what a table gives on average
SWISS, ROBIN = "swiss", "round-robin"
BOT, LEFT_OUT = "bot", "out"
FROM_ONE = 40
"""Members from one address, so that nobody alone fills an evening with made-up names."""


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
    """As `ClockTerms.stored`; None: nobody is hurried."""
    minutes: int = 45
    """After so long bots play for those whom a table of the round waits for."""
    missing: Literal["bot", "out"] = "bot"
    """What becomes of whoever a bot played for: it goes on, or they are left out."""
    counts: bool = True
    """Whether the results count for the season."""
    crowd: bool = False
    """Whether any number of people may join from one address."""

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


def allowed(plan: Plan) -> list[int]:
    """How many may sit at a table: two at least, as the game and its options say."""
    return [n for n in known.find(plan.game).seats(plan.options) if n > 1]


class Member(NamedTuple):
    """Somebody who has joined an evening."""

    number: int
    """From 1."""
    person: str
    name: str
    away: bool
    """Whether they are in no further round."""
    source: str | None
    """What stands for the address from which they joined; None where that does not matter."""


@dataclass(frozen=True)
class RoundTable:
    """A table of a round, and what the database says of its game."""

    round: int
    """From 1."""
    number: int
    """From 1."""
    key: str
    members: tuple[int, ...]
    """Their numbers, by seat."""
    at: int
    game: int | None
    """The number of its game; None: it is not open yet."""
    ended: int | None
    places: list[int] | None
    """None as long as it goes on, and if it was closed."""
    bots: tuple[str | None, ...]
    """By seat: the bot that plays there now, or played at the end."""
    waits: tuple[tuple[int, int], ...]
    """The seats that it waits for, and since when."""

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return self.ended is not None


def played_for(tables: Sequence[RoundTable]) -> frozenset[int]:
    """The members for whom a bot plays, or played at the end."""
    seats = (pair for one in tables for pair in zip(one.members, one.bots, strict=False))
    return frozenset(member for member, bot in seats if bot)


@dataclass(frozen=True)
class Evening:
    """An evening as it is in the database."""

    id: int
    key: str
    name: str
    host: str
    plan: Plan
    begun: int | None
    ended: int | None
    members: tuple[Member, ...]
    rounds: tuple[Round, ...]
    tables: tuple[tuple[RoundTable, ...], ...]
    """By round."""

    @property
    def game(self) -> Game:
        """The game that is played.  Raises Refused if it is not here any more."""
        return known.find(self.plan.game)

    @property
    def running(self) -> bool:
        """Whether it has begun and has not ended."""
        return self.begun is not None and self.ended is None

    @property
    def over(self) -> bool:
        """Whether there is no further round, and all tables have ended."""
        return self.ended is not None and self.round_over

    def member(self, number: int) -> Member:
        """The member of that number."""
        return self.members[number - 1]

    def of(self, person: str | None) -> Member | None:
        """The member that somebody is; None if they have not joined."""
        return next((one for one in self.members if one.person == person), None)

    @property
    def crowded(self) -> bool:
        """Whether so many have joined from one address that only the host can let in more."""
        sources = Counter(one.source for one in self.members if one.source)
        return not self.plan.crowd and max(sources.values(), default=0) >= FROM_ONE

    @property
    def round_over(self) -> bool:
        """Whether all tables of the newest round have ended, or none is drawn yet."""
        return not self.tables or all(table.over for table in self.tables[-1])

    def table_of(self, member: Member | None) -> RoundTable | None:
        """Where somebody sits in the newest round."""
        if member is None or not self.tables:
            return None
        return next((one for one in self.tables[-1] if member.number in one.members), None)

    @cached_property
    def missed(self) -> frozenset[int]:
        """Members for whom a bot played at the end of the newest round."""
        return played_for(self.tables[-1]) if self.tables else frozenset()

    @cached_property
    def results(self) -> dict[tuple[int, int], list[Fraction]]:
        """The points of each table that has ended, by its round and table from 0.

        A table that was closed counts as shared by all.  Where those who are missing are left out,
        nobody has points of a table that a bot finished for them.
        """
        found = {}
        for r, tables in enumerate(self.tables):
            for t, one in enumerate(tables):
                if one.over:
                    got = points(one.places or [1] * len(one.members))
                    if self.plan.missing == LEFT_OUT and one.places:
                        got = [
                            Fraction() if bot else p for p, bot in zip(got, one.bots, strict=True)
                        ]
                    found[r, t] = got
        return found

    @cached_property
    def standings(self) -> list[Standing]:
        """Everybody's standing, the best first."""
        return standings([one.number for one in self.members], self.rounds, self.results)
