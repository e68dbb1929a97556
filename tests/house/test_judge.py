"""The judge of histories: a true one can be true, and each that is bent is named at its line."""

import copy

import pytest

from house import anomalies, history, judge, runs, twins

SCRIPTS = sorted((anomalies.HERE / "scripts").glob("*.txt"))


@pytest.fixture(scope="module")
def server():
    with runs.served() as server:
        yield server


@pytest.fixture(scope="module")
def true(server):
    return anomalies.heard(server, anomalies.BENT)


@pytest.fixture(scope="module")
def pair(server):
    return [anomalies.heard(server, script) for script in (anomalies.SECRET, anomalies.TWIN)]


@pytest.mark.parametrize("script", SCRIPTS, ids=[path.stem for path in SCRIPTS])
def test_the_history_of_a_script_can_be_true(server, script, tmp_path):
    history.save(tmp_path, *anomalies.heard(server, runs.read(script)))
    assert judge.judged(*history.load(tmp_path)) == []


def test_a_history_that_will_be_bent_can_be_true(true):
    assert judge.judged(*true) == []


def test_nobody_tells_twins_apart(pair):
    assert [*judge.judged(*pair[0]), *judge.judged(*pair[1]), *twins.told_apart(*pair)] == []


@pytest.mark.parametrize("bend", anomalies.BENDS, ids=lambda bend: bend.__name__)
def test_a_bent_history_is_named_at_its_line(true, bend):
    line, fits, found = anomalies.bent(bend, true)
    assert fits, f"line {line} is not named: {found[:3]}"


@pytest.mark.parametrize(
    ("bend", "what"), anomalies.TWINS, ids=lambda one: getattr(one, "__name__", "")
)
def test_twins_are_told_apart(pair, bend, what):
    bent = copy.deepcopy(pair)
    bend(*bent)
    assert [one.what for one in twins.told_apart(*bent)] == [what]


@pytest.mark.parametrize("fault", anomalies.BROKEN, ids=[fault[0] for fault in anomalies.BROKEN])
def test_a_house_that_is_not_as_it_should_be_is_named(server, fault):
    assert anomalies.broken(server, fault)
