"""The file of games: judged before anything in it changes, and served by one process."""

import os
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing

import pytest

from yegg.engine import Refused
from yegg.table.app import prepare
from yegg.table.storage.sqlite import files
from yegg.table.storage.sqlite_file import address, check, path_of, served
from yegg.table.storage.store import Store

from .serving import free_port


def text(path):
    path.write_text("Milk, eggs and a crowbar.\n")


def other_program(path):
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE notes (said TEXT)")


def another_migrated_program(path):
    other_program(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE alembic_version (version_num TEXT)")


def half(path):
    prepare(address(path))
    path.write_bytes(path.read_bytes()[:1000])


def unreadable(path):
    """Even what SQLite says of it is no text."""
    prepare(address(path))
    path.write_bytes(path.read_bytes().replace(b"CREATE TABLE games", b"CREATE T\xd7BLE games"))


def newer(path):
    prepare(address(path))
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
        connection.execute("UPDATE alembic_version SET version_num = '9999_future'")
        connection.commit()


FOREIGN = {
    text: "is something else than games of yegg",
    other_program: "is something else than games of yegg",
    another_migrated_program: "is something else than games of yegg",
    half: "cannot be read",
    unreadable: "cannot be read",
    newer: "is of a newer version of yegg; nothing in it was changed",
    os.mkdir: "is a folder; name a file in it",
    os.mkfifo: "is no file on a disk",
}


@pytest.mark.parametrize("make", FOREIGN, ids=lambda make: make.__name__)
@pytest.mark.parametrize("words", [["serve", "--no-warm"], ["house", "blocked"]], ids=" ".join)
def test_what_is_something_else_is_refused_and_stays_as_it_is(run, tmp_path, make, words):
    path = tmp_path / "games.db"
    make(path)
    path.chmod(0o644)
    before = stat.S_ISREG(path.stat().st_mode) and path.read_bytes()
    status, _, said = run(*words, "--db", str(path))
    assert status == 2
    assert FOREIGN[make] in said
    assert str(path) in said
    assert stat.S_IMODE(path.stat().st_mode) == 0o644, "it was changed before it was looked at"
    assert before == (stat.S_ISREG(path.stat().st_mode) and path.read_bytes())
    assert sorted(tmp_path.iterdir()) == [path], "something was made beside it"


def test_a_folder_that_is_not_there_is_not_made_without_asking(run, tmp_path):
    status, _, said = run("serve", "--db", str(tmp_path / "typo" / "games.db"))
    assert status == 2
    assert f"there is no folder {tmp_path / 'typo'}" in said
    assert not (tmp_path / "typo").exists()


def test_a_name_that_no_system_takes_is_refused_with_its_reason(tmp_path):
    path = tmp_path / ("a" * 300)
    with pytest.raises(Refused, match=r"cannot be used: file name too long$"):
        check(path)


def test_a_database_is_its_file_and_those_that_lie_beside_it(tmp_path):
    names = [path.name for path in files(tmp_path / "games.db")]
    assert names == ["games.db", "games.db-wal", "games.db-shm", "games.db-journal"]


def test_an_address_of_an_unknown_kind_is_refused(run):
    status, _, said = run("serve", "--db", "mysql://localhost/yegg")
    assert status == 2
    assert "'mysql://localhost/yegg' is neither a file nor postgresql://" in said


@pytest.mark.parametrize("name", ["what?.db", "no#1.db", "100%25.db", "two words.db", "a?mode=ro"])
def test_a_name_is_a_name_whatever_stands_in_it(tmp_path, name):
    url = address(tmp_path / name)
    prepare(url)
    store = Store(url)
    store.secret("made")
    store.close()
    assert path_of(url) == tmp_path / name
    assert {path.name for path in tmp_path.iterdir()} == {name}
    check(tmp_path / name)


def test_ours_and_an_empty_file_may_be_used(tmp_path):
    path = tmp_path / "games.db"
    path.touch()
    assert usable(path)
    prepare(address(path))
    assert usable(path)
    empty = tmp_path / "empty.db"
    with closing(sqlite3.connect(empty)) as connection:  # but an SQLite file
        connection.executescript("CREATE TABLE x (y); DROP TABLE x")
    assert usable(empty)


def usable(path):
    check(path)
    return True


HOLD = """
import sys
from pathlib import Path
from yegg.table.storage.sqlite_file import served
with served(Path(sys.argv[1])):
    print("served", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def server(tmp_path):
    """Another process that serves a file."""
    words = [sys.executable, "-c", HOLD, str(tmp_path / "games.db")]
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "served\n"
    yield process
    process.kill()
    process.communicate()


@pytest.mark.parametrize("link", [None, os.symlink, os.link], ids=["the file", "symbolic", "hard"])
def test_a_second_server_on_the_same_file_is_refused(server, tmp_path, run, link):
    path = tmp_path / "games.db"
    if link:
        link(path, tmp_path / "same.db")
        path = tmp_path / "same.db"
    status, _, said = run("serve", "--port", str(free_port()), "--no-warm", "--db", str(path))
    assert status == 2
    assert f"another server keeps its games in {path}: end that one, or name another file" in said


def test_a_server_that_was_killed_leaves_no_lock(server, tmp_path):
    with pytest.raises(Refused), served(tmp_path / "games.db"):
        pass
    server.kill()
    server.wait()
    with served(tmp_path / "games.db"):
        pass


def test_commands_beside_a_running_server_go_on(server, tmp_path, run):
    prepare(address(tmp_path / "games.db"))
    assert run("house", "blocked", "--db", str(tmp_path / "games.db"))[0] == 0
    assert (
        run("house", "backup", str(tmp_path / "c.db"), "--db", str(tmp_path / "games.db"))[0] == 0
    )
