"""A full disk: the move is refused, the server lives, and play goes on when there is space."""

import os
import sqlite3
import subprocess

import httpx
import pytest

from yegg.table.storage import sqlite

from .serving import Served


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


def play_until_refused(people, most=3000):
    """The first answer that is not 200, and who got it."""
    for _ in range(most):
        for person in people:
            table = person.table
            if table["over"]:
                return None
            if table["choices"]:
                text = person.dice.choice(table["choices"])["text"]
                answer = person.choose("continue" if text == "stop" else text, table["number"])
                if answer.status_code != 200:
                    return answer, person, table
    return None


def test_a_full_database_refuses_the_move_and_nothing_else(pages, client, party):
    people = party("second-story", 2)
    pages(1)  # no more than there are
    refused = None
    while refused is None:
        refused = play_until_refused(people)
        people = people if refused else party("second-story", 2)
    answer, person, before = refused
    assert answer.status_code == 503
    assert "could not be saved" in answer.json()["why"]
    assert answer.headers["retry-after"]
    assert person.table == before, "nothing has happened"
    assert client.get("/health").status_code == 200
    assert client.get(f"/t/{person.key}").status_code == 200
    pages(1 << 30)
    again = person.choose(before["choices"][0]["text"], before["number"])
    assert again.status_code == 200
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
    server = Served(tmp_path, db=small).start()
    try:
        with httpx.Client(base_url=server.base, timeout=60) as client:
            wish = {"game": "second-story", "seats": ["me", "open"]}
            opened = client.post("/api/games", json=wish).json()
            path = f"/api/games/{opened['id']}"
            joined = client.post(f"{path}/join", json={}).json()
            people = [{"Authorization": f"Bearer {one['token']}"} for one in (opened, joined)]

            def choose():
                for who in people:
                    table = client.get(path, headers=who).json()
                    if table["choices"]:
                        wish = {"choice": table["choices"][0]["text"], "after": table["number"]}
                        return client.post(f"{path}/choices", json=wish, headers=who)
                raise AssertionError("nobody is to act")

            assert choose().status_code == 200
            filler = small / "filler"
            with filler.open("wb", buffering=0) as file:
                try:
                    while True:
                        file.write(bytes(4096))
                except OSError:
                    pass
            answers = [choose().status_code for _ in range(40)]
            assert set(answers[-3:]) == {503}, answers
            number = client.get(path, headers=people[0]).json()["number"]
            health = client.get("/health")
            assert health.status_code == 200 or health.json()["compiling"]
            filler.unlink()
            assert choose().status_code == 200
            assert client.get(path, headers=people[0]).json()["number"] > number
    finally:
        server.close()
