"""What the server, the commands of a house and games by post write is for its owner alone."""

import os
import sqlite3
import stat

import pytest
from click.testing import CliRunner
from litestar.testing import TestClient
from structlog.testing import capture_logs

from yegg.cli.admin import command as house
from yegg.files import make_private, open_private
from yegg.post.commands import command as post
from yegg.table.app import application
from yegg.table.settings import Settings


@pytest.fixture(params=[0, 0o077], ids=oct)
def umask(request):
    """What the system would take from a file's mode; what is written must not hang on it."""
    before = os.umask(request.param)
    yield
    os.umask(before)


def modes(folder):
    """By path: what everybody may do with a file; folders apart."""
    found = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)): stat.S_IMODE(path.stat().st_mode) for path in found}


def run(command, *words, said=None):
    done = CliRunner().invoke(command, [str(word) for word in words], input=said)
    assert done.exit_code == 0, (done.output, done.exception)
    return done


def serving(db):
    return TestClient(
        application(Settings(db=f"sqlite:///{db}", warm=False, hosts=("testserver.local",))),
        base_url="http://testserver.local",
    )


def opens(client):
    wish = {"game": "second-story", "seats": ["me", "uniform"]}
    assert client.post("/api/games", json=wish).status_code == 201


def test_what_a_house_writes(umask, tmp_path):
    db = tmp_path / "t.db"
    with serving(db) as client:
        opens(client)
        assert {"t.db", "t.db-wal", "t.db-shm"} <= modes(tmp_path).keys()
        run(house, "backup", tmp_path / "copy.db", "--db", db)
        run(house, "backup", "--to", tmp_path, "--db", db)
    run(house, "dump", tmp_path / "going.jsonl", "--db", db)
    run(house, "restore", tmp_path / "copy.db", "--db", tmp_path / "again.db")
    with serving(tmp_path / "again.db"):
        there = modes(tmp_path)
    assert len(there) > 6
    assert set(there.values()) == {0o600}, there
    assert run(house, "dump", "-", "--db", db).stdout.startswith('{"key"')


def test_what_a_game_by_post_writes(umask, tmp_path):
    game = tmp_path / "league"
    run(post, "new", game, "--players", "Ann,Bill,Charles", "--deadline", "3d")
    run(post, "orders", game, "Ann", "-", said=ORDERS)
    run(post, "adjudicate", game, "--now")
    there = modes(game)
    assert len(there) > 7
    assert set(there.values()) == {0o600}, there
    folders = {stat.S_IMODE(path.stat().st_mode) for path in (game, *game.glob("turn-*"))}
    assert {mode & 0o077 for mode in folders} == {0}


ORDERS = "Club steals secret 2 from Bill, Diamond steals secret 9 from Charles, Heart steals secret 9 from Bill, and Spade steals Charles 8. Policeman guards secret 7.\n"  # noqa: E501


def test_an_older_file_is_mended_at_the_start_and_the_log_says_so(tmp_path):
    db = tmp_path / "t.db"
    with serving(db) as client:
        opens(client)
        open_for_all(tmp_path)
        done = run(house, "blocked", "--db", db)
        assert f"others on this machine could read 3 files of {db}" in done.stderr
        assert set(modes(tmp_path).values()) == {0o600}
        assert run(house, "backup", tmp_path / "copy.db", "--db", db).stderr == ""
    open_for_all(tmp_path)
    with capture_logs() as log, serving(db):
        (line,) = [one for one in log if one["event"] == "mended"]
        assert line["why"].startswith(f"others on this machine could read 1 file of {db}")
        assert db.stat().st_mode & 0o777 == 0o600
    with capture_logs() as log, serving(db):
        assert [one for one in log if one["event"] == "mended"] == []


def open_for_all(folder):
    for path in folder.glob("t.db*"):
        path.chmod(0o644)


def test_an_older_game_by_post_is_mended_by_the_next_command(tmp_path):
    game, other = tmp_path / "league", tmp_path / "other.txt"
    run(post, "new", game, "--players", "Ann,Bill,Charles")
    other.write_text("somebody else's")
    (game / "linked.txt").symlink_to(other)
    for path in (game, *game.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    done = run(post, "status", game)
    assert f"others on this machine could read 4 files of {game}" in done.stderr
    assert set(modes(game).values()) == {0o600, 0o644}, "the link's file is not the game's"
    assert other.stat().st_mode & 0o777 == 0o644
    assert "others" not in run(post, "status", game).stderr


def test_nobody_reads_a_file_between_its_making_and_its_first_byte(tmp_path):
    before = os.umask(0)
    try:
        with open_private(tmp_path / "new", "w") as file:
            assert os.fstat(file.fileno()).st_mode & 0o777 == 0o600
        (tmp_path / "old").write_text("x")
        with open_private(tmp_path / "old", "w") as file:
            assert os.fstat(file.fileno()).st_mode & 0o777 == 0o600
    finally:
        os.umask(before)
    assert make_private(tmp_path, tmp_path.glob("*")) == []


def test_a_file_of_somebody_else_is_told_and_left(tmp_path, monkeypatch):
    path = tmp_path / "t.db"
    sqlite3.connect(path).close()
    path.chmod(0o640)

    def refused(*_, **__):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "chmod", refused)
    assert make_private(path, [path]) == [
        f"others on this machine can read 1 file of {path}, and only whose it is can change that"
    ]
