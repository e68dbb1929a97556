"""Whatever a program reads is JSON: figures that are not known are null, never NaN or Infinity."""

import json
import math
import re
from collections import Counter
from enum import StrEnum
from pathlib import Path

import click
import msgspec
import numpy as np
import pytest
from click.testing import CliRunner

import yegg
from yegg.cli import cli
from yegg.engine import Match, notation
from yegg.lab import bench
from yegg.lab.questions.answers import as_lines
from yegg.table.app import prepare
from yegg.table.storage.sqlite_file import address
from yegg.text.json_writer import as_json

SOURCES = Path(yegg.__file__).parent
FILE = """game = "second-story"
players = 3
bots = ["uniform"]
"""
EXPERIMENT = '[sample]\ndeals = 1\n[measure]\nnone = "by_draw / by_draw"\nwon = "share_1"\n'
ASKS = "[trace]\ndeals = 1\npilots = 1\n[choices]\ndeals = 1\ntries = 2\n[clauses]\ndeals = 1\n"
CLAIM = '[[claim]]\nnone = "published > 1"\n[[fork]]\nname = "jobs"\nwhere = ["quick"]\n'
TUNING = "[tune]\nchips = [6, 7]\n[target]\nminutes = 5\n[sample]\ngames = 4\nfinal = 2\n"
SHORT = (
    "secrets",
    "-p",
    "3",
    "--option",
    "secrets=3",
    "--option",
    "spies=1",
    "--option",
    "turns=1",
)
HOUSE = ("--db", "house.db")  # made by the fixture
# With so little played, much is not known.
COMMANDS = {
    "sim": ["sim", "magnate", "-n", "1"],
    "arena": ["arena", "second-story", "--bots", "greedy,uniform", "-n", "1", "-p", "2"],
    "arena until clear": ["arena", "magnate", "--bots", "easy,uniform", "-n", "1", "--until-clear"],
    "sim, nothing ends": ["sim", "thiefs-market", "-n", "2", "--max-events", "5"],
    "sim --vary": ["sim", "second-story", "--vary", "chips=6,7", "-n", "1"],
    "calibrate": ["calibrate", "second-story", "-n", "1"],
    "benchmark": ["benchmark", "uniform", "--quick"],
    "counter": ["counter", *SHORT, "--bots", "easy", "-n", "3"],
    "advise": ["advise", "game", "--seconds", "0.01"],
    "review": ["review", "game", "--seconds", "0.01"],
    "verify": ["verify", "game"],
    "bench": ["bench", "second-story"],
    "cache": ["cache"],
    "house tables": ["house", "tables", *HOUSE],
    "house people": ["house", "people", *HOUSE],
    "house stats": ["house", "stats", *HOUSE],
    "house blocked": ["house", "blocked", *HOUSE],
    "export": ["export", "second-story", "-n", "1", "--bots", "uniform", "--out", "dataset"],
    "lab columns": ["lab", "columns", "secrets"],
    "lab measures": ["lab", "measures", "magnate"],
    "lab plan": ["lab", "plan", "experiment"],
    "lab run": ["lab", "run", "experiment", "--out", "folder"],
    "lab show": ["lab", "show", "folder"],
    "lab tune": ["lab", "tune", "tuning", "--out", "search"],
    "lab preflight": ["lab", "preflight", "second-story", "--games", "50", "--out", "preflight"],
    "lab counter": [
        *("lab", "counter", "second-story", "--bots", "uniform", "-n", "20", "--deals", "2"),
        *("--out", "counter"),
    ],
    "train": [
        *("train", "second-story", "-p", "2", "--units", "4", "--decisions", "8"),
        *("--out", "net.npz"),
    ],
}
MAY_FAIL = {"verify"}  # with status 1: no dice were promised


class Way(StrEnum):
    """A text of its own kind."""

    UP = "up"


def strictly(text):
    """The data of a text that is JSON and nothing else."""

    def no(word):
        pytest.fail(f"{word} is not JSON, in {text[:200]!r} …")

    return json.loads(text, parse_constant=no)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("json")
    (folder / "experiment").write_text(FILE + EXPERIMENT + ASKS + CLAIM, encoding="utf-8")
    (folder / "tuning").write_text(FILE + TUNING, encoding="utf-8")
    prepare(address(folder / "house.db"))
    match = Match("second-story", players=2, seed=1).to_decision()
    (folder / "game").write_text(notation.write(match), encoding="utf-8")
    return folder


@pytest.mark.wide(but=["sim", "arena", "calibrate", "lab run", "lab show", "bench"])
@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
def test_what_a_command_prints_with_json_is_json(words, folder, monkeypatch):
    monkeypatch.chdir(folder)
    measured = dict.fromkeys(["players", "events_per_second"], math.nan)
    monkeypatch.setattr(bench, "measure", lambda _: measured | {"two_threads": math.inf})
    if words[:2] == ["lab", "show"]:
        CliRunner().invoke(cli, [*COMMANDS["lab run"]])
    done = CliRunner().invoke(cli, [*words, "--json"])
    assert done.exit_code == (words[0] in MAY_FAIL), done.output + repr(done.exception)
    strictly(done.stdout)
    for path in folder.rglob("*.json"):
        strictly(path.read_text())
    for path in folder.rglob("*.jsonl"):
        for line in path.read_text().splitlines():
            strictly(line)


def test_every_command_with_json_is_tried():
    def under(one, words):
        if isinstance(one, click.Group):
            context = click.Context(one)
            for name in one.list_commands(context):
                yield from under(one.get_command(context, name), [*words, name])
        elif any(param.name == "as_json" for param in one.params):
            yield " ".join(words)

    with_a_server = {"open"}  # it is tried in `table/test_open_command.py`
    assert {*under(cli, [])} - with_a_server <= {*COMMANDS}


def test_a_simulation_of_one_game_does_not_know_how_games_differ():
    data = yegg.simulate("magnate", games=1).data
    strictly(as_json(data))
    assert json.loads(json.dumps(data, allow_nan=False)) == json.loads(as_json(data))
    means = [row[1] for section in data["sections"] for row in section["rows"]]
    assert {"value": 2.0, "interval": [None, None]} in means or any(
        mean["interval"] == [None, None] for mean in means if isinstance(mean, dict)
    )


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf, np.float32("nan"), np.inf])
def test_what_is_not_finite_is_null_wherever_it_stands(number):
    data = {"a": number, "b": [1, (number, {"c": number})], "d": Counter({"e": number})}
    assert strictly(as_json(data)) == {"a": None, "b": [1, [None, {"c": None}]], "d": {"e": None}}
    assert strictly(as_lines({"a": [{"b": number}], "c": number}).decode()) == {
        "a": [{"b": None}],
        "c": None,
    }
    assert strictly(msgspec.json.encode([float(number)])) == [None], "so does what the table uses"


def test_all_else_is_written_as_python_does():
    data = {"b": [1, 2.5, None, True, "é"], "a": Way.UP, "c": {}, "d": ()}
    assert as_json(data) == json.dumps(data)
    assert as_json(data, indent=1, ascii=False, sort=True) == json.dumps(
        data, indent=1, ensure_ascii=False, sort_keys=True
    )
    assert as_json({"n": np.int64(3), "m": np.arange(2), "y": np.bool_(True)}) == (
        '{"n": 3, "m": [0, 1], "y": true}'
    )
    with pytest.raises(TypeError):
        as_json(object())


def test_there_is_one_writer():
    """Beside it the table has msgspec's, which writes null, too; tested above."""
    writes = re.compile(r"json\.dumps?\(|\bJSONEncoder\b|\bfrom json import")
    every = [path for path in SOURCES.rglob("*.py") if "table" not in path.parts]
    found = {
        path.relative_to(SOURCES).as_posix() for path in every if writes.search(path.read_text())
    }
    assert found == {"text/json_writer.py"}
