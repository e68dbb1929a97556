"""The house and its model agree: on scripts that are kept, and on evenings at random."""

from pathlib import Path

import pytest

from house import history, runs
from house.evening import Evening
from yegg.table.service import table as tables

HERE = Path(__file__).parent
SCRIPTS = sorted((HERE / "scripts").glob("*.txt"))
HELP = (
    "_follow",
    "_new",
    "_set_again",
    "_comes",
    "_counted",
    "_back",
    "_again",
    "_begin",
    "_listen_again",
)
VERBS = {
    name[1:].replace("_", "-")
    for name in dir(Evening)
    if name.startswith("_") and not name.startswith("__") and name not in HELP
}


@pytest.fixture(scope="module")
def server():
    with runs.served() as server:
        yield server


@pytest.mark.parametrize("script", SCRIPTS, ids=[path.stem for path in SCRIPTS])
def test_house_and_model_agree_on_a_script(server, script):
    assert runs.replay(server, runs.read(script)) is None


def test_scripts_hold_every_verb():
    lines = [line for script in SCRIPTS for line in runs.read(script)]
    assert VERBS - {line.split(" ")[1] for line in lines} == set()


def test_the_same_script_gives_the_same_bytes(server, tmp_path):
    script = runs.read(HERE / "scripts/failing.txt")
    for folder in ("one", "other"):
        assert runs.replay(server, script, tmp_path / folder) is None
    for file in (history.HISTORY, history.LOG):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "other" / file).read_bytes()


def test_an_evening_at_random_agrees(server):
    assert runs.run(server, 2, 5)["done"] > 0


@pytest.mark.wide(minutes=3)
def test_many_evenings_agree_and_every_verb_is_heard(server):
    counts = runs.run(server, 60, 2)
    assert {verb for verb in VERBS if not counts[verb]} == set()


def test_a_fault_is_named_at_its_line(server, monkeypatch):
    monkeypatch.setattr(tables, "check_seen", lambda *_: None)
    why = runs.replay(
        server, ["Ann open second-story me,open", "Ben sit 1", "Ann choose-twice 1 quick"]
    )
    assert why.startswith("line 3, 'Ann choose-twice 1 quick': ")
