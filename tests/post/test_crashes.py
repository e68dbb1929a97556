"""The machine may stop at any write: the game in the folder goes on."""

import fcntl
import shutil
import threading
from pathlib import Path

import pytest

from yegg import files
from yegg.engine import Refused
from yegg.post import deadlines, folder
from yegg.post.folder import Folder, alone, create


class Crash(BaseException):
    """The machine stops here."""


def crashing(monkeypatch, steps):
    """Let the machine stop at the given write, sync or rename; returns what counts them."""
    done = [0]

    def counted(real):
        def step(*args, **kwargs):
            done[0] += 1
            if done[0] == steps:
                raise Crash
            return real(*args, **kwargs)

        return step

    monkeypatch.setattr(files.os, "fsync", counted(files.os.fsync))
    monkeypatch.setattr(Path, "replace", counted(Path.replace))
    monkeypatch.setattr(Path, "unlink", counted(Path.unlink))
    monkeypatch.setattr(Path, "open", counted(Path.open))
    monkeypatch.setattr(Path, "mkdir", counted(Path.mkdir))
    return done


@pytest.fixture
def with_orders(names, plain):
    """A game in which all but one have sent orders."""

    def made(path):
        game = create(path, names, {}, deadlines.Deadline(rhythm="3d"))
        for seat in range(4):
            game.receive(seat, plain(1, seat), late=False)
        return game

    return made


def crash_everywhere(monkeypatch, folder, work, goal):
    """Stop ``work`` at each of its steps in turn; after each crash, ``goal`` must come out."""
    steps = 0
    while True:
        steps += 1
        assert steps < 200
        path = folder(steps)
        with monkeypatch.context() as patch:
            crashing(patch, steps)
            try:
                work(path)
                finished = True
            except Crash:
                finished = False
        goal(path)
        if finished:
            return steps


@pytest.mark.wide(but=["undo-5"])
@pytest.mark.parametrize(("work", "least"), [("adjudicate", 30), ("undo", 5)])
def test_a_turn_may_be_interrupted_at_any_write(
    work, least, tmp_path, monkeypatch, contents, with_orders
):
    now = deadlines.now()
    monkeypatch.setattr(deadlines, "now", lambda: now)

    def carry_out(game):
        game.adjudicate(anyway=True, following="")
        return game

    before, whole = tmp_path / "before", tmp_path / "whole"
    game = with_orders(before)
    if work == "undo":
        carry_out(game)

    def begun(steps):
        return shutil.copytree(before, tmp_path / str(steps))

    def act(path):
        carry_out(Folder(path)) if work == "adjudicate" else Folder(path).undo()

    act(begun(whole))
    wanted = contents(whole)

    def goal(path):
        after = Folder(path)
        after.mend()
        reported = [report.name for report in path.glob("turn-1/report.txt")]
        assert reported == ["report.txt"] * (after.turn == 2), "as far as the record goes"
        if after.turn == (1 if work == "adjudicate" else 2):  # nothing has happened
            act(path)
        assert contents(path) == wanted

    assert crash_everywhere(monkeypatch, begun, act, goal) > least


def test_orders_may_be_interrupted_at_any_write(tmp_path, monkeypatch, names, plain):
    def folder(steps):
        create(tmp_path / str(steps), names, {}, deadlines.Deadline())
        return tmp_path / str(steps)

    def goal(path):
        after = Folder(path)
        after.mend()
        kept = after.lines(1, 0)
        assert kept is None or len(kept) == 5
        assert not list(path.rglob(".*.part"))
        after.receive(0, plain(1, 0), late=False)
        assert len(after.lines(1, 0)) == 5

    def work(path):
        Folder(path).receive(0, plain(1, 0), late=False)

    assert crash_everywhere(monkeypatch, folder, work, goal) > 4


def test_new_may_be_interrupted_at_any_write(tmp_path, monkeypatch, names):
    def work(path):
        create(path, names, {}, deadlines.Deadline())

    def goal(path):
        if not path.exists():
            work(path)
        assert Folder(path).turn == 1
        assert (path / "turn-1/due.txt").exists()

    assert crash_everywhere(monkeypatch, lambda n: tmp_path / str(n), work, goal) > 8


def test_two_commands_at_once_wait_for_each_other(tmp_path, monkeypatch, with_orders):
    with_orders(tmp_path / "g")
    order = []

    def other():
        with alone(tmp_path / "g"):
            order.append("second")

    tried, lock = threading.Event(), fcntl.flock

    def locking(file, how):
        try:
            lock(file, how)
        except BlockingIOError:
            tried.set()
            raise

    monkeypatch.setattr(folder.fcntl, "flock", locking)
    with alone(tmp_path / "g"):
        thread = threading.Thread(target=other)
        thread.start()
        assert tried.wait(30), "it finds the folder locked"
        order.append("first")
    thread.join()
    assert order == ["first", "second"]
    monkeypatch.setattr(folder, "PATIENCE", 0.05)
    held, wanted = alone(tmp_path / "g"), alone(tmp_path / "g")
    with held, pytest.raises(Refused, match="another command"), wanted:
        pass
