"""Plans: what would be played is told at once, and how long it takes after a moment."""

import json
import math
import re

import pytest
from click.testing import CliRunner

from yegg.cli import cli
from yegg.lab.experiment import power
from yegg.lab.experiment.power import LOOK, looked_at, stretches
from yegg.lab.experiment.schema import read

from .files import written

FILE = """
game = "second-story"
bots = ["uniform", "greedy"]
[vary]
rules = [{ name = "ten" }, { name = "nine", chips = "9" }]
[sample]
deals = 3000
"""
LOOKED = """
[trace]
deals = 40
pilots = 30
[clauses]
deals = 200
"""


def seconds(experiment):
    return [one.seconds for one in looked_at(experiment)]


@pytest.fixture
def clock(monkeypatch):
    """Games take as long as is said: by deal, and what more the first ones take."""
    spent = [0.0]

    def slow(each, more=lambda deal: 0.0):
        def played(experiment, cell, deals):
            spent[0] += sum(each + more(deal) for deal in deals)

        monkeypatch.setattr(power, "played", played)
        monkeypatch.setattr(power, "told_apart", lambda experiment, looked: [])
        monkeypatch.setattr(power, "prepare", lambda experiment: None)
        monkeypatch.setattr(power.time, "thread_time", lambda: spent[0])
        return spent

    return slow


def test_the_time_of_all_games_follows_from_that_of_a_few(tmp_path, clock):
    spent = clock(0.001)
    experiment = read(written(tmp_path, FILE))
    looked = looked_at(experiment)
    seconds = [one.seconds for one in looked]
    assert seconds == pytest.approx([3.0] * 4)
    assert spent[0] <= LOOK
    assert power.to_dict(experiment, looked)["minutes"] == pytest.approx(12 / 60 / power.cores())
    assert power.as_time(experiment, seconds).endswith(
        "; of one core 6 seconds for uniform and 6 seconds for greedy."
    )


def test_slow_players_are_measured_by_one_deal(tmp_path, clock):
    spent = clock(20.0)
    assert seconds(read(written(tmp_path, FILE))) == pytest.approx([60_000.0] * 4)
    assert spent[0] == 80


def test_what_is_asked_of_the_first_deals_alone_counts_for_these(tmp_path, clock):
    clock(0.001, lambda deal: 0.5 * (deal < 40) + 0.1 * (deal < 200))
    experiment = read(written(tmp_path, FILE + LOOKED))
    cell = experiment.cells[0]
    assert stretches(experiment, cell) == [range(40), range(40, 200), range(200, 3000)]
    calibrated = 30 * 0.601  # deals like the first
    expected = 3000 * 0.001 + 40 * 0.5 + 200 * 0.1 + calibrated
    assert seconds(experiment) == pytest.approx([expected] * 4)
    assert not experiment.spec("trace").heats._made, "the chances of a plan are not those of a run"


def test_games_that_calibrate_are_those_of_a_third_as_many_deals_in_three_seatings(tmp_path, clock):
    clock(0.001)
    text = FILE.replace('["uniform", "greedy"]', '[["greedy", "uniform", "uniform"]]') + LOOKED
    expected = (3000 + 30 / 3) * 0.001
    assert seconds(read(written(tmp_path, text))) == pytest.approx([expected] * 2)


def test_the_plan_is_printed_before_anything_is_measured(tmp_path, monkeypatch):
    printed = []

    def measured(experiment):
        printed.append("measured")
        raise KeyboardInterrupt

    monkeypatch.setattr(power, "looked_at", measured)
    said = CliRunner().invoke(cli, ["lab", "plan", str(written(tmp_path, FILE))])
    assert printed == ["measured"]
    assert "ten" in said.output
    assert re.search(r"3\s000", said.output)
    assert "About" not in said.output


ASKED = """
[measure]
length = "length-in-minutes"
tied = { of = "winners > 1", title = "games whose win is shared" }
[[claim]]
length = "nine < ten"
margin = 0.5
"""


def test_a_plan_says_what_it_can_tell_apart_of_every_measure_that_is_asked_for(tmp_path):
    text = FILE.replace('["uniform", "greedy"]', '["uniform"]').replace("3000", "400")
    path = written(tmp_path, text + ASKED)
    experiment = read(path)
    length, tied = power.told_apart(experiment, looked_at(experiment))
    assert (length.measure, tied.measure) == ("length", "tied")
    assert length.margin == 0.5
    assert tied.margin is None
    assert 0.1 < length.smallest < 5  # minutes
    assert 0.001 < tied.smallest < 0.1
    said = CliRunner().invoke(cli, ["lab", "plan", str(path)], env={"COLUMNS": "80"}).output
    assert "Asked for: length in minutes and games whose win is shared." in said
    assert re.search(r"Length in minutes +random play +\d+\.\d+ +0\.5", said)
    assert re.search(r"Games whose win is shared +random play +\d+(\.\d+)? points?", said)
    assert "winners" not in said
    data = json.loads(CliRunner().invoke(cli, ["lab", "plan", str(path), "--json"]).output)
    assert [one["measure"] for one in data["visible"]] == ["length", "tied"]


@pytest.mark.wide
def test_a_plan_says_seconds_where_it_is_seconds(tmp_path):
    path = written(tmp_path, FILE.replace("3000", "60"))
    said = CliRunner().invoke(cli, ["lab", "plan", str(path)]).output
    assert "About a second here on" in said
    assert "0.0" not in said.partition("About")[2]
    data = json.loads(CliRunner().invoke(cli, ["lab", "plan", str(path), "--json"]).output)
    assert all(0 < cell["seconds"] < math.inf for cell in data["cells"])
