"""``yegg train``: killed and gone on with, it ends with the same bytes."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import yegg

from .urns import made


@pytest.fixture
def env(tmp_path):
    """A place where the tiny game is installed."""
    made(tmp_path / "games")
    sys.path.remove(str(tmp_path / "games"))
    (tmp_path / "games/urns/__init__.py").write_text(
        "from yegg.engine import Game\n"
        "GAME = Game(__name__, 'Urns', 'Press and hope.', players=range(2, 3), usual=2)\n"
    )
    info = tmp_path / "games/urns-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: urns\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[yegg.games]\nurns = urns\n")
    source = Path(yegg.__file__).parent.parent
    return os.environ | {
        "PYTHONPATH": f"{tmp_path / 'games'}:{source}",
        "YEGG_CACHE": str(tmp_path / "cache"),
    }


def command(*words):
    return [sys.executable, "-m", "yegg.cli", "train", "urns", *words]


def run(env, *words):
    return subprocess.run(command(*words), env=env, capture_output=True, text=True, check=False)


@pytest.mark.wide
def test_killed_interrupted_and_whole_are_the_same(env, tmp_path):
    whole, cut = tmp_path / "whole.npz", tmp_path / "cut.npz"
    course = ("--games", "120000", "--units", "4", "--seed", "5")
    said = run(env, *course, "--out", str(whole), "--json")
    assert said.returncode == 0, said.stderr
    about = json.loads(said.stdout)
    assert about["games"] == 120_000
    assert about["seed"] == 5
    assert 0.4 < about["against_greedy"]["share"] < 0.6  # both buttons are the same

    part = cut.with_name("cut.npz.part")
    for deadly in (signal.SIGKILL, signal.SIGINT):
        first = deadly == signal.SIGKILL
        words = course if first else ("--resume",)
        with subprocess.Popen(
            command(*words, "--out", str(cut)), env=env, stderr=subprocess.PIPE, text=True
        ) as child:
            until = time.monotonic() + 120
            seen = part.stat().st_mtime_ns if part.exists() else 0
            while not part.exists() or part.stat().st_mtime_ns == seen:
                assert time.monotonic() < until
                assert child.poll() is None, child.stderr.read()
                time.sleep(0.02)
            child.send_signal(deadly)
            said = child.stderr.read()
            status = child.wait()
        assert status != 0
        assert part.exists()
        if not first:
            assert "--resume goes on" in said
    assert run(env, "--resume", "--out", str(cut)).returncode == 0
    assert cut.read_bytes() == whole.read_bytes()
    assert not part.exists()


def test_there_must_be_something_to_go_on_with(env, tmp_path):
    done = run(env, "--resume", "--out", str(tmp_path / "none.npz"))
    assert done.returncode == 2
    assert "nothing to go on with" in done.stderr
