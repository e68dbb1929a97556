"""Plans: what would be played is told at once, and how long it takes after a moment."""

import json
import math

import pytest
from click.testing import CliRunner

from yegg.cli import cli
from yegg.lab.experiment import power
from yegg.lab.experiment.power import LOOK, stretches, timed
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


@pytest.fixture
def clock(monkeypatch):
    """Games take as long as is said: by deal, and what more the first ones take."""
    spent = [0.0]

    def slow(each, more=lambda deal: 0.0):
        def played(experiment, cell, deals):
            spent[0] += sum(each + more(deal) for deal in deals)

        monkeypatch.setattr(power, "played", played)
        monkeypatch.setattr(power, "prepare", lambda experiment: None)
        monkeypatch.setattr(power.time, "thread_time", lambda: spent[0])
        return spent

    return slow


def test_the_time_of_all_games_follows_from_that_of_a_few(tmp_path, clock):
    spent = clock(0.001)
    experiment = read(written(tmp_path, FILE))
    seconds = timed(experiment)
    assert seconds == pytest.approx([3.0] * 4)
    assert spent[0] <= LOOK
    assert power.as_data(experiment, seconds)["minutes"] == pytest.approx(12 / 60 / power.cores())
    assert power.as_time(experiment, seconds).endswith(
        "; of one core 6 seconds for uniform and 6 seconds for greedy."
    )


def test_slow_players_are_measured_by_one_deal(tmp_path, clock):
    spent = clock(20.0)
    assert timed(read(written(tmp_path, FILE))) == pytest.approx([60_000.0] * 4)
    assert spent[0] == 80


def test_what_is_asked_of_the_first_deals_alone_counts_for_these(tmp_path, clock):
    clock(0.001, lambda deal: 0.5 * (deal < 40) + 0.1 * (deal < 200))
    experiment = read(written(tmp_path, FILE + LOOKED))
    cell = experiment.cells[0]
    assert stretches(experiment, cell) == [range(40), range(40, 200), range(200, 3000)]
    calibrated = 30 * 0.601  # deals like the first
    expected = 3000 * 0.001 + 40 * 0.5 + 200 * 0.1 + calibrated
    assert timed(experiment) == pytest.approx([expected] * 4)
    assert not experiment.spec("trace").heats._made, "the chances of a plan are not those of a run"


def test_games_that_calibrate_are_those_of_a_third_as_many_deals_in_three_seatings(tmp_path, clock):
    clock(0.001)
    text = FILE.replace('["uniform", "greedy"]', '[["greedy", "uniform", "uniform"]]') + LOOKED
    expected = (3000 + 30 / 3) * 0.001
    assert timed(read(written(tmp_path, text))) == pytest.approx([expected] * 2)


def test_the_plan_is_printed_before_anything_is_measured(tmp_path, monkeypatch):
    printed = []

    def measured(experiment):
        printed.append(power.Text("measured"))
        raise KeyboardInterrupt

    monkeypatch.setattr(power, "timed", measured)
    said = CliRunner().invoke(cli, ["lab", "plan", str(written(tmp_path, FILE))])
    assert printed
    assert "ten" in said.output
    assert "3000" in said.output
    assert "About" not in said.output


@pytest.mark.wide
def test_a_plan_says_seconds_where_it_is_seconds(tmp_path):
    path = written(tmp_path, FILE.replace("3000", "60"))
    said = CliRunner().invoke(cli, ["lab", "plan", str(path)]).output
    assert "About a second here on" in said
    assert "0.0" not in said.partition("About")[2]
    data = json.loads(CliRunner().invoke(cli, ["lab", "plan", str(path), "--json"]).output)
    assert all(0 < cell["seconds"] < math.inf for cell in data["cells"])
