"""``yegg train``: killed and gone on with, it ends with the same bytes."""

import json
import os
import signal
import subprocess
import sys
from functools import partial

import pytest
from click.testing import CliRunner
from programs import SOURCE, command
from waiting import until

from yegg.cli import cli
from yegg.players.policy_net.weights import load

from .courses import GAME

SMALL = "--option", "chips=3", "-p", "2", "--units", "8"
train = partial(command, "train", "second-story")


def asked(*words):
    """What a command line says that is refused."""
    done = CliRunner().invoke(cli, ["train", *words], standalone_mode=False)
    return str(done.exception.format_message())


def written(path):
    """When a file was written last; 0 if it is not there."""
    return path.stat().st_mtime_ns if path.exists() else 0


@pytest.mark.wide
def test_it_says_how_well_the_net_plays_and_writes_where_players_look(tmp_path):
    out = tmp_path / "net.npz"
    done = train(*SMALL, "--decisions", "60000", "--out", out, "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["covers"] == [[2, {"chips": "3"}]]
    assert told["curve"][-1]["decisions"] >= 60_000
    assert told["out"] == str(out)
    assert load(GAME, out)[0]["curve"] == told["curve"]
    assert "against" in out.with_suffix(".svg").read_text(encoding="utf-8")
    assert not out.with_name("net.npz.part").exists()


@pytest.mark.wide(minutes=1)
def test_killed_interrupted_and_whole_are_the_same(tmp_path):
    whole, cut = tmp_path / "whole.npz", tmp_path / "cut.npz"
    course = *SMALL, "--decisions", "800000", "--seed", "5"
    said = train(*course, "--out", whole)
    assert said.returncode == 0, said.stderr
    assert "against uniform" in said.stderr
    part = cut.with_name("cut.npz.part")
    for deadly in (signal.SIGKILL, signal.SIGINT):
        first = deadly == signal.SIGKILL
        words = course if first else ("--resume",)
        line = [sys.executable, "-m", "yegg.cli", "train", "second-story", *words, "--out", cut]
        env = os.environ | {"PYTHONPATH": str(SOURCE)}
        with subprocess.Popen(line, env=env, stderr=-1, text=True) as child:
            seen = written(part)
            until(lambda seen=seen, child=child: written(part) != seen or child.poll() is not None)
            assert child.poll() is None, child.stderr.read()
            child.send_signal(deadly)
            said = child.stderr.read()
            status = child.wait()
        assert status != 0
        assert part.exists()
        if not first:
            assert f"yegg train second-story --resume --out {cut} goes on" in said
    done = train("--resume", "--out", cut)
    assert done.returncode == 0, done.stderr
    assert cut.read_bytes() == whole.read_bytes()
    assert not part.exists()


def test_there_must_be_something_to_go_on_with(tmp_path):
    out = str(tmp_path / "none.npz")
    assert "nothing to go on with" in asked("second-story", "--resume", "--out", out)


@pytest.mark.parametrize(
    ("name", "value", "now"),
    [
        ("--games", "100", "--minutes or --decisions"),
        ("--guests", "0.3", "leave it out"),
        ("--batch", "8", "leave it out"),
        ("--workers", "2", "all cores"),
        ("--on", "cluster", "--device cuda"),
    ],
)
def test_an_option_of_version_1_0_is_refused_with_what_there_is_now(name, value, now):
    said = asked("magnate", name, value)
    assert said.startswith(f"{name} went")
    assert now in said


def test_what_does_not_go_together_is_refused(tmp_path):
    assert "give one of them" in asked("magnate", "--minutes", "1", "--decisions", "5")
    assert "are for one game" in asked("all", "--out", str(tmp_path / "net.npz"))
