"""What either database does with what it is given, and what processes tell one another by it."""

import asyncio
import sqlite3
from contextlib import aclosing, closing

import pytest
import sqlalchemy as sa

from yegg.table.domain.lobby_columns import Change
from yegg.table.storage import postgres as by_postgres
from yegg.table.storage.database import Write, put_row
from yegg.table.storage.migrate import migrate
from yegg.table.storage.postgres import LONGEST, Postgres
from yegg.table.storage.schema import barred, events, games, metadata, processes, server, sittings
from yegg.table.storage.sqlite import Sqlite
from yegg.table.storage.sqlite_file import address
from yegg.table.storage.store import connected
from yegg.table.storage.uptime import Uptime

from .serving import awaited

GAME = {
    "game": "pig", "version": 1, "seats": 2, "options": {}, "name": "Lantern Row",
    "odds": True, "listed": True, "at": 0,
}  # fmt: skip
SAT = (1, 1, 0, -1, 5, None)
CHOSEN = (1, 2, 1, 3, 6, "roll a 6")


def with_a_game(database):
    with database.engine.begin() as connection:
        connection.execute(sa.insert(server).values(secret=""))
        connection.execute(sa.insert(games).values(key="one", **GAME))
    return database


@pytest.fixture
def sqlite(tmp_path):
    made = connected(address(tmp_path / "games.db"))
    migrate(made)
    yield with_a_game(made)
    made.close()
    made.engine.dispose()


@pytest.fixture(scope="module")
def url(postgres):
    """The address of a database that is made once: that takes long."""
    made = postgres.database("of_all_tests_here")
    first = connected(made)
    migrate(first)
    first.engine.dispose()
    return made


@pytest.fixture
def postgresql(url):
    made = connected(url)
    with made.engine.begin() as connection:
        names = ", ".join(metadata.tables)
        connection.execute(sa.text(f"TRUNCATE {names} RESTART IDENTITY"))
    yield with_a_game(made)
    made.close()
    made.engine.dispose()


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request):
    return request.getfixturevalue(request.param)


def kept(database):
    """The events, and for whom the game waits."""
    with database.reading.connect() as connection:
        happened = connection.execute(sa.select(events).order_by(events.c.number)).all()
        columns = games.c.to_act, games.c.bots_turn, games.c.waits, games.c.due
        return [tuple(row) for row in happened], tuple(
            connection.execute(sa.select(*columns)).one()
        )


def test_choices_and_for_whom_the_game_waits_are_written_together(database):
    database.put([SAT])
    assert kept(database) == ([SAT], (None, None, None, None))
    database.put([CHOSEN], [(1, 2, True, [[1, 2, 0, None]], 7)])
    assert kept(database) == ([SAT, CHOSEN], (2, True, [[1, 2, 0, None]], 7))
    database.put([], [(1, 0, False, [], None)])
    assert kept(database)[1] == (0, False, [], None)


def test_of_what_fails_nothing_is_kept_and_what_comes_next_is(database):
    database.put([SAT])
    for _ in range(2):
        with pytest.raises(sa.exc.IntegrityError):
            database.put([CHOSEN, SAT], [(1, 2, True, [], 7)])
        assert kept(database) == ([SAT], (None, None, None, None))
    database.put([CHOSEN], [(1, 1, False, [], 8)])
    assert kept(database) == ([SAT, CHOSEN], (1, False, [], 8))


def test_what_belongs_to_a_transaction_is_kept_with_it_or_not_at_all(database):
    turn = (1, 2, True, [[1, 2, 0, None]], 7)
    with database.engine.connect() as connection:
        database.put([SAT], [turn], connection=connection)
        connection.rollback()
        assert kept(database) == ([], (None, None, None, None))
        database.put([SAT], [turn], connection=connection)
        connection.commit()
    assert kept(database) == ([SAT], turn[1:])


def test_a_connection_given_up_is_made_anew(database):
    database.put([SAT])
    first = database.line
    database.close()
    assert database.line is None
    database.put([CHOSEN])
    assert database.line not in (None, first)
    line = database.line
    database.put([(1, 3, 0, 0, 0, None)])
    assert database.line is line, "as long as it is good it is kept"


def test_no_number_of_a_game_is_given_twice(database):
    with database.engine.begin() as connection:
        first, second = database.numbers(connection), database.numbers(connection)
        taken = [1, *first, *second]
    assert len(set(taken)) == len(taken)
    assert taken == sorted(taken)


def test_a_new_file_numbers_games_from_one(tmp_path):
    database = connected(address(tmp_path / "new.db"))
    migrate(database)
    with database.engine.connect() as connection:
        assert [database.numbers(connection) for _ in range(3)] == [[1], [2], [3]]
    database.engine.dispose()


def test_a_row_is_changed_or_made(database):
    with database.engine.begin() as connection:
        for why, at in (("rude", 1), ("very rude", 2)):
            put_row(connection, barred, {"who": "ann"}, why=why, at=at)
        put_row(connection, barred, {"who": "ben"}, why="late", at=3)
        found = connection.execute(sa.select(barred).order_by(barred.c.who)).all()
    assert found == [("ann", "very rude", 2, None), ("ben", "late", 3, None)]


def test_a_database_says_what_it_is(sqlite, tmp_path):
    assert sqlite.about() == f"sqlite {sqlite3.sqlite_version}"
    assert sqlite.free() > 0
    assert not sqlite.away(sa.exc.OperationalError("", None, sqlite3.OperationalError("locked")))
    assert isinstance(sqlite, Sqlite)
    assert Sqlite(tmp_path / "other.db").free() > 0, "it need not be there yet"


def test_a_change_of_a_file_begins_with_the_lock_and_reading_does_not(sqlite, tmp_path):
    with closing(sqlite3.connect(tmp_path / "games.db", timeout=0)) as other:
        with sqlite.reading.connect() as reader:
            reader.execute(sa.select(games)).all()
            other.execute("BEGIN IMMEDIATE")
            other.rollback()
        with sqlite.engine.begin():
            with pytest.raises(sqlite3.OperationalError, match="locked"):
                other.execute("BEGIN IMMEDIATE")
            assert kept(sqlite)[0] == [], "others read meanwhile"


def test_what_is_acknowledged_lies_on_the_disk(sqlite):
    wanted = {
        "journal_mode": "wal", "synchronous": 2, "busy_timeout": 5000, "foreign_keys": 1,
        "secure_delete": 1,
    }  # fmt: skip
    with sqlite.engine.connect() as connection:
        found = {name: connection.scalar(sa.text(f"PRAGMA {name}")) for name in wanted}
    assert found == wanted


# What others are told


def row(number, choice=0, game=1, **more):
    return {"game": game, "number": number, "actor": 0, "choice": choice, "at": 5, **more}


def test_others_are_told_whether_a_bot_s_turn_began():
    waits = {"to_act": 2, "bots_turn": True, "waits": [], "due": None}
    told = list(Write(((events, row(4)),), Change(1, waits)).news())
    assert told == ["1 4 1 [[4,0,0,5,null,null,null,null]]"]
    told = list(Write(((events, row(4)),), Change(1, {**waits, "bots_turn": False})).news())
    assert told[0].startswith("1 4 0 ")
    opened = ((games, {"id": 1, "bots_turn": True}), (events, row(1, -1)), (sittings, row(1)))
    assert list(Write(opened).news()) == ["1 1 1"], "who sat down is read"
    assert next(iter(Write(((games, {"id": 1}), (events, row(1)))).news())).startswith("1 1 0 ")
    assert next(iter(Write(((events, row(4)),), Change(1, {"due": 3})).news())).startswith("1 4 0 ")


def test_only_events_and_whose_turn_it_is_are_written_by_the_short_way():
    waits = {"to_act": 2, "bots_turn": True, "waits": [[1, 2, 0, None]], "due": 9}
    plain = Write(((events, row(4)),), Change(1, waits))
    assert plain.plain
    assert list(plain.turn()) == [(1, 2, True, [[1, 2, 0, None]], 9)]
    assert list(plain.happened()) == [(1, 4, 0, 0, 5, None)]
    assert Write(((events, row(4)),)).plain
    assert list(Write().turn()) == []
    assert not Write(((events, row(4)),), Change(1, {**waits, "ended": 3})).plain
    assert not Write(((events, row(4)), (sittings, row(4)))).plain
    assert not Write(((events, row(4)),), work=lambda *_: None).plain
    assert list(Write(((sittings, row(4)), (events, row(5)))).happened()) == [(1, 5, 0, 0, 5, None)]


def test_lines_go_into_as_few_notices_as_they_fit_in():
    assert list(by_postgres._packed([])) == []
    assert list(by_postgres._packed(["a", "b c"])) == ["a\nb c"]
    half = "x" * (LONGEST // 2 - 1)
    assert list(by_postgres._packed([half, half, "y", "z"])) == [f"{half}\n{half}", "y\nz"]
    assert list(by_postgres._packed(["é" * 3498, "yy", "z"])) == ["é" * 3498 + "\nyy", "z"]
    long = "x" * (LONGEST + 5)
    assert list(by_postgres._packed([long, "y"])) == [long, "y"]


# PostgreSQL


def test_processes_know_who_is_alive(postgresql, monkeypatch):
    hours = Uptime()
    alive, first = postgresql.beat("one", 3.0, [], hours, first=True)
    assert alive == ["one"]
    assert first.closures == []
    assert sorted(postgresql.beat("two", 3.0, [], Uptime(), first=True)[0]) == ["one", "two"]
    with postgresql.engine.begin() as connection:
        old = sa.update(processes).where(processes.c.id == "one")
        connection.execute(old.values(at=processes.c.at - 60_000))
        assert postgresql.living(connection, 3.0) == ["two"]
        assert sorted(postgresql.living(connection, 70.0)) == ["one", "two"]
    assert postgresql.beat("two", 3.0, [], Uptime())[0] == ["two"]
    postgresql.leave("two", Uptime())
    with postgresql.engine.begin() as connection:
        assert postgresql.living(connection, 70.0) == ["one"], "nobody waits for its silence"
        connection.execute(sa.update(processes).values(at=processes.c.at - 3_600_000))
    postgresql.beat("two", 3.0, [], Uptime())
    with postgresql.engine.begin() as connection:
        assert connection.scalars(sa.select(processes.c.id)).all() == ["two"], "after an hour"


def test_a_house_without_any_process_was_closed(postgresql):
    def beat(process, **how):
        return postgresql.beat(process, 3.0, [], Uptime(), **how)[1].closures

    def earlier(ms):
        with postgresql.engine.begin() as connection:
            connection.execute(sa.update(server).values(open_at=server.c.open_at - ms))
            connection.execute(sa.update(processes).values(at=processes.c.at - ms))

    beat("one", first=True)
    earlier(1000)
    assert beat("two", first=True) == [], "it has company"
    earlier(1000)
    assert beat("one") == [], "for so short a time it may not have got round to it"
    earlier(4000)
    assert len(beat("one")) == 1
    with postgresql.engine.begin() as connection:
        connection.execute(sa.delete(processes))
    earlier(1000)
    assert len(beat("one", first=True)) == 2, "it begins alone"
    earlier(4000)
    postgresql.leave("one", Uptime())
    assert len(beat("two")) == 3


def test_postgresql_s_clock_counts_and_a_file_has_none(postgresql, sqlite, monkeypatch):
    ahead = sa.text(f"SELECT {by_postgres.NOW} + 3600000")
    monkeypatch.setattr(Postgres, "clock", ahead)
    assert 3_540_000 < postgresql.sign(Uptime()).ahead < 3_660_000
    assert sqlite.sign(Uptime()).ahead == 0


def test_what_one_process_says_the_others_hear(postgresql):
    async def hear():
        async with aclosing(postgresql.heard()) as heard:
            assert await anext(heard) == [], "it has begun"
            await asyncio.to_thread(postgresql.shout, "a phrase")
            yield await anext(heard)
            said = ["one", "two"]
            await asyncio.to_thread(postgresql.beat, "me", 3.0, said, Uptime())
            yield await anext(heard)
            await asyncio.to_thread(postgresql.put, [SAT], (), ["kept"])
            yield await anext(heard)

    async def all_lines():
        async with aclosing(hear()) as lines:
            return [line async for line in lines]

    assert awaited(all_lines()) == [["a phrase"], ["one", "two"], ["kept"]]


def test_the_connection_that_hears_is_given_up_like_the_others(url, monkeypatch):
    made, asked = Postgres(f"{url}{'&' if '?' in url else '?'}connect_timeout=9"), {}

    async def connect(**how):
        asked.update(how)
        raise ConnectionError

    driver = made.engine.dialect.loaded_dbapi
    monkeypatch.setattr(driver.AsyncConnection, "connect", connect)
    with pytest.raises(ConnectionError):
        awaited(anext(made.heard()))
    assert asked["autocommit"] is True
    assert int(asked["connect_timeout"]) == 9, "the address says when"
    assert made.options.items() <= asked.items()
    assert asked["keepalives_idle"] == 3


def test_a_process_that_comes_while_the_clock_leaps_takes_the_time_of_the_others(
    postgresql, monkeypatch
):
    postgresql.beat("one", 3.0, [], Uptime(), first=True)
    leapt = sa.text(f"SELECT {by_postgres.NOW} + 3600000")
    monkeypatch.setattr(Postgres, "clock", leapt)
    _, told = postgresql.beat("two", 3.0, [], Uptime(), first=True)
    assert abs(told.ahead) < 60_000


def test_what_is_newer_than_what_is_known_of_each_game(postgresql):
    with postgresql.engine.begin() as connection:
        connection.execute(sa.insert(games).values(id=2, key="two", **GAME))
    postgresql.put([SAT, CHOSEN, (2, 1, 0, -1, 5, None), (2, 2, 0, 1, 5, None)])
    with postgresql.engine.begin() as connection:
        sat = {"game": 2, "number": 1, "name": "Ann", "person": "a", "bot": None}
        connection.execute(sa.insert(sittings).values(**sat))
    found = postgresql.newer({1: 1, 2: 0})
    assert [(row.game, row.number, row.words, row.name) for row in found] == [
        (1, 2, "roll a 6", None), (2, 1, None, "Ann"), (2, 2, None, None),
    ]  # fmt: skip
    assert postgresql.newer({1: 2, 2: 2}) == []


def failed(state, *, lost=False):
    class Broken(Exception):
        sqlstate = state

    return sa.exc.DBAPIError("", None, Broken(), connection_invalidated=lost)


def test_an_answer_that_did_not_come_is_no_refusal(postgresql):
    for state in (None, "08006", "57P01", "57P02"):
        assert postgresql.away(failed(state)), state
    for state in ("23505", "57014", "53100"):
        assert not postgresql.away(failed(state)), state
    assert postgresql.away(failed("23505", lost=True))
    assert postgresql.away(sa.exc.TimeoutError())
    assert not postgresql.away(ValueError())


def test_a_connection_is_given_up_unless_the_address_says_when(url):
    made = Postgres(url)
    assert made.about() == "postgresql", "it has not answered yet"
    assert made.free() is None
    assert made.options["connect_timeout"] == 3
    other = Postgres(f"{url}{'&' if '?' in url else '?'}connect_timeout=9")
    assert "connect_timeout" not in other.options
    assert other.options["keepalives_idle"] == 3
    with made.engine.connect() as connection:
        assert connection.scalar(sa.text("SHOW statement_timeout")) == "8s"
        assert connection.scalar(sa.text("SHOW synchronous_commit")) == "on"
        made.lock(connection)
        assert connection.scalar(sa.text("SHOW statement_timeout")) == "0"
    assert made.about().startswith("postgresql 1")
    for one in (made, other):
        one.engine.dispose()


def test_while_one_process_has_the_lock_no_other_gets_it(postgresql):
    with postgresql.engine.begin() as one, postgresql.engine.begin() as two:
        postgresql.lock(one)
        two.execute(sa.text("SET LOCAL lock_timeout = 1"))
        with pytest.raises(sa.exc.OperationalError, match="lock timeout"):
            two.execute(sa.text("SELECT pg_advisory_xact_lock(7366453)"))
