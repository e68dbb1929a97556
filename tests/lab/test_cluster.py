"""Experiments on a Ray cluster of two local nodes: the same bytes, whoever dies."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from waiting import until

import yegg
from yegg.cli import cli
from yegg.cluster import LACKING, opened
from yegg.engine import Refused

from .files import parts, written

FILE = """
question = "Do nine chips of each suit make a shorter game?"
game = "second-story"
seed = 5
bots = ["uniform", "greedy"]

[vary]
rules = [{ name = "ten" }, { name = "nine", chips = "9" }]

[sample]
deals = 600
greedy = 300

[measure]
events = "events"
"""
MORTAL = '''
"""Players that end the worker in which they play."""
import os
import random
import signal
import sys
from pathlib import Path

HERE = Path(__file__).parent
WORKER = "default_worker" in sys.argv[0]


class Mortal:
    """Plays at random; ends its worker once, in the middle of a game."""

    died = HERE / "died"

    def begin(self, seed):
        self.dice, self.asked = random.Random(seed), 0

    def choose(self, view):
        self.asked += 1
        if WORKER and self.asked == 5 and not self.died.exists():
            self.died.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return self.dice.choice(view.choices)


class Doomed(Mortal):
    """Ends every worker, until it is cured."""

    def choose(self, view):
        if WORKER and not (HERE / "cured").exists():
            os.kill(os.getpid(), signal.SIGKILL)
        return self.dice.choice(view.choices)
'''


def test_without_ray_it_is_said_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    words = ["lab", "run", str(written(tmp_path, FILE)), "--out", str(tmp_path / "run")]
    result = CliRunner().invoke(cli, [*words, "--on", "cluster"])
    assert isinstance(result.exception, Refused)
    assert str(result.exception) == LACKING


@pytest.mark.parametrize(("address", "told"), [("ray://head:10001", True), ("head:6379", False)])
def test_who_comes_from_outside_and_is_not_let_in_is_told_of_the_token(monkeypatch, address, told):
    def init(**_):
        raise ConnectionError("ray client connection timeout")

    ray = SimpleNamespace(is_initialized=lambda: False, init=init)
    monkeypatch.setitem(sys.modules, "ray", ray)
    monkeypatch.setenv("RAY_ADDRESS", address)
    with pytest.raises(Refused, match=f"answers at {address}.*timeout") as refusal, opened():
        pass
    assert str(refusal.value).endswith("set RAY_AUTH_MODE=token") == told


@pytest.fixture(scope="module")
def address():
    pytest.importorskip("ray", reason="clusters need yegg[cluster]")
    command = [sys.executable, str(Path(__file__).with_name("two_nodes.py"))]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(), text=True
    ) as nodes:
        try:
            yield nodes.stdout.readline().strip()
        finally:
            nodes.stdin.close()
            nodes.wait()


def environment(**more):
    source = str(Path(yegg.__file__).parent.parent)
    path = os.pathsep.join(filter(None, [more.pop("folder", ""), source]))
    quiet = {"RAY_USAGE_STATS_ENABLED": "0"}
    mine = {key: value for key, value in os.environ.items() if key != "RAY_ADDRESS"}
    return mine | {"PYTHONPATH": path} | quiet | more


def lab(*words, code=0, **more):
    command = [sys.executable, "-m", "yegg.cli", *map(str, words)]
    said = subprocess.run(
        command, env=environment(**more), capture_output=True, text=True, check=False
    )
    assert said.returncode == code, said.stderr
    return said


def run(file, out, *words, **more):
    return lab("lab", "run", file, "--out", out, "--no-report", "--json", *words, **more)


def journal(folder):
    return [json.loads(line) for line in (folder / "journal.jsonl").read_text().splitlines()]


@pytest.mark.wide
def test_two_nodes_give_the_bytes_of_one_thread(tmp_path, address):
    file = written(tmp_path, FILE)
    one = run(file, tmp_path / "one", "--threads", 1)
    two = run(file, tmp_path / "two", "--on", "cluster", RAY_ADDRESS=address)
    assert len(parts(tmp_path / "one")) == 2 * (3 + 2)
    assert parts(tmp_path / "two") == parts(tmp_path / "one")
    manifests = [(tmp_path / name / "manifest.json").read_bytes() for name in ("one", "two")]
    assert manifests[0] == manifests[1]
    assert json.loads(manifests[0])["machines"][0]["processor"]
    assert two.stdout == one.stdout
    assert all(line["on"] for line in journal(tmp_path / "two"))


@pytest.mark.wide
@pytest.mark.parametrize("how", ["-n 3000", "-n 41 --bots greedy,easy,uniform --max-events 400"])
def test_a_simulation_on_two_nodes_tells_the_figures_of_one_thread(address, how):
    words = ["sim", "second-story", *how.split(), "--json"]
    one, two = (
        json.loads(lab(*words, *more, RAY_ADDRESS=address).stdout)
        for more in (["--threads", 1], ["--on", "cluster"])
    )
    for told in (one, two):
        del told["seconds"], told["events_per_second"]
    assert two == one


@pytest.mark.wide
def test_a_simulation_goes_on_when_a_worker_is_killed(tmp_path, address):
    (tmp_path / "mortal.py").write_text(MORTAL)
    words = ["sim", "second-story", "--bots", "mortal:Mortal", "-n", 40, "-p", 2, "--json"]
    one = lab(*words, "--threads", 1, folder=str(tmp_path)).stdout
    two = lab(*words, "--on", "cluster", RAY_ADDRESS=address, folder=str(tmp_path)).stdout
    assert (tmp_path / "died").exists()
    assert json.loads(two)["sections"] == json.loads(one)["sections"]


@pytest.mark.wide
def test_a_cluster_without_a_card_says_so(address):
    words = ["sim", "second-story", "--on", "cluster", "--device", "cuda"]
    said = lab(*words, code=2, RAY_ADDRESS=address).stderr
    assert "no node of the cluster has a graphics card that Ray knows of" in said


@pytest.mark.parametrize("more", [["--records", "kept"], ["--cards", "deck.csv"]], ids=str)
def test_what_stays_on_this_machine_is_refused_on_a_cluster(tmp_path, monkeypatch, more):
    monkeypatch.chdir(tmp_path)
    Path("deck.csv").touch()
    result = CliRunner().invoke(cli, ["sim", "thiefs-market", *more, "--on", "cluster"])
    assert result.exit_code == 2
    assert "--on cluster takes neither --records nor --cards" in " ".join(result.output.split())


def mortal(tmp_path, bots, deals):
    (tmp_path / "mortal.py").write_text(MORTAL)
    text = FILE.replace('["uniform", "greedy"]', json.dumps(bots)).replace("greedy = 300", "")
    return written(tmp_path, text.replace("deals = 600", f"deals = {deals}"))


@pytest.mark.wide
def test_a_worker_that_is_killed_is_replaced_and_nothing_lacks(tmp_path, address):
    file = mortal(tmp_path, ["mortal:Mortal"], 40)
    run(file, tmp_path / "one", "--threads", 1, folder=str(tmp_path))
    run(file, tmp_path / "two", "--on", "cluster", RAY_ADDRESS=address, folder=str(tmp_path))
    assert (tmp_path / "died").exists()
    lost = [line for line in journal(tmp_path / "two") if "why" in line]
    assert lost
    assert not any(line["last"] for line in lost)
    assert len(parts(tmp_path / "one")) == 2 * 4
    assert parts(tmp_path / "two") == parts(tmp_path / "one")


@pytest.mark.wide
def test_a_block_that_fails_thrice_is_named_and_can_be_played_later(tmp_path, address):
    file = mortal(tmp_path, ["uniform", "mortal:Doomed"], 10)
    cluster = {"RAY_ADDRESS": address, "folder": str(tmp_path)}
    said = run(file, tmp_path / "two", "--on", "cluster", code=2, **cluster).stderr
    assert "2 blocks could not be played in 3 tries" in said
    assert "journal.jsonl" in said
    last = [line for line in journal(tmp_path / "two") if line.get("last")]
    assert [(line["seed"], line["first"], line["deals"]) for line in last] == [(5, 0, 10)] * 2
    assert all(line["times"] == 3 for line in last)
    assert len(parts(tmp_path / "two")) == 2  # at random
    (tmp_path / "cured").touch()
    run(file, tmp_path / "two", "--on", "cluster", **cluster)
    run(file, tmp_path / "one", "--threads", 1, folder=str(tmp_path))
    assert parts(tmp_path / "two") == parts(tmp_path / "one")


def marked(mark):
    """Processes with a mark in their environment, but zombies."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (folder / "environ").read_bytes():
                yield (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            continue


@pytest.mark.wide
@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs Linux's /proc")
def test_a_cluster_of_this_machine_alone_leaves_nothing_behind(tmp_path):
    pytest.importorskip("ray", reason="clusters need yegg[cluster]")
    mark = f"yegg-{os.getpid()}-{time.monotonic_ns()}"
    file = written(tmp_path, FILE)
    run(file, tmp_path / "run", "--on", "cluster", "--threads", 1, MARK=mark)
    assert len(parts(tmp_path / "run")) == 2 * (3 + 2)
    until(lambda: not list(marked(mark)))
