"""What is promised from version 1.0 on (docs/promises.md): files of that day, read today."""

import inspect
import json
from pathlib import Path

import pytest

import yegg
from yegg.players.value_net import value_function

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


def test_learned_weights_can_be_read():
    about, arrays = value_function.read(PROMISED / "weights.npz")
    assert about
    assert all(array.dtype.kind == "f" for array in arrays.values())


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
