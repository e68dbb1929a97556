"""Every kind of event has numbers of its own, for every seat; old databases mean the same."""

from collections import Counter

import pytest
import sqlalchemy as sa
from alembic import command

from yegg.engine.record import SIDES
from yegg.table.domain.clock import Clock, Happened
from yegg.table.domain.clock_terms import MINUTE, Terms
from yegg.table.domain.seats import (
    Event,
    Kind,
    Seat,
    about,
    given_to,
    is_timing,
    kind_of_notice,
    put_by,
    told,
)
from yegg.table.storage.migrate import _config, migrate
from yegg.table.storage.schema import events, games, sittings
from yegg.table.storage.store import EVENTS, connected

SEATS = [Seat(f"N{i}") for i in range(SIDES)]
ALONE = [kind for kind in Kind if kind > Kind.PUT]
OLD_PUT, OLD_GIVE = -20, -30  # less the seat: where they met at seat 10


def test_no_two_kinds_have_the_same_number_whatever_the_seat():
    numbers = Counter([*ALONE, *map(put_by, range(SIDES)), *map(given_to, range(SIDES))])
    assert set(numbers.values()) == {1}
    assert max(numbers) < 0, "a choice of the game"
    assert min(numbers) > Kind.ORDER, "an order under seal"
    assert len(ALONE) == 18


@pytest.mark.parametrize("seat", range(SIDES))
def test_what_is_done_to_another_s_seat_is_known_by_its_number(seat):
    assert (about(put_by(seat)), about(given_to(seat))) == ((Kind.PUT, seat), (Kind.GIVE, seat))
    assert (is_timing(put_by(seat)), is_timing(given_to(seat))) == (False, True)
    assert (kind_of_notice(put_by(seat)), kind_of_notice(given_to(seat))) == ("put", "gave")
    event = Event(0, put_by(seat), "Lark", None, "easy")
    assert told(SEATS, Seat("Seat 1"), event).startswith(f"N{seat} puts a bot (easy) on seat 1")
    people, begun = frozenset(range(SIDES)), Clock.of(Terms(MINUTE), SIDES)
    for kind, more in ((given_to(seat), {seat: MINUTE}), (put_by(seat), {})):
        clock = begun.after(Happened(5, 0, kind, True, people, None, 0))
        gained = {i: time.reserve for i, time in enumerate(clock.times) if time.reserve}
        assert gained == more


@pytest.mark.parametrize("kind", ALONE)
def test_what_is_done_to_one_s_own_seat_is_about_no_other(kind):
    assert about(kind) == (kind, -1)


@pytest.mark.parametrize("there", ["file", pytest.param("shared", marks=pytest.mark.slow)])
def test_a_database_of_the_version_before_means_the_same(there, tmp_path, request):
    url = f"sqlite:///{tmp_path}/t.db" if there == "file" else request.getfixturevalue("shared")
    database, config = connected(url), _config()
    with database.engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0009_house")
    meant = [(kind, seat) for kind in (Kind.PUT, Kind.GIVE) for seat in range(SIDES)]
    with database.engine.begin() as connection:
        _table(connection)
        _as_before(connection, meant)
    migrate(database)
    with database.engine.begin() as connection:
        rows = list(connection.execute(EVENTS))
        assert [about(row.choice) for row in rows] == meant
        assert [about(Event.read(row).choice) for row in rows] == meant
        connection.execute(sa.delete(sittings))
        connection.execute(sa.delete(events))
        _as_before(connection, meant)  # by a process of the older version that still runs
        assert [about(Event.read(row).choice) for row in connection.execute(EVENTS)] == meant
    database.engine.dispose()


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
