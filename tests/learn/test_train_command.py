"""``yegg train``: killed and gone on with, it ends with the same bytes."""

import json
import os
import signal
import subprocess
import sys
from functools import partial

import pytest
from programs import SOURCE, command, installed, lay
from waiting import until

from .urns import URNS

OWN = """
from yegg.engine import Game
GAME = Game(__name__, 'Urns', 'Press and hope.', players=range(2, 3), usual=2)
"""


@pytest.fixture
def env(tmp_path):
    """The environment of a place where the tiny game is installed."""
    lay(tmp_path / "games" / "urns", URNS | {"__init__.py": OWN})
    lay(tmp_path / "games", installed("urns", "[yegg.games]\nurns = urns\n"))
    path = os.pathsep.join([str(tmp_path / "games"), str(SOURCE)])
    return {"PYTHONPATH": path, "YEGG_CACHE": str(tmp_path / "cache")}


train = partial(command, "train", "urns")


def written(path):
    """When a file was written last; 0 if it is not there."""
    return path.stat().st_mtime_ns if path.exists() else 0


@pytest.mark.wide(minutes=2)
def test_killed_interrupted_and_whole_are_the_same(env, tmp_path):
    whole, cut = tmp_path / "whole.npz", tmp_path / "cut.npz"
    course = ("--games", "120000", "--units", "4", "--seed", "5")
    said = train(*course, "--out", whole, "--json", env=env)
    assert said.returncode == 0, said.stderr
    about = json.loads(said.stdout)
    assert about["games"] == 120_000
    assert about["seed"] == 5
    assert 0.4 < about["against_greedy"]["share"] < 0.6  # both buttons are the same

    part = cut.with_name("cut.npz.part")
    for deadly in (signal.SIGKILL, signal.SIGINT):
        first = deadly == signal.SIGKILL
        words = course if first else ("--resume",)
        line = [sys.executable, "-m", "yegg.cli", "train", "urns", *words, "--out", cut]
        with subprocess.Popen(line, env=os.environ | env, stderr=-1, text=True) as child:
            seen = written(part)
            until(lambda seen=seen, child=child: written(part) != seen or child.poll() is not None)
            assert child.poll() is None, child.stderr.read()
            child.send_signal(deadly)
            said = child.stderr.read()
            status = child.wait()
        assert status != 0
        assert part.exists()
        if not first:
            assert "--resume goes on" in said
    assert train("--resume", "--out", cut, env=env).returncode == 0
    assert cut.read_bytes() == whole.read_bytes()
    assert not part.exists()


def test_there_must_be_something_to_go_on_with(env, tmp_path):
    done = train("--resume", "--out", tmp_path / "none.npz", env=env)
    assert done.returncode == 2
    assert "nothing to go on with" in done.stderr
