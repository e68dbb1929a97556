"""By what players judge: weights belong to what they read, and who cannot use them says so."""

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
from yegg.players.value_net import value_function
from yegg.players.weights import read, write

SS = games.find("second-story")
NUMBERS = itertools.count()
WEIGHTS = SS.folder / value_function.WEIGHTS
CHANGED = "the rules or senses of Second Story have changed since its value net learned"
SAID = f"medium judges by lore: {CHANGED}"


@pytest.fixture
def copied(tmp_path, monkeypatch):
    """A copy of Second Story under another name, byte for byte."""

    def copy():
        name = f"burglary{next(NUMBERS)}"  # what is found of a package is kept under its name
        shutil.copytree(SS.folder, tmp_path / name)
        monkeypatch.syspath_prepend(tmp_path)
        return import_module(name).GAME

    return copy


def chosen(game, events=60):
    """What medium chooses along a game of plain rules."""
    match, bots = (
        Match(game, 3, seed=8, how="plain"),
        [Bot("medium", i, how="plain") for i in range(3)],
    )
    while len(match.history) < events:
        match.play(bots[match.actor].choose(match.view()))
    return match.history


def test_a_copy_of_a_game_plays_with_the_net(copied):
    game = copied()
    assert game.name.startswith("burglary")
    assert value_function.lacking(game) == ""
    assert judges.judge_of(game, "medium", 3, {}) == "net"
    assert chosen(game) == chosen(SS)
    assert value_function.fingerprint(game) == value_function.fingerprint(SS)


def test_weights_of_1_0_are_good_for_their_game_and_for_its_copy(copied):
    about, arrays = read(WEIGHTS)
    game = copied()
    write(
        game.folder / value_function.WEIGHTS,
        about | {"fingerprint": "16aa99c1ffcd0606fdc2"},
        **arrays,
    )
    there, _ = read(game.folder / value_function.WEIGHTS)
    assert value_function.why_not(game, there) is None
    assert value_function.why_not(SS, there) is None
    assert judges.judge_of(game, "medium", 3, {}) == "net"


def test_weights_are_not_good_for_other_choices_or_features(copied, monkeypatch):
    game = copied()
    before = value_function.fingerprint(game)
    monkeypatch.setattr(game.rules, "CHOICES", game.choices + 1)
    assert value_function.fingerprint.__wrapped__(game) != before
    monkeypatch.undo()
    legal = game.rules.legal
    monkeypatch.setattr(game.rules, "legal", lambda s, out: max(1, legal(s, out) - 1))
    assert value_function.fingerprint.__wrapped__(game) != before
    assert "have changed since its value net learned" in value_function.why_not(
        game, {"fingerprint": ""}
    )


# --- who cannot use them says so -----------------------------------------------------------------


def test_every_players_judge_is_named():
    said = judges.judges(
        SS, ["easy", "medium", "hard", "expert", "greedy", "search:9", "uniform", "exact"], 3, {}
    )
    assert list(said.values()) == ["net"] * 4 + ["lore"] * 2 + [None] * 2
    assert judges.judges(games.find("secrets"), ["medium"], 4, {}) == {"medium": "lore"}
    assert judges.judges(SS, {"bold": "medium"}, 3, {}) == {"bold": "net"}
    assert judges.fallbacks(SS, ["medium"]) == []
    assert judges.fallbacks(games.find("secrets"), ["medium"]) == [], "it has no weights to miss"


@pytest.fixture
def fallen_back(monkeypatch):
    """The weights of Second Story cannot be used."""
    monkeypatch.setattr(judges, "lacking", lambda game: CHANGED)
    monkeypatch.setattr(judges, "judge", lambda game: ())


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
    assert both == [f"medium and hard judge by lore: {CHANGED}"]


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


ABOUT, ARRAYS = read(WEIGHTS)


def told(**changed):
    """The line about weights, changed."""
    return array(np.frombuffer(json.dumps(ABOUT | changed).encode(), np.uint8), np.uint8)


def claiming(shape):
    """An array whose head claims to be larger than it is."""
    file = io.BytesIO()
    head = {"descr": "<f4", "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(file, head)
    return file.getvalue() + bytes(8)


FLAT = array(ARRAYS["flat"])
LACK = ARRAYS["flat"].copy()
LACK[7] = np.nan
FILES = {
    "text": (b"no weights", "no file of learned weights"),
    "nothing": (b"", "no file of learned weights"),
    "half a file": (WEIGHTS.read_bytes()[:9000], "no file of learned weights"),
    "no line": (packed(flat=FLAT), "it has no 'about'"),
    "a line of something else": (packed(about=array([1, 2]), flat=FLAT), "no file of learned"),
    "nested too deeply": (
        packed(about=array(np.full(200_000, ord("[")), np.uint8), flat=FLAT),
        "no file of learned weights",
    ),
    "other keys": (packed(about=told(), weights=FLAT), "does not hold a net"),
    "too few weights": (packed(about=told(), flat=array(ARRAYS["flat"][:-1])), "14273 weights"),
    "weights in rows": (packed(about=told(), flat=array(ARRAYS["flat"][None])), "14273 weights"),
    "weights of doubles": (packed(about=told(), flat=array(LACK, np.float64)), "14273 weights"),
    "weights that are none": (packed(about=told(), flat=array(LACK)), "14273 weights"),
    "units in words": (packed(about=told(units="many"), flat=FLAT), "does not hold a net"),
    "units without end": (packed(about=told(units=10**9), flat=FLAT), "does not hold a net"),
    "a head that claims more": (packed(about=told(), flat=claiming((10**12,))), "not as many as"),
    "a head below zero": (packed(about=told(), flat=claiming((-2,))), "not as many as"),
    "objects": (packed(about=told(), flat=array([None, 1], object)), "holds no numbers"),
    "very many arrays": (packed(**{f"a{i}": FLAT[:200] for i in range(99)}), "more than 16 arrays"),
    "a zip that unpacks to much": (
        packed(about=told(), flat=bytes(300 << 20)),
        "flat.npy has more than 67,108,864 bytes",
    ),
}


@pytest.mark.parametrize("case", FILES)
def test_a_file_that_holds_no_net_is_told_and_costs_little(case, copied):
    game = copied()
    raw, why = FILES[case]
    (game.folder / value_function.WEIGHTS).write_bytes(raw)
    tracemalloc.start()
    try:
        assert value_function.judge(game) == ()
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert why in value_function.lacking(game)
    assert judges.fallbacks(game, ["medium"])[0].startswith("medium judges by lore: ")
    assert most < 150 << 20
    assert chosen(game, 30), "it plays"
