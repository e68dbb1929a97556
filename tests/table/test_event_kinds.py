"""Every kind of event has numbers of its own, for every seat; old databases mean the same."""

import pytest
import sqlalchemy as sa

from yegg.engine.record import SIDES
from yegg.table.domain.clock import MINUTE, Clock, ClockTerms, TimedEvent
from yegg.table.domain.seats import Event, Kind, Seat, report
from yegg.table.storage.database import Carried
from yegg.table.storage.migrate import migrate
from yegg.table.storage.schema import events, games, sittings
from yegg.table.storage.store import EVENTS, connected

SEATS = [Seat(f"N{i}") for i in range(SIDES)]
ALONE = [kind for kind in Kind if kind not in (Kind.CHOICE, Kind.PUT, Kind.GIVE, Kind.ORDER)]
TO_OTHERS = [(kind, seat) for kind in (Kind.PUT, Kind.GIVE) for seat in range(SIDES)]
OLD_PUT, OLD_GIVE = -20, -30  # less the seat: where they met at seat 10


def test_no_two_kinds_have_the_same_number_whatever_the_seat():
    meant = [*((kind, -1) for kind in ALONE), *TO_OTHERS, (Kind.CHOICE, 0), (Kind.CHOICE, 9)]
    meant += [(Kind.ORDER, 0), (Kind.ORDER, 9)]
    numbers = [Event(0, *what).number for what in meant]
    assert len(set(numbers)) == len(numbers)
    rows = [Carried(1, 0, number, 0, None) for number in numbers]
    assert [(event.kind, event.of) for event in map(Event.read, rows)] == meant


@pytest.mark.parametrize("seat", range(SIDES))
def test_what_is_done_to_another_s_seat_is_told_and_counted(seat):
    event = Event(0, Kind.PUT, seat, name="Lark", bot="easy")
    assert report(SEATS, Seat("Seat 1"), event).startswith(f"N{seat} puts a bot (easy) on seat 1")
    people, begun = frozenset(range(SIDES)), Clock.of(ClockTerms(MINUTE), SIDES)
    for kind, more in ((Kind.GIVE, {seat: MINUTE}), (Kind.PUT, {})):
        clock = begun.after(TimedEvent(Event(0, kind, seat, at=5), True, people, None, 0))
        gained = {i: time.reserve for i, time in enumerate(clock.times) if time.reserve}
        assert gained == more


@pytest.mark.parametrize("there", ["file", pytest.param("shared", marks=pytest.mark.wide)])
def test_a_database_of_the_version_before_means_the_same(there, tmp_path, request):
    url = f"sqlite:///{tmp_path}/t.db" if there == "file" else request.getfixturevalue("shared")
    database = connected(url)
    migrate(database, "0009_house")
    with database.engine.begin() as connection:
        _table(connection)
        _as_before(connection, TO_OTHERS)
    migrate(database)
    with database.engine.begin() as connection:
        assert _read(connection) == TO_OTHERS
        connection.execute(sa.delete(sittings))
        connection.execute(sa.delete(events))
        _as_before(connection, TO_OTHERS)  # by a process of the older version that still runs
        assert _read(connection) == TO_OTHERS
    database.engine.dispose()


def _read(connection):
    return [(e.kind, e.of) for e in map(Event.read, connection.execute(EVENTS))]


def _table(connection):
    row = dict.fromkeys(("key", "game", "name"), "x")
    row |= {"id": 1, "version": 1, "seats": SIDES, "options": {}, "odds": False}
    connection.execute(sa.insert(games).values(**row, listed=False, at=0))


def _as_before(connection, meant):
    for number, (kind, seat) in enumerate(meant, 1):
        where = {"game": 1, "number": number}
        choice = (OLD_PUT if kind == Kind.PUT else OLD_GIVE) - seat
        connection.execute(sa.insert(events).values(**where, actor=0, choice=choice, at=number))
        if kind == Kind.PUT:
            connection.execute(sa.insert(sittings).values(**where, name="Lark", bot="easy"))
