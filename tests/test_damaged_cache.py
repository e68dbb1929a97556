"""Compiled code on disk that is not as it was kept never counts, and whoever needs it goes on."""

import json
import os
import pickle
import random
import shutil
import signal
import subprocess
import sys
import time
from types import SimpleNamespace

import click
import numba
import numpy as np
import pytest
from programs import command

from yegg import cli, files, games
from yegg.cli.play.terminal import Left, Terminal
from yegg.engine import compiler, kept_files, kernels
from yegg.engine.kept_files import CODE, INDEX
from yegg.engine.numba_internals import Files

GAME = games.find("second-story")


def halved(file):
    os.truncate(file, file.stat().st_size // 2)


def emptied(file):
    os.truncate(file, 0)


def zeroed(file):
    file.write_bytes(bytes(file.stat().st_size))


def twelve_bytes_flipped(file):
    """In its second half, where the machine code is."""
    code, dice = bytearray(file.read_bytes()), random.Random(1)
    for _ in range(12):
        code[dice.randrange(len(code) // 2, len(code))] ^= 0xFF
    file.write_bytes(code)


def longer(file):
    file.write_bytes(file.read_bytes() + b".")


def a_folder(file):
    file.unlink()
    (file / "in it").mkdir(parents=True)


def a_fifo(file):
    file.unlink()
    os.mkfifo(file)


def a_circle_of_links(file):
    file.unlink()
    file.symlink_to(file.name)


def of_somebody_else(file):
    if os.geteuid():
        pytest.skip("only root can give files away")
    os.chown(file, 54_321, 54_321)


def another(file):
    """The whole file of the same function that was kept elsewhere, for other types."""
    shutil.copy(one(file.parent.with_name("elsewhere"), file.suffix), file)


DAMAGED = [
    halved,
    emptied,
    zeroed,
    twelve_bytes_flipped,
    longer,
    a_folder,
    a_fifo,
    a_circle_of_links,
    of_somebody_else,
    another,
]


def twice(n):
    return 2 * n


def doubled(folder):
    """A small function as it is compiled, and kept in a folder."""
    made = numba.njit(twice)
    compiler.toolchain().keep_in(made, folder, "twice")
    return made


def compiled(function):
    """How often it had to be compiled."""
    return sum(function.stats.cache_misses.values())


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Where the small function is kept, compiled for integers; and elsewhere, for other numbers."""
    there = tmp_path_factory.mktemp("whole")
    with pytest.MonkeyPatch.context() as now:
        now.setenv("YEGG_CACHE", str(there))
        assert doubled(there / "kept")(21) == 42
        assert doubled(there / "elsewhere")(1.5) == 3.0
    return there


@pytest.fixture
def folder(whole, tmp_path, monkeypatch):
    """A copy of it, which is found."""
    monkeypatch.setenv("YEGG_CACHE", str(tmp_path))
    shutil.copytree(whole, tmp_path, dirs_exist_ok=True)
    made = doubled(tmp_path / "kept")
    assert (made(21), compiled(made)) == (42, 0)
    return tmp_path / "kept"


def one(folder, end):
    (file,) = folder.glob(f"*{end}")
    return file


@pytest.mark.parametrize("end", [INDEX, CODE])
@pytest.mark.parametrize("damage", DAMAGED)
def test_what_is_damaged_is_removed_compiled_anew_and_told_in_a_line(folder, damage, end, caplog):
    damage(file := one(folder, end))
    made = doubled(folder)
    assert made(21) == 42
    assert compiled(made) == 1, "what was damaged has been taken for code"
    told = [line for line in caplog.messages if str(file) in line]
    assert len(told) == len(caplog.messages) == 1, "a line that names the file"
    caplog.clear()
    again = doubled(folder)
    assert (again(21), compiled(again), caplog.messages) == (42, 0, [])


def test_nothing_of_a_damaged_file_is_unpickled(folder, monkeypatch):
    unpickled = []
    spied = SimpleNamespace(loads=lambda data: (unpickled.append(data), pickle.loads(data))[1])  # noqa: S301
    twelve_bytes_flipped(one(folder, INDEX))
    monkeypatch.setattr("yegg.engine.numba_internals.pickle", spied)
    made = doubled(folder)
    assert (made(21), compiled(made), unpickled) == (42, 1, [])
    made = doubled(folder)
    assert (made(21), compiled(made), len(unpickled)) == (42, 0, 2), "the index and the code"


def test_whole_code_that_other_versions_wrote_is_made_anew(folder, caplog):
    """As of another NumPy: the checksum matches, and it cannot be unpickled here."""
    file = one(folder, INDEX)
    kept_files.keep(file, b"cno_such_module\nthing\n.")
    made = doubled(folder)
    assert (made(21), compiled(made)) == (42, 1)
    assert "no_such_module" in caplog.text


def cut(monkeypatch, step, made, number):
    """The power fails at a step of keeping a function; half a file lies there."""

    def fails(self, *_):
        file = made._cache._cache_file._at(f".{self._index_name}.1.part")
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(b"half")
        raise KeyboardInterrupt

    monkeypatch.setattr(Files, step, fails)
    with pytest.raises(KeyboardInterrupt):
        made(number)
    monkeypatch.undo()


@pytest.mark.parametrize("step", ["_save_index", "_save_data"])
def test_a_power_cut_while_it_is_kept_leaves_nothing_that_counts(
    tmp_path, monkeypatch, step, caplog
):
    """Before the index is written, and between it and the code."""
    cut(monkeypatch, step, doubled(tmp_path / "kept"), 21)
    made = doubled(tmp_path / "kept")
    assert (made(21), compiled(made)) == (42, 1)
    assert not caplog.messages


def test_an_index_never_names_code_that_was_kept_for_other_types(whole, tmp_path, monkeypatch):
    """Two processes that keep at the same moment, or one after a cut: a name is used once."""
    shutil.copytree(whole / "kept", tmp_path / "kept")
    one(tmp_path / "kept", INDEX).unlink()
    cut(monkeypatch, "_save_data", doubled(tmp_path / "kept"), 1.5)
    made = doubled(tmp_path / "kept")
    assert (made(1.5), compiled(made)) == (3.0, 1)


@pytest.mark.parametrize("end", [INDEX, CODE])
def test_a_kernel_whose_code_is_damaged_counts_as_cold(tmp_path, monkeypatch, end):
    """So a server lets another process compile it, and answers meanwhile."""
    monkeypatch.setenv("YEGG_CACHE", str(tmp_path))
    made = GAME.engine().compiler
    kernel = made.kernel(kernels.specials_of)
    kernel(GAME.blank(2, {}), np.zeros(GAME.choices, np.int32))
    assert not made.cold(kernels.specials_of)
    zeroed(next(made.folder(kernels.specials_of).glob(f"*.specials_of__*{end}")))
    assert made.cold(kernels.specials_of)


@pytest.mark.parametrize("place", ["cache", "cache/kept", "cache/kept/x"])
def test_where_nothing_can_be_kept_that_is_told_once_and_all_goes_on(
    tmp_path, monkeypatch, place, caplog
):
    """A file stands where a folder should: the cache itself is nobody's to remove."""
    kept_files._tell_not_kept.cache_clear()
    monkeypatch.setenv("YEGG_CACHE", str(tmp_path / "cache"))
    (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / place).write_text("mine")
    for number in (1, 1.5):
        assert doubled(tmp_path / "cache" / "kept")(number) == 2 * number
    told = [line for line in caplog.messages if "YEGG_CACHE" in line]
    if place == "cache":
        assert len(told) == 1
        assert (tmp_path / place).read_text() == "mine"
    else:
        assert not told
        assert compiled(doubled(tmp_path / "cache" / "kept")) == 0


# Whoever compiles is waited for, but not for ever

HOLDS = """
import sys
from pathlib import Path
from yegg.files import in_turn
with in_turn(Path(sys.argv[1]), "rules"), in_turn(Path(sys.argv[1]), "lore"):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def stopped(tmp_path):
    """A process that is stopped, not ended, while it compiles two functions in a folder."""
    words = [sys.executable, "-c", HOLDS, str(tmp_path)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"held\n"
        os.kill(process.pid, signal.SIGSTOP)
        yield process
        process.kill()


@pytest.fixture
def impatient(monkeypatch):
    """Whoever waits says so soon, and goes on soon."""
    monkeypatch.setattr(files, "SOON", 0.05)
    monkeypatch.setattr(files, "LONG", 0.3)
    monkeypatch.setattr(files, "_stuck", set())


@pytest.mark.usefixtures("impatient")
def test_who_waits_for_a_stopped_process_says_so_and_then_goes_on(tmp_path, stopped, caplog):
    with files.in_turn(tmp_path, "rules"):
        waits, goes_on = caplog.messages
    assert f"waiting for process {stopped.pid}" in waits
    assert "rules" in waits
    assert f"process {stopped.pid} is not waited for any longer" in goes_on
    begun = time.monotonic()
    with files.in_turn(tmp_path, "lore"):
        assert time.monotonic() - begun < 0.3, "the same process is not waited for again"


@pytest.mark.usefixtures("impatient")
def test_who_waits_for_the_process_they_are_in_is_told_of_another_thread(tmp_path, caplog):
    with files.in_turn(tmp_path, "rules"), files.in_turn(tmp_path, "rules"):
        waits, goes_on = caplog.messages
    assert waits.startswith("waiting for another thread, which is at work on rules;")
    assert goes_on == "another thread is not waited for any longer"


def test_a_lock_is_free_again_when_its_process_has_ended(tmp_path, stopped, caplog):
    stopped.kill()
    stopped.wait()
    with files.in_turn(tmp_path, "rules"):
        assert not caplog.messages


# An end of a file is no Ctrl-C


def test_a_file_that_ends_too_early_is_no_ctrl_c(monkeypatch):
    @click.command
    def broken():
        raise EOFError("Ran out of input")

    monkeypatch.setattr(cli, "cli", broken)
    monkeypatch.setattr(sys, "argv", ["yegg"])
    with pytest.raises(EOFError, match="Ran out"):
        cli.main()


def test_at_the_keyboard_the_end_of_the_input_leaves_and_that_of_a_file_does_not():
    def ends(*_, **__):
        raise EOFError

    terminal = Terminal(SimpleNamespace(input=ends, print=lambda *_: None))
    with pytest.raises(Left):
        terminal.line("> ")
    assert not terminal.unless_left(lambda: terminal.line("> "))
    with pytest.raises(EOFError):
        terminal.unless_left(ends)


# As users meet it


@pytest.mark.wide
@pytest.mark.parametrize("end", [INDEX, CODE])
def test_a_simulation_over_a_damaged_cache_plays_the_same_games(tmp_path, end):
    def simulated():
        words = ["sim", "second-story", "-n", "20", "--seed", "1", "--json"]
        return command(*words, env={"YEGG_CACHE": str(tmp_path)})

    first = simulated()
    for number, file in enumerate(sorted(tmp_path.rglob(f"*{end}"))):
        DAMAGED[number % 4](file)
    second, third = simulated(), simulated()
    assert [done.returncode for done in (first, second, third)] == [0, 0, 0]
    assert "is made anew" in second.stderr
    assert (first.stderr, third.stderr) == ("", "")
    one, other, again = (played(done.stdout) for done in (first, second, third))
    assert one == other == again


def played(text):
    """What was played, without how long that took."""
    return {key: value for key, value in json.loads(text).items() if "second" not in key}
