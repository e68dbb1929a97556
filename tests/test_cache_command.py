"""`yegg cache`: what compiled code is kept, how much, and away with it."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from yegg import games
from yegg.cli import cli
from yegg.engine import compiler, kernels

DICE = np.zeros(1, np.uint64), np.zeros(500, np.int32)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A cache with one kernel, and with a file of somebody's own."""
    monkeypatch.setenv("YEGG_CACHE", str(tmp_path))
    monkeypatch.setattr(compiler, "_twins", {})
    game = games.find("second-story")
    made = compiler.Compiler(*game.engine().compiler.parts).kernel(kernels.settle)
    compiler.toolchain().direct(made, game.blank(2, {}), *DICE)
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    return tmp_path


def run(*words):
    done = CliRunner().invoke(cli, ["cache", *words])
    assert done.exit_code == 0, done.output
    return done.output


def kept(folder):
    return {path for path in folder.rglob("*") if path.suffix in {".nbi", ".nbc"}}


def test_what_is_kept_is_listed_with_its_sizes(folder):
    listed = json.loads(run("--json"))
    assert listed["bytes"] == sum(path.stat().st_size for path in kept(folder))
    assert listed["modules"]["kernels"]["functions"] == 1
    assert sum(module["bytes"] for module in listed["modules"].values()) == listed["bytes"]
    said = run()
    assert "kernels" in said
    assert str(folder) in said.replace("\n", "")


def test_what_is_damaged_is_counted_and_removed(folder):
    (damaged,) = folder.rglob("kernels.settle*.nbi")
    damaged.write_bytes(damaged.read_bytes()[:-1])
    assert "1 more were of an earlier version, or damaged: removed" in run().replace("\n", " ")
    assert not damaged.exists()


def test_clearing_removes_compiled_code_and_nothing_else(folder):
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert f"Removed {len(files) - 1:,} files" in run("--clear").replace("\n", " ")
    assert [path.name for path in folder.rglob("*")] == ["mine.txt"]
    assert "0 functions" in run()
