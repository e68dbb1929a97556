"""Whether all seats win alike: how often that is denied though it is true, and else found."""

import math

import numpy as np
import pytest

from yegg.stats.p_values import p_value
from yegg.stats.seat_balance import (
    AtAnyTime,
    Balance,
    alike,
    balance,
    chi_squared,
    is_even,
    moments,
)


def deals(means, many, seed, games=1):
    """Shares of seats, deal by deal: so many games each with one winner, who wins by chance."""
    dice = np.random.default_rng(seed)
    return dice.multinomial(games, means, many) / games


@pytest.mark.parametrize(
    ("far", "free", "p"),
    [(3.8415, 1, 0.05), (5.9915, 2, 0.05), (7.8147, 3, 0.05), (9.4877, 4, 0.05), (13.277, 4, 0.01)],
)
def test_chi_squared_is_that_of_the_tables(far, free, p):
    assert chi_squared(far, free) == pytest.approx(p, rel=1e-3)
    assert chi_squared(0, free) == 1


def test_with_one_winner_a_game_it_is_the_chi_squared_of_the_winners():
    # Neyman's, which divides by what was seen; n - 1 stands for n in the variance of the deals
    shares = deals([0.33, 0.34, 0.33], 3000, seed=1)
    won = shares.sum(axis=0)
    neyman = ((won - 1000) ** 2 / won).sum() * 2999 / 3000
    assert alike(moments(shares)) == pytest.approx(chi_squared(neyman, 2))


def test_of_two_seats_it_is_the_test_of_one():
    shares = deals([0.53, 0.47], 1000, seed=2)
    assert alike(moments(shares)) == pytest.approx(p_value(shares[:, 0] - 0.5), rel=1e-6)


@pytest.mark.wide(but=["40-3"])
@pytest.mark.parametrize("seats", [2, 3, 5])
@pytest.mark.parametrize("many", [40, 400])
def test_seats_that_win_alike_are_seldom_told_apart(seats, many):
    runs = 60 if many < 200 else 1000
    named = sum(
        balance(deals([1 / seats] * seats, many, seed, games=3)).answer() == "clear"
        for seed in range(runs)
    )
    assert named / runs <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / runs)
    assert named > 0, "it does look"


@pytest.mark.wide
def test_whoever_always_looks_is_seldom_wrong():
    named = 0
    for seed in range(250):
        seen = AtAnyTime(3)
        seen.add(deals([1 / 3] * 3, 1000, seed))
        named += seen.p < 0.05
    assert named / 250 <= 0.056


def test_what_comes_little_by_little_is_seen_as_if_it_had_come_at_once():
    shares = deals([0.36, 0.32, 0.32], 900, seed=3)
    once, often = AtAnyTime(3), AtAnyTime(3)
    once.add(shares)
    for at in range(0, 900, 70):
        often.add(shares[at : at + 70])
    known = moments(shares)
    assert often.p == pytest.approx(once.p)
    assert often.balance(known, 9, 0.0).within == once.balance(known, 9, 0.0).within


@pytest.mark.wide
def test_chi_squared_read_all_the_time_is_wrong_much_more_often():
    # The yardstick: the test above could fail, since what is not made for looking does fail it.
    named = 0
    for seed in range(60):
        shares = deals([1 / 3] * 3, 1000, seed)
        named += any(alike(moments(shares[:n])) < 0.05 for n in range(200, 1001, 20))
    assert named / 60 > 0.1


@pytest.mark.wide(but=["False"])
@pytest.mark.parametrize("looked", [False, True])
def test_a_seat_that_wins_more_is_found(looked):
    found = [
        balance(deals([0.40, 0.30, 0.30], 1200, seed), looked=looked).answer() for seed in range(20)
    ]
    assert found.count("clear") >= 19


@pytest.mark.wide
@pytest.mark.parametrize("looked", [False, True])
def test_seats_that_win_alike_are_equal_in_the_end(looked):
    shares = deals([1 / 3] * 3, 15_000, seed=4)
    assert balance(shares, looked=looked).answer() == "equal"
    assert balance(shares[:300], looked=looked).answer() != "equal", "300 deals cannot tell that"


def test_a_seat_that_always_wins_is_no_accident():
    always = np.tile([1.0, 0.0, 0.0], (300, 1))
    assert balance(always).p == 0
    assert balance(always[:20]).answer() == "clear"
    assert balance(always, looked=True).answer() == "clear"
    ties = np.full((300, 3), 1 / 3)
    assert balance(ties).p == 1
    assert balance(ties).answer() == "equal"


def test_a_seat_that_never_wins_leaves_the_others_to_be_compared():
    # alike in two of three seats, and the third never wins: fixed, and off
    shares = np.hstack([deals([0.5, 0.5], 400, seed=5), np.zeros((400, 1))])
    assert balance(shares).answer() == "clear"


def test_what_did_not_end_is_not_told():
    shares = deals([0.6, 0.4], 400, seed=6)
    assert balance(shares).answer() == "clear"
    unsure = balance(shares, unfinished=0.02)
    assert unsure.answer() == "no claim"
    assert "2.0 % of the games did not end" in unsure.why
    assert balance(shares[:1]).answer() == "no claim"


def test_a_correction_can_take_an_answer_back():
    one = Balance((), 100, 0.03, within=False)
    assert (one.answer(), one.answer(0.06)) == ("clear", "open")


def test_seats_are_told_of_only_where_everybody_sits_everywhere_as_often():
    assert is_even(["a", "a", "a"], [(0, 1, 2)])
    assert is_even(["a", "b", "b"], [(0, 1, 2), (1, 0, 2), (1, 2, 0)])
    assert not is_even(["a", "b", "b"], [(0, 1, 2), (1, 0, 2)])
