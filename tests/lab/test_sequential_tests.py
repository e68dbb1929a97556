"""Statistics that may be looked at: how often they are wrong over thousands of runs."""

import math

import numpy as np
import pytest

from yegg.stats.sequential_tests import Betting, Interval, sequence

RICH = math.log(20)


def runs(mean, n, deals, seed):
    """Shares of deals of six games each, whose games depend on each other: beta-binomial."""
    dice = np.random.default_rng(seed)
    luck = dice.beta(8 * mean, 8 * (1 - mean), (n, deals))
    return dice.binomial(6, luck) / 6


def test_whoever_always_looks_is_seldom_wrong():
    named = sum(Betting([0.5]).add(run).max() >= RICH for run in runs(0.5, 2000, 1000, seed=1))
    assert named / 2000 <= 0.056


def test_the_interval_that_is_not_made_for_looking_is_wrong_half_of_the_time():
    # The yardstick: the test above could fail, since an ordinary interval does fail it.
    many = runs(0.5, 500, 1000, seed=1)
    n = np.arange(1, 1001)
    mean = many.cumsum(axis=1) / n
    spread = np.sqrt(np.maximum((many**2).cumsum(axis=1) / n - mean**2, 1e-9) / n)
    named = (np.abs(mean - 0.5) > 1.96 * spread)[:, 10:].any(axis=1)
    assert named.mean() > 0.3


def test_a_stronger_bot_is_found():
    found = [Betting([0.5]).add(run)[:, 0] for run in runs(0.6, 200, 400, seed=2)]
    assert np.mean([capital.max() >= RICH for capital in found]) > 0.95
    assert np.median([int(np.argmax(capital >= RICH)) for capital in found]) < 80


def test_the_truth_lies_in_the_sequence_at_its_end():
    held = 0
    for run in runs(0.3, 300, 120, seed=3):
        interval = sequence(run)
        held += interval.low <= 0.3 <= interval.high
    assert held / 300 >= 0.944


def test_a_sequence_closes_in_on_the_mean_and_never_widens():
    (run,) = runs(0.5, 1, 4000, seed=4)
    before = sequence([])
    assert (before.low, before.high) == (0, 1)
    for n in (1, 10, 100, 1000, 4000):
        now = sequence(run[:n])
        assert before.low <= now.low <= 0.5 <= now.high <= before.high
        before = now
    assert before.high - before.low < 0.05


@pytest.mark.parametrize(
    ("low", "high", "answer"),
    [
        (0.51, 0.60, "clear"),
        (0.40, 0.49, "clear"),
        (0.505, 0.52, "clear"),
        (0.48, 0.52, "equal"),
        (0.46, 0.52, "open"),
        (0.0, 1.0, "open"),
        (math.nan, math.nan, "open"),
    ],
)
def test_there_are_three_answers(low, high, answer):
    assert Interval(low, high).answer(fair=0.5, margin=0.03) == answer


def test_capital_is_what_the_bets_by_hand_give():
    # First the mean is taken as 0.5 and the variance as 0.25; against 0.4 that bets
    # 0.1 / (0.25 + 0.01), and a whole win pays 0.6 for each part of the capital at stake.
    assert Betting([0.4]).add([1.0])[0, 0] == pytest.approx(math.log(1 + 0.1 / 0.26 * 0.6))
    assert Betting([0.4]).add([0.0])[0, 0] == pytest.approx(math.log(1 - 0.1 / 0.26 * 0.4))
