"""An evening as a page: who has joined, the tables of the newest round, the standings."""

from collections.abc import Sequence
from typing import Any

from yegg.table.domain.evening import FROM_ONE, WIN, Evening, Member, RoundTable, allowed


def around(evening: Evening, person: str | None) -> dict[str, Any]:
    """What the living part of the page needs."""
    me = evening.of(person)
    mine = evening.table_of(me)
    return {
        "e": evening,
        "game": evening.game,
        "me": me,
        "hosts": evening.host == person,
        "crowded": FROM_ONE if evening.crowded and not evening.ended else 0,
        "mine": mine,
        "sits_out": bool(me and evening.rounds and me.number in evening.rounds[-1].out),
        "companions": called(evening, mine.members if mine else (), me),
        "out": called(evening, evening.rounds[-1].out if evening.rounds else ()),
        "rows": rows(evening),
        "figure": figure,
        "win": WIN,
        "tables": [shown(evening, one) for one in evening.tables[-1]] if evening.tables else [],
        "least": min(allowed(evening.plan), default=2),
    }


def called(evening: Evening, numbers: Sequence[int], but: Member | None = None) -> list[str]:
    """What members are called."""
    there = [evening.member(number) for number in numbers]
    return [one.name for one in there if one != but]


def rows(evening: Evening) -> list[tuple[Any, Member]]:
    """The standings with who is meant."""
    return [(one, evening.member(one.member)) for one in evening.standings]


def shown(evening: Evening, table: RoundTable) -> dict[str, Any]:
    """A table of the newest round, as the page lists it."""
    points = evening.results.get((table.round - 1, table.number - 1))
    bots = table.bots or (None,) * len(table.members)
    people = [
        {
            "name": evening.member(number).name,
            "number": number,
            "bot": bot,
            "points": points[seat] if points else None,
        }
        for seat, (number, bot) in enumerate(zip(table.members, bots, strict=True))
    ]
    if points:
        order = sorted(range(len(people)), key=lambda seat: -points[seat])
        people = [people[seat] for seat in order]
    return {
        "number": table.number,
        "key": table.key,
        "open": table.game is not None,
        "over": table.over,
        "people": people,
    }


def figure(points: Any) -> str:
    """Points in digits.

    >>> from fractions import Fraction
    >>> figure(Fraction(12)), figure(Fraction(36, 5)), figure(None)
    ('12', '7.2', '')
    """
    if points is None:
        return ""
    return str(points.numerator) if points.denominator == 1 else f"{float(points):.1f}"
