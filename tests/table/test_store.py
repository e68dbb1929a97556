"""The store of games: what is read is what was written, and who writes hears what became of it."""

import asyncio
import stat
import threading
from types import SimpleNamespace

import pytest
import sqlalchemy as sa
from prometheus_client import REGISTRY

from yegg.engine import Refused
from yegg.table.domain.lobby_columns import Change
from yegg.table.storage.database import Write
from yegg.table.storage.migrate import migrate
from yegg.table.storage.postgres import Postgres
from yegg.table.storage.schema import dice, events, games, server, sittings
from yegg.table.storage.sqlite import Sqlite
from yegg.table.storage.sqlite_file import address
from yegg.table.storage.store import Store, Taken, Unanswered, Unread, Unwritten, connected, mended

from .serving import awaited


@pytest.fixture
def store(tmp_path):
    url = address(tmp_path / "games.db")
    migrate(connected(url))
    made = Store(url)
    yield made
    if not made.closed:
        made.close()


def game(number, **more):
    row = {
        "id": number, "key": f"key{number}", "game": "pig", "version": 1, "seats": 2,
        "options": {}, "name": f"Table {number}", "odds": True, "listed": True, "at": number,
    }  # fmt: skip
    return games, {**row, **more}


def event(of, number, choice=3, at=None):
    return events, {
        "game": of, "number": number, "actor": 0, "choice": choice,
        "at": 10 * number if at is None else at, "words": f"choice {choice}",
    }  # fmt: skip


def sat(of, number, person="ann", bot=None):
    return sittings, {"game": of, "number": number, "name": "Ann", "person": person, "bot": bot}


def unwritten():
    """How many writes were not kept, as the server tells those who look after it."""
    return REGISTRY.get_sample_value("yegg_unwritten_total")


def write(store, *rows, **more):
    return store.at_once(Write(rows, **more))


def test_a_game_is_read_as_it_was_written(store):
    promise = {"game": 1, "promise": "p", "seed": "s", "after": 3, "early": True, "origin": "o"}
    write(store, event(1, 1, -1), sat(1, 1), event(1, 2), (dice, promise), game(1))
    row, happened = store.whole("key1")
    assert (row.id, row.name, row.seed, row.after, row.early) == (1, "Table 1", "s", 3, True)
    assert row.dice_origin == "o"
    assert row.origin is None, "of the game itself"
    assert [(e.number, e.choice, e.words, e.name, e.person) for e in happened] == [
        (1, -1, "choice -1", "Ann", "ann"), (2, 3, "choice 3", None, None),
    ]  # fmt: skip
    assert [e.number for e in store.events(1, 1)] == [2]
    assert store.events(2) == []
    assert store.whole("of nothing") is store.read("of nothing") is None
    write(store, game(2))
    assert store.read("key2").seed is None, "dice that nobody promised"
    assert (store.key_of(2), store.key_of(9)) == ("key2", None)
    assert (store.name_of(2), store.name_of(9)) == ("Table 2", "")


def test_lists_are_the_newest_first_with_when_something_happened(store):
    write(store, game(1), event(1, 1, -1), sat(1, 1), event(1, 2), event(1, 3, -5, at=99))
    write(store, game(2), event(2, 1, -1), sat(2, 1, None, "easy"), event(2, 2, -103, at=50))
    write(store, game(3, listed=False), game(5, at=0))
    write(store, game(4, ended=5))
    found = store.listed(0, 9)
    assert [(row.id, row.newest, row.news) for row in found] == [(2, 50, 10), (1, 99, 20)]
    assert [row.id for row in store.listed(0, 1)] == [2]
    assert [row.id for row in store.listed(1, 9)] == [2], "only what was opened since"
    assert [row.id for row in store.listed(-1, 9)] == [5, 2, 1]
    assert store.listed(-1, 9)[0].newest is None, "before the first event"
    write(store, event(2, 3, -1), sat(2, 3))
    assert [(row.id, row.news) for row in store.of_person("ann", 9)] == [(2, 30), (1, 20)]
    assert [row.id for row in store.of_person("ann", 1)] == [2]
    assert store.of_person("ben", 9) == []


def test_games_where_a_bot_or_a_deadline_is_due(store):
    waits = {"to_act": 1, "bots_turn": True, "waits": [[0, 1, 0, None]], "due": 70}
    write(store, game(1), game(2), game(3))
    write(store, event(1, 1), change=Change(1, waits))
    write(store, event(2, 1), change=Change(2, {**waits, "bots_turn": False, "due": 71}))
    assert store.games_of_bots() == [(1, "key1")]
    assert store.games_due(70) == [(1, "key1", 70)]
    assert sorted(store.games_due(71)) == [(1, "key1", 70), (2, "key2", 71)]
    assert store.games_due(69) == []
    write(store, game(4), event(1, 2), change=Change(1, {"ended": 5, "result": {"places": [1]}}))
    row = store.read("key1")
    assert (row.ended, row.result, row.waits) == (5, {"places": [1]}, [[0, 1, 0, None]])


def test_the_house_s_secrets_are_made_once(store):
    assert store.secret("one") == "one"
    assert store.secret("two") == "one"
    assert store.secret_of_dice("of dice") == "of dice"
    assert store.secret_of_dice("other") == "of dice"
    with store.engine.connect() as connection:
        columns = server.c.secret, server.c.dice
        assert connection.execute(sa.select(*columns)).all() == [("one", "of dice")]
    assert store.about().startswith("sqlite 3")


def test_many_write_at_once_and_each_hears_what_became_of_it(store):
    write(store, game(1), event(1, 1))

    async def several():
        both = [event(1, 2), event(1, 3)]
        await store.keep(both)
        asked = [
            store.keep([event(1, 4)]), store.keep([event(1, 2)]),
            store.work(lambda connection, tell: connection.scalar(sa.select(games.c.name))),
            store.keep([event(9, 1)]),
            store.keep([event(1, 5)], change=Change(1, {"ended": 7})),
        ]  # fmt: skip
        return await asyncio.gather(*asked, return_exceptions=True)

    kept, taken, answer, foreign, ended = awaited(several())
    assert kept is ended is None
    assert isinstance(taken, Taken)
    assert answer == "Table 1"
    assert isinstance(foreign, Taken), "there is no such game"
    assert [e.number for e in store.events(1)] == [1, 2, 3, 4, 5]
    assert store.read("key1").ended == 7


def test_what_cannot_be_written_is_refused_with_the_reason(store):
    def broken(_connection, _tell):
        raise ValueError("the disk is gone")

    before, writer = unwritten(), store.writer
    with pytest.raises(Unwritten, match=r"^the disk is gone$"):
        write(store, work=broken)
    assert unwritten() == before + 1
    assert store.writer == writer
    with pytest.raises(Taken):
        write(store, event(1, 1))
    assert unwritten() == before + 1, "that is no fault"


def test_an_answer_that_was_lost_makes_another_writer(store, monkeypatch):
    def broken(_connection, _tell):
        raise ValueError("gone")

    monkeypatch.setattr(store.database, "away", lambda error: str(error) == "gone")
    before, writer = unwritten(), store.writer
    answers = store._settle([Write(work=broken), Write(work=lambda *_: 1)])
    assert [type(answer) for answer in answers] == [Unanswered] * 2
    assert [str(answer) for answer in answers] == ["gone"] * 2
    assert unwritten() == before + 2
    assert store.writer != writer


def test_others_are_told_who_wrote_and_what(store, monkeypatch):
    said = []
    put = store.database.put

    def heard(happened, turns=(), told=(), connection=None, **more):
        said.extend(more.get("said", told))
        put(happened, turns, connection=connection)

    write(store, game(1))
    monkeypatch.setattr(store.database, "put", heard)
    write(store, event(1, 1))
    assert said == [], "nobody else is there"
    monkeypatch.setattr(store.database, "shared", True)
    write(store, event(1, 2))
    assert said == [f"kept {store.writer} 1 2 0 " + '[[2,0,3,20,"choice 3",null,null,null]]']
    said.clear()
    write(store, work=lambda _connection, tell: tell("a line"))
    assert said == ["a line"]
    said.clear()
    write(store, event(1, 3), sat(1, 3))
    assert said == [f"kept {store.writer} 1 3 0"]
    monkeypatch.setattr(store.database, "shared", False)


def test_numbers_of_games_are_taken_one_by_one(store):
    write(store, game(7))

    async def three():
        return [await store.next_game() for _ in range(3)]

    assert awaited(three()) == [8, 9, 10]
    store.numbers = [20, 21]
    assert awaited(three())[:2] == [20, 21]


def failing(store, monkeypatch, errors, *, away):
    """What reading gives after so many errors of the database, and how often it is tried."""
    tried, left = [], list(errors)

    def read(word):
        tried.append(word)
        if left:
            raise left.pop(0)
        return "answer"

    monkeypatch.setattr(store.database, "away", lambda error: away)
    try:
        return awaited(store.aside(read, "word")), tried
    except Unread as error:
        return str(error), tried


def test_what_was_not_read_because_of_a_broken_connection_is_read_once_more(store, monkeypatch):
    lost = sa.exc.DBAPIError("", None, Exception("lost"))
    assert failing(store, monkeypatch, [lost], away=True) == ("answer", ["word"] * 2)
    said, tried = failing(store, monkeypatch, [lost, lost], away=True)
    assert (said, len(tried)) == (str(lost), 2)
    said, tried = failing(store, monkeypatch, [lost], away=False)
    assert (said, len(tried)) == (str(lost), 1)
    late = sa.exc.TimeoutError("nobody has a connection")
    assert failing(store, monkeypatch, [late], away=True)[0] == str(late)
    with pytest.raises(ValueError, match="of ours"):
        failing(store, monkeypatch, [ValueError("of ours")], away=True)


def test_a_store_that_closes_writes_what_waits_and_says_when(store):
    write(store, game(1))
    store.secret("made")

    async def last():
        waiting = asyncio.ensure_future(store.keep([event(1, 1)]))
        await asyncio.sleep(0)
        await asyncio.to_thread(store.close)
        await waiting
        with pytest.raises(Unread, match=r"^the server is ending$"):
            await store.query(lambda connection: connection)

    awaited(last())
    assert store.closed
    assert not store.thread.is_alive()
    assert not [t for t in threading.enumerate() if t.name.startswith("reader") and t.is_alive()]
    again = Store(str(store.engine.url))
    assert [e.number for e in again.events(1)] == [1]
    with again.engine.connect() as connection:
        opened = connection.scalar(sa.select(server.c.open_at))
    assert abs(opened - again.hours.now()) < 60_000, "its last sign of life"
    again.close()


def test_an_address_leads_to_the_database_that_it_names(tmp_path):
    assert isinstance(connected(address(tmp_path / "games.db")), Sqlite)
    assert isinstance(connected("postgresql://localhost/yegg"), Postgres)
    assert mended("postgresql://localhost/yegg") == []
    path = tmp_path / "games.db"
    assert mended(address(path)) == []
    migrate(connected(address(path)))
    path.chmod(0o644)
    (said,) = mended(address(path))
    assert str(path) in said
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    other = tmp_path / "notes.txt"
    other.write_text("Milk")
    other.chmod(0o644)
    with pytest.raises(Refused):
        mended(address(other))
    assert stat.S_IMODE(other.stat().st_mode) == 0o644


def test_who_has_given_up_waiting_is_not_answered():
    from yegg.table.storage.store import _answer

    async def three():
        loop = asyncio.get_running_loop()
        waiters = [loop.create_future() for _ in range(3)]
        waiters[0].cancel()
        _answer(waiters, [1, Taken(), 3])
        return await asyncio.gather(*waiters, return_exceptions=True)

    gone, taken, answer = awaited(three())
    assert isinstance(gone, asyncio.CancelledError)
    assert isinstance(taken, Taken)
    assert answer == 3
    with pytest.raises(ValueError, match="zip"):
        _answer([SimpleNamespace(done=lambda: True)], [])
