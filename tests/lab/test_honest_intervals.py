"""Intervals hold what they promise: over many samples the truth lies in 95 of 100."""

import numpy as np
import polars as pl
import pytest

from yegg.lab.analyses.win_probability import luck
from yegg.stats.deal_sums import Moments
from yegg.stats.intervals import proportion
from yegg.stats.seat_balance import MARGIN, AtAnyTime, moments, of_moments
from yegg.stats.sequential_tests import ConfidenceSequence


def traced(games, seed):
    """Games of which chance and players each make some of the result, by normal law."""
    dice = np.random.default_rng(seed)
    chance, skill = dice.normal(0, 0.3, games), dice.normal(0, 0.4, games)
    columns = {"deal": np.arange(games), "start_1": np.full(games, 0.5)}
    return pl.DataFrame(columns | {"luck_1": chance, "skill_1": skill})


@pytest.mark.wide
def test_the_interval_of_luck_holds_the_truth_as_often_as_it_says():
    """By these two variances luck is 0.09 of 0.25; half as wide, it would hold 67 of 100."""
    runs, truth = 150, 0.09 / (0.09 + 0.16)
    found = [luck(traced(80, seed)) for seed in range(runs)]
    held = sum(one.low <= truth <= one.high for one in found) / runs
    assert 0.88 <= held <= 0.99, f"the truth lay in {held:.0%} of intervals that promise 95 %"
    assert all(one.low < one.value < one.high for one in found)


def seats_with_error(seats, part):
    """Fair means of so many seats, whose errors are that part of the margin."""
    deals = 1000
    varies = deals * (part * MARGIN) ** 2
    return Moments(deals, np.full(seats, 1 / seats), np.eye(seats) * varies)


@pytest.mark.parametrize(("seats", "normal"), [(2, 2.2414), (3, 2.394), (5, 2.5758)])
def test_equal_is_said_of_all_seats_at_once(seats, normal):
    """Five seats have five chances to be off, so each interval is as wide as all need together.

    ``normal``: how many errors hold 1 - 0.05 / seats, by a table of the normal law.
    """
    just, barely = seats_with_error(seats, 0.999 / normal), seats_with_error(seats, 1.001 / normal)
    assert of_moments(just, 0.5, just.deals, 0.0).answer() == "equal"
    assert of_moments(barely, 0.5, barely.deals, 0.0).answer() == "open", (
        "one seat of these may be off by more"
    )


def test_whoever_always_looks_at_several_seats_allows_for_all_of_them():
    """What one seat's sequence says after so many deals, three can only say later together."""
    dice, seats = np.random.default_rng(8), 3
    shares = dice.multinomial(30, [1 / seats] * seats, 3000) / 30
    watch, alone = AtAnyTime(seats), [ConfidenceSequence() for _ in range(seats)]
    first = together = None
    for at in range(0, len(shares), 20):
        some = shares[at : at + 20]
        watch.add(some)
        for one, column in zip(alone, some.T, strict=True):
            one.add(column)
        ends = [end for one in alone for end in (one.interval.low, one.interval.high)]
        if first is None and max(abs(end - 1 / seats) for end in ends) <= MARGIN:
            first = at
        if watch.balance(moments(shares[: at + 20]), at + 20, 0.0).within:
            together = at
            break
    assert first is not None
    assert together is not None
    assert together > first, "as if each seat were the only one that is looked at"


def test_shares_of_seats_have_intervals_of_ninety_five_in_a_hundred():
    """Seat by seat Wilson's interval; together they add up to 1, and none leaves 0 to 1."""
    shares = np.random.default_rng(2).multinomial(1, [0.9, 0.07, 0.03], 60).astype(float)
    found = of_moments(moments(shares), 0.01, len(shares), 0.0).shares
    assert sum(one.value for one in found) == pytest.approx(1)
    for one, column in zip(found, shares.T, strict=True):
        wilson = proportion(column.sum(), len(column))
        assert (one.low, one.high) == pytest.approx((wilson.low, wilson.high), abs=0.01)
        assert 0 <= one.low <= one.value <= one.high <= 1
