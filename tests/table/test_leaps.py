"""A clock that leaps while the house is open moves nobody's time."""

import time

import pytest
import sqlalchemy as sa

from yegg.table.domain.clock import HOUR, MINUTE, SECOND
from yegg.table.service.timekeeper import Timekeeper
from yegg.table.storage import postgres
from yegg.table.storage import uptime as opening
from yegg.table.storage.migrate import migrate
from yegg.table.storage.store import connected

from .timed import LIVE, SS, time_of, whose


def test_a_machine_s_clock_that_jumps_ahead_and_back_moves_nobodys_time(client, party, monkeypatch):
    people = party(SS, 2, clock={**LIVE, "turn": 90, "reserve": 0})
    actor, _ = whose(people)
    before, store, real = time_of(actor)["until"], client.app.state.registry.store, time.time_ns
    for jump in (HOUR, 0, -HOUR):
        monkeypatch.setattr(time, "time_ns", lambda jump=jump: real() + 1_000_000 * jump)
        with client.portal() as portal:
            portal.call(Timekeeper(client.app.state.registry).beat)
        assert store.hours.closed == ()
        assert time_of(actor)["until"] == before
        left = time_of(actor)["until"] - store.hours.now()
        assert 60 * SECOND < left <= 90 * SECOND
    assert time_of(actor)["missed"] == 0


@pytest.mark.slow
def test_a_database_s_clock_that_jumps_ahead_and_back_moves_nobodys_time(shared, monkeypatch):
    """Each process goes on by its own, and one that comes takes the time of the others."""
    database, hours = connected(shared), opening.Hours()
    migrate(database)
    with database.engine.begin() as connection:
        connection.execute(sa.text("INSERT INTO house (secret) VALUES ('')"))

    def beat(process, hours, *, first=False):
        sign = database.beat(process, 3.0, [], hours, first=first)[1]
        hours.note(sign)
        hours.sure(sign)
        return hours.now()

    beat("one", hours, first=True)
    right = {name: str(getattr(postgres, name)) for name in ("CLOCK", "ALIVE", "LIVING", "FORGET")}
    for jump in (HOUR, -HOUR, 0):
        for what, said in right.items():
            there = sa.text(said.replace(postgres.NOW, f"({postgres.NOW} + {jump})"))
            monkeypatch.setattr(postgres, what, there)
        monkeypatch.setattr(postgres.Postgres, "clock", postgres.CLOCK)
        other = opening.Hours()
        beat("one", hours)
        for now in (beat("one", hours), beat("two", other, first=True), beat("two", other)):
            assert abs(now - opening.here()) < MINUTE
        assert hours.closed == other.closed == ()
        assert sorted(database.beat("one", 3.0, [], hours)[0]) == ["one", "two"]
        database.leave("two", other)
    database.engine.dispose()
