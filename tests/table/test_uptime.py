"""Signs of life: what time it is in the house, and when no process of it was running."""

import pytest
import sqlalchemy as sa

from yegg.table.storage import uptime
from yegg.table.storage.migrate import migrate
from yegg.table.storage.schema import closed, server
from yegg.table.storage.sqlite_file import address
from yegg.table.storage.store import connected
from yegg.table.storage.uptime import LEAP, Sign, Uptime, sign

SILENT = 3000
BEGIN = 1_000_000  # when the house opens


@pytest.fixture
def house(tmp_path):
    """A connection to a house that nobody has opened yet."""
    database = connected(address(tmp_path / "games.db"))
    migrate(database)
    with database.engine.begin() as connection:
        connection.execute(sa.insert(server).values(secret=""))
    with database.engine.connect() as connection:
        yield connection
    database.engine.dispose()


@pytest.fixture
def at(monkeypatch):
    """Set this machine's clock."""

    def set_clock(now):
        monkeypatch.setattr(uptime, "here", lambda: now)

    set_clock(BEGIN)
    return set_clock


def last(house):
    return house.scalar(sa.select(server.c.open_at))


def says(ms):
    """A database whose clock says so."""
    return sa.text(f"SELECT {ms}")


def test_the_first_sign_of_life_closes_nothing(house, at):
    assert sign(house, None, SILENT, Uptime()) == Sign(0, BEGIN, [])
    assert last(house) == BEGIN
    at(BEGIN - 1)
    sign(house, None, SILENT, Uptime())
    assert last(house) == BEGIN, "the last sign of life is the latest"


def test_a_house_that_was_silent_for_long_enough_was_closed(house, at):
    sign(house, None, SILENT, Uptime())
    at(BEGIN + SILENT)
    assert sign(house, None, SILENT, Uptime()).closures == [], "it was not longer than that"
    begun = BEGIN + SILENT
    at(begun + SILENT + 1)
    first = sign(house, None, SILENT, Uptime())
    assert first == Sign(0, begun + SILENT + 1, [(begun, begun + SILENT + 1)])
    assert last(house) == begun + SILENT + 1
    at(begun + SILENT + 2)
    second = sign(house, None, 0, Uptime())
    assert second.closures == [*first.closures, (first.at, first.at + 1)], "a process that begins"
    assert house.execute(sa.select(closed).order_by(closed.c.since)).all() == second.closures


def test_a_process_is_told_of_closures_that_it_does_not_know(house, at):
    hours = Uptime()
    for now in (0, 10_000, 20_000):
        at(BEGIN + now)
        told = sign(house, None, SILENT, hours)
        assert len(told.closures) == bool(now), "each of them once"
        hours.note(told)
    spans = ((BEGIN, BEGIN + 10_000), (BEGIN + 10_000, BEGIN + 20_000))
    assert hours.closed == spans
    assert hours.known == BEGIN + 10_000
    hours.note(Sign(7, BEGIN, [*spans, (BEGIN + 30_000, BEGIN + 40_000)]))
    assert hours.closed == (*spans, (BEGIN + 30_000, BEGIN + 40_000)), "told twice, noted once"
    assert hours.ahead == 7
    assert sign(house, None, SILENT, Uptime()).closures == list(spans), "another knows none"
    hours = Uptime(closed=(spans[0],))
    assert sign(house, None, SILENT, hours).closures == [spans[1]]


def test_it_is_never_earlier_than_the_end_of_the_last_closure(at):
    assert (Uptime().now(), Uptime().known) == (BEGIN, -1)
    hours = Uptime(ahead=500, closed=((0, 10), (BEGIN - 9, BEGIN + 400)))
    assert hours.now() == hours.read() == BEGIN + 500
    at(BEGIN - 200)
    assert (hours.read(), hours.now()) == (BEGIN + 300, BEGIN + 400)


def test_for_a_while_nothing_that_was_told_is_missed(at):
    hours = Uptime(ahead=50)
    hours.sure(Sign(50, BEGIN + 50, []))
    for other in (BEGIN - 100, BEGIN + 50):
        hours.sure(Sign(50, other, []))
        assert hours.seen == BEGIN + 50, "the latest counts"
    at(BEGIN + SILENT - 1)
    assert hours.fresh(SILENT)
    at(BEGIN + SILENT)
    assert not hours.fresh(SILENT)
    at(BEGIN - SILENT)
    assert not hours.fresh(SILENT), "a clock that was set back"


def test_the_database_s_clock_counts_where_it_has_one(house, at):
    told = sign(house, says(BEGIN + 6000), SILENT, Uptime())
    assert told == Sign(6000, BEGIN + 6000, [])
    hours = Uptime(6000, BEGIN + 6000)
    at(BEGIN + 100)
    told = sign(house, says(BEGIN + 6200), SILENT, hours)
    assert told == Sign(6100, BEGIN + 6200, []), "a clock that was only set right is followed"
    hours = Uptime(6100, BEGIN + 6200)
    at(BEGIN + 200)
    told = sign(house, says(BEGIN + 6300 + LEAP - 1), SILENT, hours)
    assert told.ahead == 6100 + LEAP - 1


@pytest.mark.parametrize("leap", [LEAP, -LEAP, 3_600_000])
def test_if_its_clock_leaps_all_go_on_by_the_time_of_before(house, at, leap):
    sign(house, says(BEGIN + 6000), SILENT, Uptime())
    hours = Uptime(6000, BEGIN + 6000)
    at(BEGIN + 100)
    leapt = says(BEGIN + 6100 + leap)
    assert sign(house, leapt, SILENT, hours) == Sign(6000, BEGIN + 6100, [])
    new = sign(house, leapt, SILENT, Uptime(), company=True)
    assert new.ahead == 6000, "one that comes takes the time of the others"
    assert sign(house, leapt, SILENT, Uptime()).ahead == 6000 + leap, "there are no others"


def test_a_process_that_slept_takes_the_time_that_the_others_have(house, at):
    """It is not the database's clock that leapt: the last sign of life is far from its own time."""
    sign(house, says(BEGIN + 600_000), SILENT, Uptime())
    hours = Uptime(0, BEGIN)
    at(BEGIN + 100)
    told = sign(house, says(BEGIN + 600_100), SILENT, hours)
    assert (told.ahead, told.at) == (600_000, BEGIN + 600_100)


def test_a_leap_is_told_from_sleep_by_what_the_others_have(house, at):
    """Whoever slept less than a leap's length goes on by their own time; else by the others'."""
    for slept, follows in ((LEAP - 1, False), (LEAP, True)):
        house.execute(sa.update(server).values(open_at=BEGIN + slept))
        told = sign(house, says(BEGIN + 600_000), SILENT, Uptime(0, BEGIN))
        assert (told.ahead == 600_000) == follows


def test_sleep_counts_where_the_system_can_tell(monkeypatch):
    asked = []
    monkeypatch.setattr(uptime.time, "clock_gettime_ns", lambda clock: asked.append(clock) or 0)
    monkeypatch.setattr(uptime.time, "CLOCK_BOOTTIME", 7, raising=False)
    uptime.here()
    monkeypatch.delattr(uptime.time, "CLOCK_BOOTTIME")
    uptime.here()
    assert asked == [7, uptime.time.CLOCK_MONOTONIC]


def test_this_machine_s_clock_says_what_time_it_is_and_does_not_leap(monkeypatch):
    real = uptime.time.time_ns()
    assert abs(uptime.here() - real // 1_000_000) < 60_000
    before = uptime.here()
    monkeypatch.setattr(uptime.time, "time_ns", lambda: real + 3_600_000_000_000)
    assert 0 <= uptime.here() - before < 60_000
