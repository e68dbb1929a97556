"""A share has one interval: it lies from 0 to 1, and text and JSON tell the same one."""

import json
import math
import re

import numpy as np
import pytest

import yegg as package
from yegg.lab.policies.exploitability import figure
from yegg.stats.bootstrap import around_share
from yegg.stats.claims import MARGIN, verdict
from yegg.stats.intervals import Apart, Figure, average, difference, like, proportion, share

from .files import yegg

INTERVAL = re.compile(r"(-?[\d.]+) % \[(-?[\d.]+), (-?[\d.]+)\]")
SIM = {
    "magnate": ["magnate", "-n", "10", "--seed", "1"],
    "one game": ["magnate", "-n", "1", "--seed", "1"],
    "line-up": ["second-story", "-n", "7", "--bots", "greedy,uniform,uniform"],
    "thiefs-market": ["thiefs-market", "-n", "5"],
}


def as_text(told):
    """A share of `--json` as the text has it."""
    low, high = told["interval"]
    return f"{100 * told['value']:.1f} % [{100 * low:.1f}, {100 * high:.1f}]"


@pytest.mark.parametrize("words", SIM.values(), ids=SIM)
def test_text_and_json_of_a_simulation_tell_the_same_shares(words):
    text, data = yegg("sim", *words), json.loads(yegg("sim", *words, "--json"))
    assert INTERVAL.findall(text)
    for told in INTERVAL.findall(text):
        value, low, high = map(float, told)
        assert 0 <= low <= value <= high <= 100, f"{told} leaves 0 to 100 %"
    shares = [*data["seats"], *data["bots"].values()]
    for one in shares:
        assert as_text({"value": one["win_share"], **one}) in text
    if data["seats_alike"]:
        seats = [{"value": one["win_share"], **one} for one in data["seats"]]
        alike = map(as_text, data["seats_alike"]["shares"])
        assert [*alike] == [*map(as_text, seats)], "one figure has two intervals"


def test_a_pair_prints_the_interval_of_its_data():
    (pair,) = package.arena("second-story", ["greedy", "uniform"], games=6).pairs
    assert as_text({"value": pair.share, "interval": pair.interval}) in str(pair)


@pytest.mark.parametrize("values", [[0], [1], [0.5], [0, 1], [0.5] * 5, [1, 1, 1, 0], [0] * 9])
def test_no_interval_of_a_share_leaves_0_to_1_or_has_no_width(values):
    for one in (share(values, len(values)), share(values, math.inf), average(values, percent=True)):
        assert 0 <= one.low <= one.value <= one.high <= 1
        assert one.high > one.low, "few deals know nothing for certain"


def test_all_shares_have_wilsons_interval_for_as_many_games_as_they_vary_like():
    dice = np.random.default_rng(1)
    deals = dice.random(400) < 0.3
    p, n = deals.mean(), 400 * (1 - 1 / 400)  # a sample's variance has one degree less
    wilson = proportion(p * n, n)
    again = deals[dice.integers(0, 400, (4000, 400))].mean(axis=1)
    sheets = np.repeat(deals[:, None], 2, axis=1) / [1, math.inf]
    for one in (
        share(deals, 400),
        like(p, deals.var(ddof=1) / 400, 400),
        figure(sheets, p),
    ):
        assert (one.low, one.high) == pytest.approx((wilson.low, wilson.high), abs=1e-4)
    drawn = around_share(np.array([p, *again]), 400)
    assert (drawn.low, drawn.high) == pytest.approx((wilson.low, wilson.high), abs=5e-3)


def test_a_share_of_games_is_no_surer_than_its_games_and_a_part_may_be():
    parts = [0.3, 0.31] * 50
    of_games, of_parts = share(parts, 100), share(parts, math.inf)
    assert of_games.high - of_games.low > 10 * (of_parts.high - of_parts.low)


def test_differences_have_one_text_and_end_at_100_points():
    assert str(Apart(0.021, 0.003, 0.039, True)) == "+2.1 points [+0.3, +3.9]"
    assert str(Apart(-0.5, -1.25, 0.25)) == "-0.50 [-1.25, +0.25]"
    assert str(Apart(math.nan, math.nan, math.nan, True)) == "-"
    assert str(Apart(0.5, -math.inf, math.inf)) == "+0.50"
    wide = difference([1, 1, -1], percent=True)
    assert (wide.low, wide.high) == (pytest.approx((1 - 2 * 1.959964) / 3), 1)
    assert str(Figure(0.5, 0.25, 0.75)) == "0.50 [0.25, 0.75]"


@pytest.mark.parametrize(
    ("p", "low", "high", "said"),
    [
        (0.04, 0.01, 0.5, "clear"),
        (0.06, 0.01, 0.02, "open"),
        (0.06, -0.02, 0.03, "equal"),
        (0.06, -0.02, 0.031, "open"),
    ],
)
def test_a_claim_goes_by_its_corrected_p_value(p, low, high, said):
    assert verdict(p, low, high, MARGIN) == said
