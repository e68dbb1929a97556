"""Every interval holds the truth about as often as it says, and every test errs as seldom.

Sequences, balances of seats, ratings, calibration and luck have theirs beside what they are of.
"""

import numpy as np
import pytest

from yegg.stats.bootstrap import around_share, means_again
from yegg.stats.intervals import average, difference, mean_of_independent, proportion, share
from yegg.stats.p_values import holm, p_value, step_up, two_sided

RUNS = 1000


def wins(dice):
    """Of 80 games: a share of 0.3."""
    return proportion(dice.binomial(80, 0.3), 80), 0.3


def seldom(dice):
    """Of 200 games: a share of 0.02."""
    return proportion(dice.binomial(200, 0.02), 200), 0.02


def deals(dice):
    """60 deals of three games that depend on each other: deals differ by their chances."""
    chances = dice.beta(2, 3, 60)
    return share(dice.binomial(3, chances) / 3, 180), 0.4


def lengths(dice):
    """200 games whose lengths are skew."""
    return average(dice.gamma(4.0, 5.0, 200)), 20.0


def paired(dice):
    """Differences of 100 deals, which share most of their luck."""
    luck = dice.normal(0, 1, 100)
    return difference(luck + dice.normal(0.2, 0.3, 100) - luck, percent=False), 0.2


def several(dice):
    """The mean of four independent shares."""
    chances = (0.1, 0.3, 0.5, 0.9)
    return mean_of_independent([proportion(dice.binomial(60, p), 60) for p in chances]), 0.45


@pytest.mark.parametrize("made", [wins, seldom, deals, lengths, paired, several])
def test_an_interval_holds_the_truth_in_about_95_of_100_runs(made):
    dice = np.random.default_rng(12)
    found = [made(dice) for _ in range(RUNS)]
    held = np.mean([figure.low <= truth <= figure.high for figure, truth in found])
    assert 0.93 <= held <= 0.975, f"the truth lay in {held:.1%} of intervals that promise 95 %"


@pytest.mark.wide
def test_the_bootstrap_over_deals_holds_the_truth():
    dice, means, shares = np.random.default_rng(5), [], []
    for _ in range(300):
        values = dice.gamma(4.0, 5.0, (120, 1))
        values[dice.random(120) < 0.1] = np.nan  # deals that have no value
        low, high = np.quantile(means_again(values), (0.025, 0.975))
        means.append(low <= 20.0 <= high)
        won = (dice.random((120, 1)) < 0.3).astype(float)
        figure = around_share(np.concatenate([[won.mean()], means_again(won)[:, 0]]), len(won))
        shares.append(figure.low <= 0.3 <= figure.high)
    assert 0.9 <= np.mean(means) <= 0.98
    assert 0.91 <= np.mean(shares) <= 0.985


@pytest.mark.wide
@pytest.mark.parametrize("many", [8, 40, 400])
def test_a_test_errs_in_5_of_100_runs(many):
    """Of few deals signs are drawn, of many it is the normal law."""
    dice = np.random.default_rng(3)
    wrong = np.mean([p_value(dice.normal(0, 1, many)) < 0.05 for _ in range(300)])
    assert 0.015 <= wrong <= 0.09


def test_a_known_error_errs_in_5_of_100_runs():
    values = np.random.default_rng(4).normal(0, 2, RUNS)
    assert 0.035 <= np.mean([two_sided(value, 2.0) < 0.05 for value in values]) <= 0.065


def test_corrected_tests_err_together_as_seldom_as_one():
    """Ten claims, eight of which are false: Holm errs in 5 of 100 runs, the search in few finds."""
    dice, any_wrong, wrong = np.random.default_rng(6), [], []
    for _ in range(RUNS):
        values = dice.normal([0] * 8 + [4] * 2)
        p = np.array([two_sided(value, 1.0) for value in values])
        any_wrong.append((holm(p)[:8] < 0.05).any())
        found = step_up(p) < 0.05
        wrong.append(found[:8].sum() / max(found.sum(), 1))
    assert 0.02 <= np.mean(any_wrong) <= 0.065
    assert 0.02 <= np.mean(wrong) <= 0.06
    assert any_wrong != [bool(one) for one in wrong], "the two correct for different errors"
