"""Seats in simulations, arenas and experiments: one question about all, and the first by level."""

import json
import math

import numpy as np
import pytest
from click.testing import CliRunner

from yegg.cli import cli
from yegg.lab.analyses.seat_trends import Trend, findings_of, seats, trends
from yegg.lab.cells import Cell, Variant
from yegg.lab.experiment.deal_table import Count
from yegg.stats.deal_sums import Sums

from .files import written, yegg

FILE = """
game = "second-story"
seed = 4
bots = ["uniform", "easy", ["easy", "uniform", "uniform"]]

[sample]
deals = 300
uniform = 500

[measure]
share_1 = "share_1"
tied = "winners > 1"
events = "events"

[[claim]]
events = "published != 360"
margin = 5
"""


def run(folder, text, name="run"):
    file = written(folder, text, f"{name}.toml")
    more = "--threads", 1, "--no-report", "--json"
    return json.loads(yegg("lab", "run", file, "--out", folder / name, *more))


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    folder = tmp_path_factory.mktemp("seats")
    return folder, run(folder, FILE)


class Played:
    """Levels whose first seat won so often, deal by deal."""

    def __init__(self, *levels, until="", unfinished=0.0):
        cells = [
            Cell(Variant("published", 3, ()), (f"level {at}",) * 3) for at in range(len(levels))
        ]
        self.deals = {cell: len(values) for cell, values in zip(cells, levels, strict=True)}
        values = np.full((max(map(len, levels)), len(levels)), math.nan)
        for at, level in enumerate(levels):
            values[: len(level), at] = level
        self.sums = Sums(len(levels))
        self.sums.add(values)
        self.unfinished, self.until = unfinished, until

    @property
    def experiment(self):
        sample = type("Sample", (), {"until": self.until})()
        return type("Asked", (), {"samples": {cell.level: sample for cell in self.deals}})()

    def count(self, cell):
        games = 10 * self.deals[cell]
        return Count(self.deals[cell], games, round(games * (1 - self.unfinished)))

    def first_seat(self, cells):
        return self.sums.means([list(self.deals).index(cell) for cell in cells])


def won(share, many, seed):
    return (np.random.default_rng(seed).random(many) < share).astype(float)


def test_between_two_levels_the_trend_is_their_difference_deal_by_deal():
    first, last = won(0.4, 500, 1), won(0.3, 500, 2)
    last[:200] = first[:200]  # what they have in common makes the difference surer
    (trend,) = trends(Played(first, last))
    apart = last - first
    assert trend.a_level.value == pytest.approx(apart.mean())
    half = 1.959963984540054 * apart.std(ddof=1) / math.sqrt(500)
    assert trend.a_level.high - trend.a_level.low == pytest.approx(2 * half, rel=0.01)


def test_a_trend_is_a_line_through_all_levels_whose_samples_may_differ():
    levels = won(0.40, 4000, 1), won(0.36, 4000, 2), won(0.30, 400, 3)
    (trend,) = trends(Played(*levels))
    means = [level.mean() for level in levels]
    assert trend.a_level.value == pytest.approx(np.polyfit([0, 1, 2], means, 1)[0])
    assert [share.value for share in trend.shares] == pytest.approx(means)
    assert trend.answer == "clear"
    assert "shrinks from level to level" in str(findings_of([], [trend], asked=False)[0])


@pytest.mark.wide
def test_the_truth_lies_in_the_interval_of_a_trend_as_often_as_it_says():
    held = wrong = 0
    for seed in range(600):
        levels = [
            won(p, n, 3 * seed + at)
            for at, (p, n) in enumerate([(0.4, 900), (0.37, 900), (0.34, 200)])
        ]
        (trend,) = trends(Played(*levels))
        held += trend.a_level.low <= -0.03 <= trend.a_level.high
        (same,) = trends(Played(won(0.4, 300, 7 * seed), won(0.4, 300, 7 * seed + 1)))
        wrong += same.answer == "clear"
    assert 0.93 <= held / 600 <= 0.97
    assert wrong / 600 <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 600)


def test_levels_that_are_alike_are_told_as_the_same():
    (trend,) = trends(Played(won(0.4, 20_000, 1), won(0.4, 20_000, 2)))
    assert trend.answer == "equal"
    assert "the same at all levels, within 3 points" in str(findings_of([], [trend], asked=True)[0])


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"until": "clear"}, "levels that may end early"),
        ({"unfinished": 0.02}, "2.0 % of a level's games did not end"),
    ],
)
def test_nothing_is_told_of_a_trend_that_cannot_be_trusted(more, why):
    (trend,) = trends(Played(won(0.9, 500, 1), won(0.1, 500, 2), **more))
    assert trend.answer == "no claim"
    assert why in trend.why


def test_few_deals_have_no_trend():
    (trend,) = trends(Played(won(0.9, 500, 1), won(0.1, 29, 2)))
    assert "fewer than 30 deals" in trend.why


@pytest.mark.wide
def test_an_experiment_tells_of_all_seats_of_each_cell_and_of_levels(found):
    _, data = found
    assert [one["level"] for one in data["seats"]] == ["uniform", "easy", "easy uniform uniform"]
    for one in data["seats"]:
        assert sum(share["value"] for share in one["shares"]) == pytest.approx(1, abs=1e-6)
        assert one["p_corrected"] >= one["p"]
    first = {
        figure["level"]: figure["value"]
        for figure in data["figures"]
        if figure["measure"] == "share_1"
    }
    for one in data["seats"]:
        assert one["shares"][0]["value"] == pytest.approx(first[one["level"]], abs=1e-6)
    (trend,) = data["trends"]
    assert trend["levels"] == ["uniform", "easy"], "a line-up of several bots is no level"
    assert trend["a_level"]["value"] == pytest.approx(first["easy"] - first["uniform"], abs=1e-6)


@pytest.mark.wide
def test_the_report_has_a_table_of_seats_and_the_terminal_says_it(found):
    folder, _ = found
    said = " ".join(yegg("lab", "show", folder / "run").split())
    assert "Do all seats win alike?" in said
    assert "The first seat from level to level" in said
    yegg("lab", "report", folder / "run")
    sheet = json.loads((folder / "run" / "report.json").read_text())
    assert [one["title"] for one in sheet["by_seat"]] == [
        "Do all seats win alike?",
        "The first seat from level to level",
    ]
    html = (folder / "run" / "report.html").read_text().replace("\N{NO-BREAK SPACE}", " ")
    for row in sheet["by_seat"][0]["rows"]:
        assert all(f">{cell['text']}</td>" in html for cell in row if isinstance(cell, dict))
    assert "## Do all seats win alike?" in (folder / "run" / "report.md").read_text()


@pytest.mark.wide
def test_who_did_not_ask_about_seats_hears_only_what_is_clear(tmp_path):
    text = FILE.replace('share_1 = "share_1"\n', "")
    run(tmp_path, text)
    said = " ".join(yegg("lab", "show", tmp_path / "run").split())
    assert "Whether all seats" not in said
    assert "Do all seats win alike?" in said, "the table stands there for whoever looks"


@pytest.mark.wide
def test_a_level_that_may_end_early_is_looked_at_as_such(tmp_path):
    text = FILE.replace("uniform = 500", 'uniform = { at-most = 500, until = "equal" }')
    data = run(tmp_path, text)
    looked = {one["level"]: one["looked"] for one in data["seats"]}
    assert looked == {"uniform": True, "easy": False, "easy uniform uniform": False}
    assert data["trends"][0]["answer"] == "no claim"


def test_seats_that_not_everybody_has_as_often_are_not_compared():
    five = Cell(Variant("published", 5, ()), ("a", "b", "c", "d", "e"))
    assert len(five.seatings) == 24, "of 120 seatings"
    from yegg.lab.experiment.deal_table import compared

    assert not compared(five)
    assert compared(Cell(Variant("published", 3, ()), ("a", "b", "b")))
    assert not compared(Cell(Variant("alone", 1, ()), ("a",)))


@pytest.mark.wide
def test_of_very_many_games_sums_say_the_same(tmp_path):
    """Figures, differences, claims, seats and trends, but for the last digits."""
    two = FILE.replace(
        "[measure]",
        '[vary]\nrules = [{ name = "published" }, { name = "nine", chips = "9" }]\n\n[measure]',
    )
    listed, summed = run(tmp_path, two, "two"), run(tmp_path, "keep = 0\n" + two, "two-sums")
    assert listed.keys() == summed.keys()
    for key in ("figures", "differences", "claims", "seats", "trends"):
        assert len(listed[key]) == len(summed[key]) > 0
        for one, other in zip(listed[key], summed[key], strict=True):
            agree(leaves(one), leaves(other))


def agree(one, other):
    numbers = {key for key, value in one.items() if isinstance(value, float)}
    assert {k: v for k, v in one.items() if k not in numbers} == {
        k: v for k, v in other.items() if k not in numbers
    }
    for key in numbers:
        assert one[key] == pytest.approx(other[key], rel=1e-6, abs=1e-9), key


def leaves(data, path=""):
    """Every value of some data by its path."""
    if isinstance(data, dict):
        return {k: v for key in data for k, v in leaves(data[key], f"{path}.{key}").items()}
    if isinstance(data, list):
        return {k: v for at, one in enumerate(data) for k, v in leaves(one, f"{path}.{at}").items()}
    return {path: data}


@pytest.mark.wide
def test_there_are_twenty_arrangements_of_two_bots_among_three_of_a_third():
    five = "easy,greedy,uniform,uniform,uniform"
    data = json.loads(yegg("sim", "second-story", "-n", 24, "--bots", five, "--json"))
    assert data["seats_alike"]


def test_a_simulation_and_an_arena_tell_of_the_seats(tmp_path):
    data = json.loads(yegg("sim", "second-story", "-n", 300, "--json"))
    alike = data["seats_alike"]
    assert [share["value"] for share in alike["shares"]] == pytest.approx(
        [seat["win_share"] for seat in data["seats"]]
    )
    assert alike["deals"] == 300
    assert "eats win alike" in yegg("sim", "second-story", "-n", 300)
    results = tmp_path / "results.jsonl"
    bots = "second-story", "--bots", "greedy,uniform", "-n", 60, "--results", results
    (pair,) = json.loads(yegg("arena", *bots, "--json"))["pairs"]
    assert sum(share["value"] for share in pair["seats_alike"]["shares"]) == pytest.approx(1)
    assert not pair["seats_alike"]["looked"]
    (again,) = json.loads(yegg("arena", *bots, "--json"))["pairs"]
    assert again["seats_alike"] == pair["seats_alike"], "from the file"
    assert "eats win alike" in yegg("arena", *bots, "--until-clear")
    lines = [json.loads(line) for line in results.read_text().splitlines()]
    for line in lines:
        line.pop("seats")
    results.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    (older,) = json.loads(yegg("arena", *bots, "--json"))["pairs"]
    assert older["seats_alike"] is None
    lines[0]["seats"] = [0.5, 0.5]
    results.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    refused = CliRunner().invoke(cli, ["arena", *map(str, bots)])
    assert "results.jsonl:1: this is no result" in str(refused.exception)


def test_cells_are_corrected_for_their_number():
    class Two:
        deals = dict.fromkeys(
            [Cell(Variant(name, 2, ()), ("easy",) * 2) for name in ("a", "b")], 300
        )

        def balance(self, _cell):
            from yegg.stats.seat_balance import Balance

            return Balance((), 300, 0.03, within=False)

    assert [(one.corrected, one.answer) for one in seats(Two())] == [(0.06, "open")] * 2


def test_a_trend_that_is_not_clear_is_told_only_if_it_was_asked():
    (trend,) = trends(Played(won(0.4, 200, 1), won(0.4, 200, 2)))
    assert isinstance(trend, Trend)
    assert trend.answer == "open"
    assert findings_of([], [trend], asked=False) == []
    assert "is open" in str(findings_of([], [trend], asked=True)[0])


def test_a_seat_that_a_variant_lacks_has_no_share_there(tmp_path):
    """Two and three players in one experiment: the third seat's share is not known with two."""
    page = tmp_path / "players.html"
    more = "-n", 4, "--threads", 1, "--report", page
    yegg("sim", "second-story", "--vary", "players=2,3", *more)
    told = json.loads(page.with_name("players").joinpath("report.json").read_text())
    third = {
        figure["variant"]: figure["value"]
        for figure in told["figures"]
        if figure["measure"] == "share_3"
    }
    assert third["players=2"] is None
    assert third["players=3"] is not None
