"""Calibration: what is said and what comes are compared rightly, game by game."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from yegg import games
from yegg.cli import cli
from yegg.engine import Refused
from yegg.lab.batch import Matchup
from yegg.lab.calibration import calibrate
from yegg.stats.calibration import TENTHS, by_tenth, compared, summed

SIDES = 2


def told(games, true, said, positions=20, seed=1):
    """Games of two sides in which the first wins with a chance of its own, and ``said`` is said."""
    dice, sums = np.random.default_rng(seed), []
    for _ in range(games):
        chance = true(dice)
        won = float(dice.random() < chance)
        says = np.array([said(chance), 1 - said(chance)])
        sums.append(summed(np.tile(says, (positions, 1)), np.array([won, 1 - won])))
    return compared(np.array(sums))


def even(dice):
    return 0.05 + 0.9 * dice.random()


@pytest.mark.wide
def test_true_chances_show_no_gap_but_that_of_chance():
    found = told(4000, even, lambda chance: chance)
    assert found.mean_gap.value < 0.03
    assert found.mean_gap.value < 2 * found.chance_gap
    assert found.mean_gap.low < 0.005
    for one in found.bins:
        assert one.came.low <= one.said <= one.came.high or abs(one.came.value - one.said) < 0.05


def test_false_chances_show_their_gap_with_an_interval_that_holds_it():
    """Who says a quarter where a half comes is wrong by a quarter on both sides."""
    found = told(300, lambda _: 0.5, lambda _: 0.25)
    assert found.mean_gap.low < 0.25 < found.mean_gap.high
    assert found.mean_gap.low > 0.1
    assert [one.seats for one in found.bins if one.seats] == [6000, 6000]
    assert found.brier.value == pytest.approx(0.25 + 0.25**2, abs=0.03)
    assert found.brier_of_mean == pytest.approx(0.25)


def test_positions_of_one_game_belong_together():
    """A hundred positions of each game tell no more than one of each."""
    one, many = (told(100, even, lambda c: c, positions) for positions in (1, 100))
    assert many.positions == 100 * one.positions
    for few, lots in ((one.mean_gap, many.mean_gap), (one.bins[5].came, many.bins[5].came)):
        assert (few.value, few.low, few.high) == pytest.approx((lots.value, lots.low, lots.high))


@pytest.mark.wide
def test_an_interval_covers_the_truth_as_often_as_it_says():
    held = 0
    for seed in range(100):
        found = told(80, lambda _: 0.65, lambda _: 0.65, seed=seed)
        (came,) = (one.came for one in found.bins if one.low == 0.6)
        held += came.low <= 0.65 <= came.high
    assert 88 <= held <= 100


def test_a_chance_of_one_is_in_the_last_bin():
    said, came = np.array([[1.0, 0.0]]), np.array([1.0, 0.0])
    count, _, _ = by_tenth(said, came)
    assert count[TENTHS - 1] == count[0] == 1
    assert summed(said, came)[-3:].tolist() == [0, 1, 1]


def test_games_that_do_not_end_are_left_out():
    game = games.find("second-story")
    setting = Matchup(game, 2, {}, ["uniform"] * 2, 0, max_events=5)
    with pytest.raises(Refused, match="no game came to its end"):
        calibrate(setting, 3)


@pytest.mark.wide
def test_the_command_says_the_same_on_any_number_of_threads():
    line = ["calibrate", "second-story", "-n", "12", "--bots", "uniform", "--seed", "3"]
    one, two = (
        CliRunner().invoke(cli, [*line, "--json", "--threads", threads]) for threads in "13"
    )
    data = json.loads(one.stdout)
    assert json.loads(two.stdout) == data
    assert data["games"] == 12
    assert data["players"] * data["positions"] == sum(one["seats"] for one in data["bins"])
    low, high = data["mean_gap_interval"]
    assert 0 <= low <= data["mean_gap"] <= high <= 1
    assert 0 < data["brier"] < 1
    shown = CliRunner().invoke(cli, line).stdout
    assert "Mean gap" in shown
    assert "12 games of uniform" in shown


@pytest.mark.wide
@pytest.mark.parametrize("name", games.names())
def test_the_coach_tells_the_truth(name):
    """Between medium players the chances are off by less than three per cent."""
    game = games.find(name)
    setting = Matchup(game, game.usual, {}, ["medium"] * game.usual, 5)
    assert calibrate(setting, 300, every=5).mean_gap.value < 0.03
