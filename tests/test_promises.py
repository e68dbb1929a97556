"""What is promised from version 1.0 on (docs/promises.md): files of that day, read today."""

import inspect
import json
import shutil
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import yegg
from yegg import games
from yegg.cli import cli
from yegg.engine import Refused
from yegg.players import judges
from yegg.players.policy_net.weights import FILE, VALUE_NET
from yegg.players.weights import write

PROMISED = Path(__file__).parent / "promised"
OPENAPI = json.loads((PROMISED / "openapi.json").read_text("utf-8"))
INTERFACE = json.loads((PROMISED / "interface.json").read_text("utf-8"))


@pytest.mark.parametrize("path", sorted(PROMISED.glob("*.game")), ids=lambda path: path.stem)
def test_a_record_is_read_and_scored_as_it_was(path):
    scores = path.read_text("utf-8").partition("\nscore: ")[2].partition("\n")[0]
    match = yegg.read(path)
    assert match.over
    assert [f"{score}" for score in match.scores] == scores.split(", ")


def test_an_experiment_file_means_what_it_meant(tmp_path):
    from yegg.lab.experiment.schema import read

    experiment = read(PROMISED / "experiment.toml")
    assert [variant.name for variant in experiment.variants] == ["ten", "nine"]
    assert [cell.level for cell in experiment.cells] == ["uniform"] * 2
    assert [claim.margin for claim in experiment.claims] == [2]


OLD = {"game": "second-story", "version": 1, "fingerprint": "16aa99c1ffcd0606fdc2", "units": 1}
"""What version 1.0 wrote beside the weights of a value net, in their file's line."""


def value_net(path):
    """A file as `yegg train` of version 1.0 made it, by any name."""
    write(path, OLD, flat=np.zeros(213, np.float32))
    return path


def refusal(path, game):
    """What such a file is answered by."""
    return (
        f"{path} holds a value net as yegg 1.0 made them; later versions play by policy nets "
        f"alone: make one by `yegg train {game}`"
    )


@pytest.mark.parametrize("option", ["--from", "--teacher"])
def test_a_value_net_of_1_0_that_is_named_is_refused_with_the_reason(option, tmp_path):
    old = value_net(tmp_path / "mine.npz")
    line = ["train", "second-story", "--decisions", "9", "--out", str(tmp_path / "new.npz")]
    done = CliRunner().invoke(cli, [*line, option, str(old)])
    assert isinstance(done.exception, Refused)
    assert str(done.exception) == refusal(old, "second-story")
    assert not (tmp_path / "new.npz").exists()


def test_train_takes_the_other_options_of_1_0():
    """Those that are gone are refused with the new one: tests/learn/test_train_command.py."""
    known = {name for one in cli.get_command(None, "train").params for name in one.opts}
    assert {"--players", "--units", "--seed", "--published", "--resume", "--out"} <= known


@pytest.mark.parametrize("name", [VALUE_NET, FILE])
def test_players_of_a_game_that_has_a_value_net_of_1_0_say_so(name, tmp_path, monkeypatch):
    package = f"house_{name.partition('.')[0]}"
    folder = shutil.copytree(
        games.find("second-story").folder,
        tmp_path / package,
        ignore=shutil.ignore_patterns(FILE),
    )
    monkeypatch.syspath_prepend(tmp_path)
    game, old = import_module(package).GAME, value_net(folder / name)
    said = f"medium plays without the policy net: {refusal(old, game.name)}"
    assert judges.fallbacks(game, ["medium", "greedy"]) == [said]
    assert judges.judge_of(game, "medium", 3, {}) == "lore"


@pytest.mark.parametrize("name", INTERFACE)
def test_what_is_public_stays(name):
    thing = getattr(yegg, name)
    if inspect.isclass(thing):
        assert set(INTERFACE[name]) <= set(dir(thing))
    elif callable(thing):
        now = inspect.signature(thing).parameters
        added = [now[word] for word in now if word not in INTERFACE[name]]
        assert set(INTERFACE[name]) <= now.keys()
        assert all(word.default is not word.empty for word in added), "old calls stay good"


# The HTTP interface --------------------------------------------------------------------------


def names_in(part):
    """The schemas that a part of a description refers to."""
    if isinstance(part, dict):
        yield from (ref.rpartition("/")[2] for key, ref in part.items() if key == "$ref")
        part = list(part.values())
    if isinstance(part, list):
        for inner in part:
            yield from names_in(inner)


def reached(description, part):
    """All schemas that a part comes to, one within the other."""
    schemas, found, new = description["components"]["schemas"], set(), set(names_in(part))
    while new := new - found:
        found |= new
        new = {name for at in new for name in names_in(schemas[at])}
    return found


def operations(description):
    """Every operation by its path and method."""
    return {
        (path, method): operation
        for path, methods in description["paths"].items()
        for method, operation in methods.items()
        if isinstance(operation, dict)
    }


def breaches(before, now):
    """What a program that was written for ``before`` may miss, or be refused for."""
    old, new = operations(before), operations(now)
    yield from (f"{method} {path} is gone" for path, method in old.keys() - new.keys())
    asked = reached(before, [call.get("requestBody") for call in old.values()])
    told = reached(before, [call["responses"] for call in old.values()])
    for call in old.keys() & new.keys():
        gone = {s for s in old[call]["responses"] if s.startswith("2")} - new[call][
            "responses"
        ].keys()
        yield from (f"{call[1]} {call[0]} no longer answers {status}" for status in gone)
    schemas = before["components"]["schemas"], now["components"]["schemas"]
    for name in sorted(asked | told):
        was, becomes = (each.get(name, {}) for each in schemas)
        if not becomes:
            yield f"{name} is gone"
            continue
        lost = was.get("properties", {}).keys() - becomes.get("properties", {}).keys()
        yield from (f"{name} has no {field} any more" for field in sorted(lost))
        needs = [set(each.get("required", ())) for each in (was, becomes)]
        if name in told and name not in asked:
            yield from (f"{name} may lack {field}" for field in sorted(needs[0] - needs[1]))
        if name in asked:
            yield from (f"{name} needs {field}" for field in sorted(needs[1] - needs[0]))


def test_the_api_still_does_what_it_did(tmp_path):
    from litestar.testing import TestClient

    from yegg.table.app import application
    from yegg.table.settings import Settings

    settings = Settings(db=f"sqlite:///{tmp_path}/t.db", warm=False, hosts=("yegg.local",))
    with TestClient(application(settings), "http://yegg.local") as client:
        now = client.get("/api/schema").json()
    assert not list(breaches(OPENAPI, now))


def test_a_breach_of_the_api_would_be_noticed():
    now = json.loads(json.dumps(OPENAPI))
    del now["paths"]["/api/about"]
    schemas = now["components"]["schemas"]
    schemas["Seated"]["properties"].pop("link")
    schemas["Joining"].setdefault("required", []).append("salt")
    found = set(breaches(OPENAPI, now))
    assert {"get /api/about is gone", "Seated has no link any more", "Joining needs salt"} <= found
