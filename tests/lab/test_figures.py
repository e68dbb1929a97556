"""Figures at their edges: no deals, one or two of them, differences at 100 points, parts."""

import math

import numpy as np
import pytest

from yegg.stats.bootstrap import drawn_again
from yegg.stats.intervals import Apart, Figure, Z, apart, average, difference, of_kind, share
from yegg.stats.kinds import Kind, parts
from yegg.stats.p_values import DRAWS, p_value, step_up

TWO = np.array([0.0, 1.0])


def test_of_no_deals_nothing_is_known():
    nothing = share([], 10), of_kind(Kind.SHARE, [], 0), average([]), difference([], percent=True)
    for figure in nothing:
        assert str(figure) == "-"
        assert all(math.isnan(end) for end in (figure.value, figure.low, figure.high))


def test_of_a_single_deal_its_share_is_that_of_one_game():
    """Wilson's interval for one game that was won: 1 / (1 + z²) to 1."""
    figure = share([1.0], 100)
    assert (figure.value, figure.high) == (1.0, 1.0)
    assert figure.low == pytest.approx(1 / (1 + Z * Z))


def test_two_deals_that_differ_vary():
    assert average(TWO).high == pytest.approx(0.5 + Z * 0.5)
    assert share(TWO, 100).low == pytest.approx(share(TWO, math.inf).low)
    assert share([0.4, 0.6], 100).low > share([0.0, 1.0], 100).low, "what varies less tells more"
    assert str(average([1.0])) == "1.00", "one game says nothing of others"


def test_a_figure_of_a_kind_has_the_interval_of_that_kind():
    deals = [0.25, 0.5, 0.75, 0.5]
    assert of_kind(Kind.NUMBER, deals, 4) == average(deals)
    assert of_kind(Kind.SHARE, deals, 4) == share(deals, 4)
    assert of_kind(Kind.PART, deals, 4) == share(deals, math.inf)
    assert len({of_kind(kind, deals, 4).low for kind in Kind}) == 3
    assert parts("a", "b") == {"a": Kind.PART, "b": Kind.PART}


def test_a_difference_of_shares_ends_at_100_points_and_one_of_numbers_does_not():
    low, high = apart(-0.9, 0.5, percent=True), apart(0.9, 0.5, percent=True)
    assert (low.low, high.high) == (-1.0, 1.0)
    assert (low.percent, high.high) == (True, 1.0)
    assert apart(-0.9, 0.5, percent=False) == Apart(-0.9, -0.9 - Z * 0.5, -0.9 + Z * 0.5)
    assert apart(0.2, math.inf, percent=True).low == -math.inf, "nobody knows it"


def test_a_difference_is_told_in_points_with_its_sign():
    assert str(Apart(0.5, 0.25, 0.75, percent=True)) == "+50.0 points [+25.0, +75.0]"
    assert str(Apart(-1.5, -2.0, -1.0)) == "-1.50 [-2.00, -1.00]"
    assert str(Apart(0.2, -math.inf, math.inf, percent=True)) == "+20.0 points"
    assert str(Figure(2.0, 1.0, 3.0)) == "2.00 [1.00, 3.00]"


def test_numbers_of_every_type_have_the_same_mean():
    for kind in (np.int8, np.uint8, np.bool_, np.float32, float):
        assert average(np.array([0, 1, 1, 0], kind)).value == 0.5
    assert average(np.full(300, 200, np.uint8)).value == 200, "sums do not run over"


def test_the_bootstrap_counts_each_cluster_once_first_and_is_the_same_each_time():
    first, second = drawn_again(5, 100), drawn_again(5, 100)
    assert (first == second).all()
    assert (first[0] == 1).all()
    assert (first.sum(axis=1) == 5).all()
    assert first.dtype == np.int64
    assert (first != drawn_again(5, 100, seed=1)).any()


def test_two_deals_have_a_p_value_by_their_signs():
    """Of the four signs of two equal deals two lie as far from 0 (Fisher 1935)."""
    assert p_value(np.array([1.0])) == 1.0
    assert p_value(np.array([1.0, 1.0])) == pytest.approx(0.5, abs=5 / math.sqrt(DRAWS))
    assert p_value(np.array([1.0, 1.0])) == p_value(np.array([1.0, 1.0]))


def test_corrected_p_values_stay_below_1():
    assert step_up([1.0, 1.0, 0.9]).max() == 1.0
    assert step_up([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.04, 0.04])
