"""Ratings from many pairs (Bradley and Terry 1952)."""

import numpy as np
import pytest

from yegg.lab.arena import Contest, Deal
from yegg.lab.arena_report import rated
from yegg.stats.ratings import ratings


def won(strengths, games):
    """What players of such strengths win over each other in many games."""
    chance = strengths[:, None] / (strengths[:, None] + strengths)
    return np.where(np.eye(len(strengths)), 0, chance * games)


def test_strengths_are_found_again_from_what_they_win():
    strengths = np.array([8.0, 4, 2, 1])
    elo = ratings(won(strengths, 1e9))
    assert elo == pytest.approx(400 * np.log10(strengths / np.exp(np.log(strengths).mean())))


def test_ten_wins_to_one_are_400_points():
    elo = ratings(np.array([[0, 1e6], [1e5, 0]]))
    assert elo[0] - elo[1] == pytest.approx(400, abs=0.01)
    assert elo.mean() == pytest.approx(0)


def test_two_who_never_met_are_compared_by_a_third():
    elo = ratings(np.array([[0, 1e6, 0], [1e5, 0, 1e6], [0, 1e5, 0]]))
    assert elo[0] - elo[2] == pytest.approx(800, abs=0.02)


def test_who_won_every_game_has_a_rating_that_grows_with_their_number():
    few, many = (ratings(np.array([[0, games], [0, 0]])) for games in (10, 1000))
    assert 0 < few[0] < many[0] < 2000


def test_several_tables_of_wins_are_rated_at_once_as_each_alone():
    several = np.random.default_rng(1).random((5, 4, 4)) * 30
    for together, table in zip(ratings(several), several, strict=True):
        assert together == pytest.approx(ratings(table), abs=1e-4)


def test_who_met_nobody_in_one_table_has_met_in_another():
    played = np.array([[0, 3, 1], [1, 0, 1], [1, 1, 0]], float)
    some = played.copy()
    some[2] = some[:, 2] = 0
    assert np.isfinite(ratings(np.stack([played, some]))).all()


def contests(game, shares):
    """All pairs of three bots, by the share of the win of the first in each deal."""
    pairs = ("a", "b"), ("a", "c"), ("b", "c")
    return [
        (
            Contest(game, 2, {}, pair, 0),
            [Deal(number=n, share=share, games=2) for n, share in enumerate(deals)],
        )
        for pair, deals in zip(pairs, shares, strict=True)
    ]


def test_the_interval_holds_the_truth_in_19_of_20_arenas():
    chances, dice = won(np.array([3.0, 2, 1]), 1), np.random.default_rng(5)
    truth = ratings(won(np.array([3.0, 2, 1]), 1e9))
    held, arenas = np.zeros(3), 200
    for _ in range(arenas):
        shares = [dice.binomial(2, chances[i, j], 100) / 2 for i, j in ((0, 1), (0, 2), (1, 2))]
        found = rated(contests(None, shares))
        ends = np.array([(found[name].low, found[name].high) for name in "abc"])
        held += (ends[:, 0] <= truth) & (truth <= ends[:, 1])
    assert (held / arenas > 0.9).all(), held / arenas


def test_one_deal_says_nothing_of_others_and_the_strongest_comes_first():
    found = rated(contests(None, [[0.0], [0.5], [1.0]]))
    assert list(found) == ["b", "a", "c"]
    assert all(np.isinf(elo.low) and np.isinf(elo.high) for elo in found.values())
