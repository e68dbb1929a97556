"""By what players judge; who cannot use the file of a game's net says so, and plays on."""

import io
import itertools
import json
import shutil
import tracemalloc
import zipfile
from importlib import import_module

import numpy as np
import pytest
from click.testing import CliRunner

import yegg
from yegg import games
from yegg.cli import cli
from yegg.engine import Match
from yegg.players import Bot, judges
from yegg.players.policy_net import policy_function, weights
from yegg.players.policy_net.policy_function import Learned, learned

SS = games.find("second-story")
NUMBERS = itertools.count()
UNITS = 3
CHANGED = "the rules have changed"
SAID = f"medium plays without the policy net: {CHANGED}"


@pytest.fixture
def copied(tmp_path, monkeypatch):
    """A copy of Second Story under another name, which has learned nothing."""
    name = f"burglary{next(NUMBERS)}"  # what is found of a package is kept under its name
    unlearned = shutil.ignore_patterns(weights.FILE)
    shutil.copytree(SS.folder, tmp_path / name, ignore=unlearned)
    monkeypatch.syspath_prepend(tmp_path)
    return import_module(name).GAME


def net_of(game, covers):
    """The file of a net of random weights, as bytes."""
    rng, path = np.random.default_rng(1), game.folder / "made.npz"
    shapes = weights.shapes(game, UNITS)
    net = weights.PolicyWeights(**{name: rng.normal(size=shape) for name, shape in shapes.items()})
    weights.save(path, weights.identity(game, UNITS) | {"covers": covers}, net)
    return path.read_bytes()


def choices_of(game, name, events=40):
    """What a bot at every seat chooses along a game of plain rules."""
    match = Match(game, 3, seed=8, how="plain")
    bots = [Bot(name, i, how="plain") for i in range(3)]
    while len(match.history) < events:
        match.play(bots[match.actor].choose(match.view()))
    return match.history


# --- by what they judge --------------------------------------------------------------------------

NAMES = ["easy", "medium", "hard", "expert", "greedy", "search:9", "uniform", "exact"]


def test_levels_judge_by_the_net_where_it_covers_the_setting_else_by_lore(copied):
    (copied.folder / weights.FILE).write_bytes(net_of(copied, [[3, {}]]))
    said = judges.judges(copied, NAMES, 3, {})
    assert list(said.values()) == ["policy"] * 4 + ["lore"] * 2 + [None] * 2
    said = judges.judges(copied, NAMES, 2, {})
    assert list(said.values()) == ["lore"] * 6 + [None] * 2
    assert judges.judges(copied, {"bold": "medium"}, 3, {}) == {"bold": "policy"}
    assert judges.fallbacks(copied, NAMES) == []


def test_a_game_that_has_learned_nothing_is_played_by_lore(copied):
    assert judges.judges(copied, ["medium"], 3, {}) == {"medium": "lore"}
    assert judges.fallbacks(copied, ["medium"]) == [], "it has no net to miss"
    assert choices_of(copied, "medium") == choices_of(copied, "greedy")


# --- who cannot use the file says so -------------------------------------------------------------


@pytest.fixture
def fallen_back(monkeypatch):
    """The net of Second Story cannot be used."""
    monkeypatch.setattr(policy_function, "learned", lambda game: Learned(lacking=CHANGED))


@pytest.mark.usefixtures("fallen_back")
def test_simulations_and_arenas_say_it_once():
    for command in (["sim"], ["arena", "-p", "2"]):
        line = [*command, "second-story", "-n", "6", "--bots", "medium,uniform"]
        said = " ".join(CliRunner().invoke(cli, line).stdout.split())
        assert said.count(SAID) == 1, said
        told = json.loads(CliRunner().invoke(cli, [*line, "--json"]).stdout)
        told = told.get("pairs", [told])[0]
        assert told["judges"] == {"medium": "lore", "uniform": None}
        assert told["fallbacks"] == [SAID]
    assert str(yegg.arena("second-story", ["medium", "uniform"], games=6)).count(SAID) == 1
    both = judges.fallbacks(SS, ["medium", "uniform", "hard", "medium"])
    assert both == [f"medium and hard play without the policy net: {CHANGED}"]


@pytest.mark.usefixtures("fallen_back")
def test_an_experiment_and_its_report_say_it(tmp_path):
    (tmp_path / "one.toml").write_text(
        'question = "Who?"\ngame = "second-story"\nplayers = 2\n'
        'bots = ["medium"]\nsample = { deals = 4 }\n'
    )
    line = ["lab", "run", str(tmp_path / "one.toml"), "--out", str(tmp_path / "out")]
    done = CliRunner().invoke(cli, line)
    assert done.exit_code == 0, done.output
    assert SAID in " ".join(done.stdout.replace("\n", " ").split())
    shown = CliRunner().invoke(cli, ["lab", "show", str(tmp_path / "out"), "--json"])
    told = json.loads(shown.stdout)
    assert (told["judges"], told["fallbacks"]) == ({"medium": "lore"}, [SAID])
    for page in ("report.html", "report.md"):
        assert SAID in (tmp_path / "out" / page).read_text()


# --- files that are none -------------------------------------------------------------------------


def packed(**files):
    """A zip of these members."""
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED) as made:
        for name, raw in files.items():
            made.writestr(f"{name}.npy", raw)
    return memory.getvalue()


def array(values, kind=np.float32):
    file = io.BytesIO()
    np.save(file, np.asarray(values, kind))
    return file.getvalue()


def claiming(shape):
    """An array whose head claims to be larger than it is."""
    file = io.BytesIO()
    head = {"descr": "<f4", "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(file, head)
    return file.getvalue() + bytes(8)


FEW = array([1.5, 2.5])
LINE = array(np.frombuffer(b"{}", np.uint8), np.uint8)
FILES = {
    "text": (b"no weights", "no file of learned weights"),
    "nothing": (b"", "no file of learned weights"),
    "half a file": (packed(about=LINE, b1=FEW)[:150], "no file of learned weights"),
    "no line": (packed(b1=FEW), "it has no 'about'"),
    "a line of something else": (packed(about=array([1, 2]), b1=FEW), "no file of learned"),
    "nested too deeply": (
        packed(about=array(np.full(200_000, ord("[")), np.uint8), b1=FEW),
        "no file of learned weights",
    ),
    "a line that says nothing": (packed(about=LINE, b1=FEW), "holds no policy net"),
    "a head that claims more": (packed(about=LINE, b1=claiming((10**12,))), "not as many as"),
    "a head below zero": (packed(about=LINE, b1=claiming((-2,))), "not as many as"),
    "objects": (packed(about=LINE, b1=array([None, 1], object)), "holds no numbers"),
    "very many arrays": (packed(**{f"a{i}": FEW for i in range(99)}), "more than 16 arrays"),
    "a zip that unpacks to much": (
        packed(about=LINE, b1=bytes(300 << 20)),
        "b1.npy has more than 67,108,864 bytes",
    ),
}


@pytest.mark.parametrize("case", FILES)
def test_a_file_that_holds_no_net_is_told_and_costs_little(case, copied):
    raw, why = FILES[case]
    (copied.folder / weights.FILE).write_bytes(raw)
    tracemalloc.start()
    try:
        found = learned(copied)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert found.parts == ()
    assert why in found.lacking
    (said,) = judges.fallbacks(copied, ["medium"])
    assert said.startswith("medium plays without the policy net: ")
    assert most < 150 << 20
    assert choices_of(copied, "medium", 30), "it plays"
