"""A file is judged before it is changed; nobody waits for a pipe, and no device is read."""

import os
import shutil
import stat

import pytest

from yegg.files import write_atomic
from yegg.players.weights import write as write_net
from yegg.post.deadlines import Deadline
from yegg.post.folder import create
from yegg.table.app import prepare

ORDERS = "post orders league Ann"
READING = [
    ORDERS,
    "replay",
    "verify",
    "advise",
    "review",
    "lab run",
    "lab tune",
    "lab show",
    "lab check",
    "play --resume",
    "house restore",
    "house check",
    "house adopt",
    "sim thiefs-market -n 1 --cards",
    "serve --check --config",
    "sit http://127.0.0.1:1/t/x --bot greedy --token",
]
WRITING = [
    "house dump",
    "house backup",
    "train second-story --decisions 8 --out",
    "arena second-story --bots greedy,uniform -n 1 --results",
    "sim magnate --vary districts=4,5 -n 2 --report",
    "play magnate --record",
]


@pytest.fixture(scope="module")
def laid(tmp_path_factory):
    """A game by post and a house."""
    path = tmp_path_factory.mktemp("laid")
    prepare(f"sqlite:///{path}/house.db")
    create(path / "league", ["Ann", "Bill", "Charles"], {}, Deadline())
    return path


@pytest.fixture
def folder(laid, tmp_path, monkeypatch):
    """A folder to be in, with these two in it."""
    shutil.copytree(laid, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("YEGG_DB", "house.db")
    return tmp_path


def asked(run, command, path):
    """What a command says of a file: wrong use, in one line."""
    status, out, said = run(command, path)
    assert status in (1, 2), (command, out, said)
    assert said.startswith("yegg: "), said
    return said


@pytest.mark.parametrize("command", READING + WRITING)
def test_nobody_waits_for_a_pipe(command, run, folder):
    os.mkfifo(folder / "pipe")
    assert "pipe" in asked(run, command, "pipe")
    assert stat.S_ISFIFO((folder / "pipe").stat().st_mode), "it was replaced"


@pytest.mark.parametrize("command", [ORDERS, "replay", "house check"])
def test_a_device_is_no_file(command, run, folder):
    assert "/dev/zero: is neither a file nor a folder" in asked(run, command, "/dev/zero")


def test_what_the_shell_hands_over_may_be_a_pipe(run, folder):
    ends = os.pipe()
    os.write(ends[1], b"Dear Ann,")
    os.close(ends[1])
    assert "/dev/fd/" in asked(run, "replay", f"/dev/fd/{ends[0]}")
    os.close(ends[0])


@pytest.mark.parametrize("command", READING + WRITING)
def test_a_folder_is_no_file(command, run, folder):
    (folder / "there").mkdir()
    asked(run, command, "there")
    assert not list((folder / "there").iterdir()), "something was put into it"


@pytest.mark.parametrize("command", READING + WRITING)
def test_a_text_stays_as_it_is(command, run, folder):
    """Also where its end looks like an event that was only half written."""
    said = b"game: of thrones\n\nMilk, eggs and a crow"
    (folder / "notes.txt").write_bytes(said)
    (folder / "notes.txt").chmod(0o644)
    before = sorted(folder.iterdir())
    asked(run, command, "notes.txt")
    assert (folder / "notes.txt").read_bytes() == said, "it was changed before it was looked at"
    assert stat.S_IMODE((folder / "notes.txt").stat().st_mode) == 0o644
    assert sorted(folder.iterdir()) == before, "something was made beside it"


def test_what_lies_beside_a_page_stays_as_it_is(run, folder):
    """The experiment of FILE.html is written into FILE.toml."""
    (folder / "project.toml").write_text("[project]\n")
    said = asked(run, "sim magnate --vary districts=4,5 -n 2 --report", "project.html")
    assert "project.toml is there already" in said
    assert (folder / "project.toml").read_text() == "[project]\n"


def test_weights_may_be_replaced_by_weights(run, folder):
    (folder / "net.npz.part").write_text("Milk")
    assert "net.npz.part" in asked(run, "train second-story --decisions 8 --out", "net.npz")
    assert (folder / "net.npz.part").read_text() == "Milk"


def test_a_pipe_is_not_replaced_by_a_file(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="is neither a file nor a folder"):
        write_atomic(tmp_path / "pipe", b"")
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


@pytest.mark.parametrize("command", ["check", "adopt"])
@pytest.mark.parametrize("line", [b'{"key": "\xff"}', b"\xff\xfe", b"\0", b"[" * 9999, b"{}"])
def test_what_is_no_dump_is_refused_by_its_line(command, line, run, folder):
    (folder / "dump.jsonl").write_bytes(line + b"\n")
    assert "line 1 was not written by yegg house dump" in asked(
        run, f"house {command}", "dump.jsonl"
    )


@pytest.mark.parametrize("name", ["secrets.game", "turn-*/due.txt", ".lock"])
@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir], ids=["pipe", "folder"])
def test_a_game_by_post_with_something_else_for_a_file(name, make, run, folder):
    (path,) = [*(folder / "league").glob(name)] or [folder / "league" / name]
    path.unlink(missing_ok=True)
    make(path)
    assert "league" in asked(run, "post status", "league")


def test_a_net_is_known_by_what_it_holds(run, folder, monkeypatch):
    write_net(folder / "old.npz", {"of": "another game"})
    monkeypatch.setattr("yegg.cli.training.compiling", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):  # it began to learn
        run("train second-story --decisions 8 --out", "old.npz")
