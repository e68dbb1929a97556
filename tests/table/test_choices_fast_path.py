"""A script's choices avoid the framework; the answers must be the same."""

import asyncio
import json
import sqlite3
from contextlib import closing, suppress

import pytest
import sqlalchemy as sa

from yegg.table.storage.migrate import migrate
from yegg.table.storage.schema import events
from yegg.table.storage.store import Store, Taken, connected

from .people import SS, whose
from .serving import awaited

LONG = " " * 500  # the framework answers bodies of that length


def both_ways(client, path, headers, body):
    """The answers to the same choice, by the fast path and by the framework."""
    headers = {**headers, "Content-Type": "application/json"}
    return [client.post(path, content=body + more, headers=headers) for more in ("", LONG)]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ('{"choice": "flip the-moon", "after": %d}', 422),
        ('{"choice": "nonsense", "after": %d}', 422),
        ('{"choice": 9999, "after": %d}', 422),
        ('{"choice": "thorough", "after": 0}', 409),
        ('{"choice": "thorough"}', 400),
        ('{"choice": "thorough", "after": -1}', 400),
        ('{"choice": "thorough", "after": %d, "more": 1}', 400),
        ('{"choice": "thorough", "after": "%d"}', 400),
        ('{"choice": "nonsense", "after": %d.0}', 422),
        ('{"choice": "nonsense", "after": %d.5}', 400),
        ('["thorough"]', 400),
        ("not json", 400),
        ("\xff", 400),
    ],
)
def test_both_paths_refuse_alike(client, party, body, status):
    actor, _ = whose(party(SS, 2))
    number = actor.table["number"]
    body = body.replace("%d", str(number))
    answers = both_ways(client, f"/api/games/{actor.key}/choices", actor.headers, body)
    assert [answer.status_code for answer in answers] == [status, status]
    assert answers[0].json() == answers[1].json()
    assert answers[0].headers == {**answers[1].headers}
    assert actor.table["number"] == number


@pytest.mark.parametrize(
    ("key", "token", "status"),
    [(None, "somebody-else", 401), ("A" * 22, None, 404), (None, "\xe9", 401), ("A", None, 400)],
)
def test_both_paths_refuse_strangers_and_unknown_tables_alike(client, party, key, token, status):
    one, *_ = party(SS, 2)
    headers = {"Authorization": f"Bearer {token}".encode("latin-1")} if token else one.headers
    path, body = f"/api/games/{key or one.key}/choices", '{"choice": "thorough", "after": 3}'
    answers = both_ways(client, path, headers, body)
    assert [answer.status_code for answer in answers] == [status, status]
    assert answers[0].json() == answers[1].json()


def test_both_paths_accept_alike(client, party):
    for more in ("", LONG):
        actor, _ = whose(party(SS, 2))
        table = actor.table
        choice = {"choice": table["choices"][0]["text"], "after": table["number"]}
        headers = {**actor.headers, "Content-Type": "application/json"}
        path = f"/api/games/{actor.key}/choices"
        answer = client.post(path, content=json.dumps(choice) + more, headers=headers)
        assert answer.status_code == 200
        assert answer.json() == {"number": actor.table["number"]}
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["content-type"] == "application/json"


def test_events_of_many_games_are_written_at_once_and_only_the_guilty_one_is_refused(tmp_path):
    url = f"sqlite:///{tmp_path}/t.db"
    migrate(connected(url))
    store = Store(url)
    head = {"seats": 2, "options": {}, "name": "x", "odds": True, "listed": True, "at": 0}

    def event(game, number):
        return events, {"game": game, "number": number, "actor": 0, "choice": 1, "at": number}

    async def write():
        for game in range(1, 8):
            named = {"id": game, "key": f"{game}", "game": "g", "version": 1, **head}
            await store.keep([(events.metadata.tables["games"], named)])
        many = [[event(game, n) for n in range(1, 100 + game)] for game in range(1, 8)]
        many[3].append(event(4, 1))  # that number is taken
        return await asyncio.gather(*map(store.keep, many), return_exceptions=True)

    ended = awaited(write())
    try:
        assert [type(end) for end in ended] == [type(None)] * 3 + [Taken] + [type(None)] * 3
        for game in (1, 2, 3, 5, 6, 7):
            kept = store.events(game)
            assert [row.number for row in kept] == list(range(1, 100 + game))
            assert all(row.at == row.number and row.choice == 1 for row in kept)
        assert store.events(4) == []
    finally:
        store.close()


def test_nobody_writes_between_what_a_change_reads_and_what_it_writes(tmp_path):
    """SQLite refuses at once a write after a read, if somebody else has written since."""
    url = f"sqlite:///{tmp_path}/t.db"
    migrate(connected(url))
    store, between = Store(url), []

    def change(connection, _tell):
        assert connection.scalars(sa.select(events.c.game)).all() == []
        other = sqlite3.connect(tmp_path / "t.db", timeout=0)
        with closing(other), suppress(sqlite3.OperationalError):
            between.append(other.execute("BEGIN IMMEDIATE"))
        connection.execute(sa.delete(events))

    async def work():
        await store.work(change)

    try:
        awaited(work())
        assert not between
    finally:
        store.close()
