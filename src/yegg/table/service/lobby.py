"""Lists of the lobby: tables to join or to watch, one's own, and those that wait for one."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, NamedTuple, TypeVar

import msgspec
import sqlalchemy as sa

from yegg.engine import Game, Refused
from yegg.engine.days import day_of
from yegg.engine.earlier import in_version
from yegg.table.domain.clock import ClockTerms, Span, moment
from yegg.table.domain.deals import DEAL
from yegg.table.domain.shown_position import outcome
from yegg.table.domain.watching import NOBODY, WatchTerms
from yegg.table.storage.store import Store

IDLE = 86_400_000  # milliseconds; the lobby folds away a table without news for so long
DAYS = 3  # how long the lobby shows a table that has not ended
MANY = 40
CONSIDERED = 400  # of the newest tables, from which these are taken fairly
T = TypeVar("T")
LOOKED_AT = 200  # games of a person, of which the most urgent are listed
WAITING = 500  # games of a person that are looked at, the newest first


class Listed(msgspec.Struct):
    """A table in a list."""

    id: str
    """The table's key."""
    game: str
    """The game's name."""
    title: str
    """The game's name for people."""
    name: str
    """The table's own name."""
    seats: int
    """How many seats there are."""
    taken: int
    """On how many of them somebody sits, or a bot."""
    names: list[str]
    """What these are called, by seat."""
    over: bool
    """Whether the game has ended."""
    older: bool
    """Whether it was begun under other rules, so that it cannot go on."""
    your_turn: bool
    """Whether the table waits for you."""
    place: int | None
    """Your place, once the game is over."""
    idle: bool
    """Whether nobody has heard any news there for a day, or for as long as its clock allows."""
    ended: str | None
    """How the game ended, once it is over."""
    clock: str | None
    """How much time everybody has; null if nobody is hurried."""
    since: int | None
    """Since when the table waits for you, in milliseconds since 1970."""
    until: int | None
    """When your time is up."""
    by_days: bool
    """Whether a turn has days, so that one can go on holiday."""
    paused: bool
    """Whether all have agreed to a pause, so that the table waits for nobody."""
    late: bool
    """Whether it is the deal of a day that is over, which does not count any more."""


def entry(
    row: sa.Row[Any], now: int, closed: Sequence[Span], person: str | None = None
) -> Listed | None:
    """A table's entry in a list; None if its game is not installed any more.

    ``now``, ``closed``: the time, and when the house was closed.
    """
    game = game_here(row)
    if game is None:
        return None
    people, seat = row.people or [], seat_of(row, person)
    older = row.version != game.version
    terms, taken = ClockTerms.read(row.clock), sum(bool(who or bot) for _, who, bot in people)
    late = row.ended is None and too_late(row, now)
    wait = _wait(row, seat, closed) if row.ended is None and not older and not late else None
    _, since, until = wait or (0, None, None)
    return Listed(
        row.key,
        game.name,
        game.title,
        row.name,
        row.seats,
        taken,
        [name for name, who, bot in people if who or bot],
        row.ended is not None,
        older,
        seat >= 0 and not older and not late and bool((row.to_act or 0) >> seat & 1),
        row.result["places"][seat] if row.result and seat >= 0 else None,
        (row.news or row.at) < now - (IDLE if row.ended or not terms else _patience(terms)),
        how_it_ended(game, people, row.result) if row.result else None,
        terms.words if terms else None,
        since,
        until,
        bool(terms and terms.by_days),
        bool(terms) and row.ended is None and taken == row.seats and not row.to_act,
        late,
    )


def too_late(row: sa.Row[Any], now: int) -> bool:
    """Whether a table plays the deal of a day that is over, so that nobody is called there."""
    word, _, day = (row.chance or "").partition(" ")
    return word == DEAL and day_of(now) > day


def _patience(terms: ClockTerms) -> int:
    """For how many milliseconds nothing may happen at a table that goes on."""
    return IDLE + terms.turn + terms.reserve + terms.holiday


def game_here(row: sa.Row[Any]) -> Game | None:
    """A row's game in the version that it was begun under, else today's; None if it is gone."""
    try:
        return in_version(row.game, row.version)
    except Refused:
        return None


def seat_of(row: sa.Row[Any], person: str | None) -> int:
    """Where somebody sits; -1: nowhere."""
    return next((i for i, (_, who, _) in enumerate(row.people or []) if who and who == person), -1)


def _wait(
    row: sa.Row[Any], seat: int, closed: Sequence[Span]
) -> tuple[int, int, int | None] | None:
    """Since which event and since when a table waits for a seat, and until when."""
    for waited_for, number, since, due in row.waits or []:
        if waited_for == seat:
            return number, since, None if due is None else later(due, row.newest or since, closed)
    return None


def how_it_ended(game: Game, people: list[Any], result: dict[str, list[int]]) -> str:
    """The winner of a game and everybody's score, as they were counted then."""
    places, scores = result["places"], result["scores"]
    return outcome(game.side_names([name for name, _, _ in people], len(places)), places, scores)


def listed(
    store: Store,
    minds: Callable[[list[Any]], bool],
    opened_by: Callable[[sa.Row[Any]], Hashable] = lambda row: row.id,
) -> list[Listed]:
    """Tables that are not over: those with a free seat first.

    ``minds``: whether the asker would rather not meet people (`games.people`), or they the asker;
    ``opened_by``: who opened a game, so that nobody fills the list.
    """
    now, closed = store.hours.now(), store.hours.closed
    rows = store.listed(now - DAYS * 86_400_000, CONSIDERED)
    met = [row for row in rows if not minds(row.people or []) and not _told_later(row)]
    shown = fairly(met, [opened_by(row) for row in met])
    tables = [table for row in shown if (table := entry(row, now, closed))]
    return sorted(tables, key=lambda table: table.taken == table.seats)


def _told_later(row: sa.Row[Any]) -> bool:
    """Whether a game has begun of which strangers are told later, or nothing."""
    terms = WatchTerms.read(row.watch)
    return bool(row.begun) and (terms.who == NOBODY or terms.later != 0)


def fairly(rows: Sequence[T], whose: Sequence[Hashable]) -> list[T]:
    """Of many rows so many that fit, in their order: of everybody as many as can be.

    >>> "".join(fairly("a" * 50 + "bc", "a" * 50 + "bc"))[-4:]
    'aabc'
    """
    before: Counter[Hashable] = Counter()
    place = []
    for i, one in enumerate(whose):
        place.append((before[one], i))
        before[one] += 1
    return [rows[i] for i in sorted(i for _, i in sorted(place)[:MANY])]


def mine(store: Store, person: str) -> list[Listed]:
    """Tables where somebody sits now: first those that wait for them.

    Of these the first is the one whose time is up first.  The others are the newest first.
    """
    now, closed = store.hours.now(), store.hours.closed
    sits = [row for row in store.of_person(person, LOOKED_AT) if seat_of(row, person) >= 0]
    tables = [table for row in sits if (table := entry(row, now, closed, person))]
    return sorted(tables, key=_urgent)[:MANY]


def of_days(store: Store, person: str) -> list[str]:
    """The keys of somebody's tables with days a turn that are not over."""
    return [
        row.key
        for row in store.of_person(person, LOOKED_AT)
        if row.ended is None
        and seat_of(row, person) >= 0
        and (terms := ClockTerms.read(row.clock))
        and terms.by_days
    ]


def _urgent(table: Listed) -> tuple[int, int]:
    if not table.your_turn or table.over:
        return 2, 0
    if table.until is None:
        return 1, table.since or 0
    return 0, table.until


# Which tables wait for a person


class Waiting(NamedTuple):
    """A table that waits for somebody.  All times are milliseconds since 1970."""

    game: int
    """The game's number."""
    key: str
    """The table's key, which links carry."""
    title: str
    """The game's name for people."""
    name: str
    """The table's name."""
    seat: int
    """Theirs, from 0."""
    number: int
    """The number of the event since which the table waits."""
    since: int
    until: int | None
    """When their time is up; None if nobody is hurried."""
    terms: ClockTerms | None
    """What happens then (`ClockTerms.then`)."""


def waiting(
    rows: Iterable[sa.Row[Any]], person: str, closed: Sequence[Span], now: int
) -> list[Waiting]:
    """The tables that wait for a person now; ``rows`` are of `schema.games`.

    The first is the one whose time is up first; those without a clock come last, the longest
    waited for first.  ``closed``: when the house was closed (`Uptime.closed`).
    """
    called = (row for row in rows if not too_late(row, now))
    found = [wait for row in called if (wait := _waiting(row, person, closed))]
    return sorted(found, key=lambda wait: (wait.until is None, wait.until or 0, wait.since))


def _waiting(row: sa.Row[Any], person: str, closed: Sequence[Span]) -> Waiting | None:
    game, seat = game_here(row), seat_of(row, person)
    if game is None or seat < 0 or row.ended is not None or row.version != game.version:
        return None
    wait, terms = _wait(row, seat, closed), ClockTerms.read(row.clock)
    return Waiting(row.id, row.key, game.title, row.name, seat, *wait, terms) if wait else None


def later(due: int, known: int, closed: Sequence[Span]) -> int:
    """When time is up, if the house was closed since this was reckoned, at ``known``.

    >>> later(100, 50, [(10, 20), (60, 80)]), later(100, 50, [(100, 110)])
    (120, 100)
    """
    return due if due <= known else moment(known, due - known, closed)


async def of_person(store: Store, person: str) -> list[Waiting]:
    """The tables that wait for a person now.  Raises Unread."""
    rows = await store.aside(store.of_person, person, WAITING)
    return waiting(rows, person, store.hours.closed, store.hours.now())
