"""What was acknowledged is kept: servers are killed, disks are full, and connections break."""

import os
import random
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import httpx
import pytest
import sqlalchemy as sa
from waiting import until

from yegg.table.storage import sqlite
from yegg.table.storage.postgres import Postgres

from .conftest import opened, settings_for
from .people import SS, Player, refused, whose
from .serving import running

FAULTS = Path(__file__).parents[2] / "bench" / "faults.py"
TABLES, KILLS = 4, 2


# A server that is killed


class Patient:
    """A client that asks until there is an answer: the server may be down, or its disk busy."""

    def __init__(self, client):
        self.client = client

    def __getattr__(self, method):
        def asked(*what, **more):
            try:
                answer = getattr(self.client, method)(*what, **more)
            except httpx.TransportError:
                return None
            return None if answer.status_code == 503 else answer

        return lambda *what, **more: until(lambda: asked(*what, **more), lambda a: a is not None)


def play(server, seed, kept, stop, faults):
    """Two scripted people at a table after another; ``kept`` gets every acknowledged choice."""
    people = [Player(Patient(server.client), seed=seed + i) for i in (0, 1)]
    try:
        while not stop.is_set():
            people[0].open()
            if people[1].join(people[0].key).status_code != 200:
                continue  # taken before the answer was lost: find another table
            done = kept.setdefault(people[0].key, [])
            while not stop.is_set() and not people[0].table["over"]:
                for person in people:
                    table = person.table
                    if table["choices"]:
                        text = person.dice.choice(table["choices"])["text"]
                        answer = person.choose(text, table["number"])
                        if answer.status_code == 200:
                            done.append((answer.json()["number"], text))
                        else:
                            assert answer.status_code == 409, answer.text
    except Exception as fault:  # noqa: BLE001 a thread's fault is the test's
        faults.append(fault)


def test_nothing_acknowledged_is_lost_when_a_server_is_killed(tmp_path):
    kept, stop, faults, dice = {}, threading.Event(), [], random.Random(7)

    def in_full_play():
        before = sum(map(len, kept.values()))
        until(lambda: faults or sum(map(len, kept.values())) > before + 5 * TABLES)

    with running(tmp_path) as server:
        scripts = [
            threading.Thread(target=play, args=(server, 10 * i, kept, stop, faults))
            for i in range(TABLES)
        ]
        for script in scripts:
            script.start()
        for _ in range(KILLS):
            in_full_play()
            server.process.join(dice.random())  # at any moment
            server.kill()
            server.start()
        in_full_play()
        stop.set()
        for script in scripts:
            script.join()
        assert not faults
        assert sum(map(len, kept.values())) > TABLES * KILLS
        for key, choices in kept.items():
            record = Player(server.client, key=key).record.splitlines()
            done = [line.partition(" ")[2] for line in record if line[:2] in ("1 ", "2 ")]
            rest = iter(done)
            lost = [text for _, text in choices if not any(text == line for line in rest)]
            assert not lost, f"{key}: {lost}"
            numbers = [number for number, _ in choices]
            assert numbers == sorted(set(numbers))


def test_it_stops_at_once_though_streams_are_open(tmp_path):
    with running(tmp_path) as server:
        lines = Player(server.client).open().lines()
        assert next(lines) == "retry: 1000"
        assert server.stop() in (0, -15)
    log = server.log.read_text()
    assert "graceful shutdown exceeded" not in log, "they were not waited for in vain"


# A disk that is full


@pytest.fixture
def pages(monkeypatch):
    """Allow every connection to the database so many pages."""
    connections = []
    durable = sqlite._durable

    def noted(connection, record):
        durable(connection, record)
        connections.append(connection)

    monkeypatch.setattr(sqlite, "_durable", noted)

    def allow(n):
        for connection in connections:
            try:
                connection.execute(f"PRAGMA max_page_count={n}")
            except sqlite3.ProgrammingError as error:
                assert "closed" in str(error)  # noqa: PT017  the migration's

    return allow


def test_a_full_database_refuses_the_move_and_nothing_else(pages, fresh, party):
    people = party(SS, 2)
    pages(1)  # no more than there are
    answer = None
    while not answer or answer.status_code == 200:
        people = party(SS, 2) if people[0].table["over"] else people
        person, _ = whose(people)
        before = person.table
        text = person.dice.choice(before["choices"])["text"]
        answer = person.choose("continue" if text == "stop" else text, before["number"])
    refused(answer, 503, "could not be saved")
    assert answer.headers["retry-after"]
    assert person.table == before, "nothing has happened"
    assert fresh.get("/health").status_code == 200
    assert person.get(f"/t/{person.key}").status_code == 200
    pages(1 << 30)
    assert person.choose(before["choices"][0]["text"], before["number"]).status_code == 200
    assert person.table["number"] > before["number"]


@pytest.fixture
def small(tmp_path):
    """A file system of two megabytes."""
    folder = tmp_path / "small"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("only root can mount a small file system")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_full_file_system_under_a_running_server(small, tmp_path):
    with running(tmp_path, db=small) as server:
        people = [Player(server.client) for _ in range(2)]
        people[0].open()
        assert people[1].join(people[0].key).status_code == 200

        def choose():
            who, _ = whose(people)
            table = who.table
            return who.choose(table["choices"][0]["text"], table["number"]).status_code

        assert choose() == 200
        filler = small / "filler"
        with filler.open("wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(4096))
            except OSError:
                pass
        answers = [choose() for _ in range(40)]
        assert set(answers[-3:]) == {503}, answers
        number = people[0].table["number"]
        assert server.asked("/health") == 200
        filler.unlink()
        assert choose() == 200
        assert people[0].table["number"] > number


# Connections to PostgreSQL that break


@pytest.fixture
def on_postgres(shared):
    """A server on PostgreSQL in this process, and two people who sit there."""
    with opened(settings_for("", db=shared)) as client:
        people = [Player(client, seed=seed) for seed in (0, 1)]
        people[0].open()
        assert people[1].join(people[0].key).status_code == 200
        yield client.app.state.registry, people


def test_a_choice_that_was_kept_though_nobody_heard_so_is_made_once(on_postgres, monkeypatch):
    """The connection breaks after the commit, before its answer."""
    registry, people = on_postgres
    actor, _ = whose(people)
    table, put = actor.table, Postgres.put

    def breaking(self, *what):
        put(self, *what)
        monkeypatch.undo()
        lost = ConnectionError("the answer was lost")
        raise sa.exc.OperationalError("COMMIT", None, lost, connection_invalidated=True)

    monkeypatch.setattr(Postgres, "put", breaking)
    text = table["choices"][0]["text"]
    answer = actor.choose(text, table["number"])  # a second attempt may have been made already
    assert answer.status_code in (409, 503)
    here = registry.tables[actor.key]
    until(lambda: here.now.seen[-1] > table["number"])  # as of somebody else's
    assert actor.choose(text, table["number"]).status_code == 409
    assert actor.table["happened"].count({"seat": table["seat"], "text": text}) == 1


def test_a_connection_that_the_database_has_ended_is_not_written_to(on_postgres):
    registry, people = on_postgres
    assert whose(people)[0].act()
    database = registry.store.database
    before = database.pen.connection.info.backend_pid
    with database.engine.connect() as other:
        other.execute(sa.text(f"SELECT pg_terminate_backend({before}, 5000)"))
    assert whose(people)[0].act()
    assert database.pen.connection.info.backend_pid != before


def test_a_number_that_is_taken_breaks_no_connection(on_postgres):
    registry, people = on_postgres
    store, game = registry.store, registry.tables[people[0].key].id
    number = len(store.events(game))
    for _ in range(2):
        with pytest.raises(sa.exc.IntegrityError):
            store.database.put([(game, 1, 0, 0, 0, None)], [], [])
    assert not store.database.pen.connection.closed
    assert len(store.events(game)) == number
    row = game, number + 1, 1, -1, 0, None
    store.database.put([row], [(game, 2, True, [[1, 2, 0, None]], 7)], [])
    kept = store.read(people[0].key)
    assert (kept.to_act, kept.bots_turn, kept.waits, kept.due) == (2, True, [[1, 2, 0, None]], 7)


@pytest.mark.wide
def test_nothing_acknowledged_is_lost_and_nothing_forks_in_many_faults(postgres):
    """Two processes and PostgreSQL fail in turn while scripts play: `bench/faults.py`, shorter."""
    how = ["--kills", "2", "--restarts", "1", "--stops", "1", "--drops", "1", "--tables", "4"]
    line = [sys.executable, str(FAULTS), *how]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert "faults: none" in done.stdout
