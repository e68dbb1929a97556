"""Sums over deals say what the deals themselves would: means, intervals, common luck, seats."""

import math

import numpy as np
import polars as pl
import pytest

from yegg.lab.experiment import deal_table
from yegg.lab.experiment.deal_table import Count, DealTable, compared
from yegg.lab.experiment.schema import parsed
from yegg.stats.deal_sums import Sums
from yegg.stats.intervals import Summed, apart, average, difference, mean_of, share, share_of
from yegg.stats.p_values import normal_p, p_value

NAN = math.nan
VALUES = np.array([
    [1.0, 2.0, 0.5], [3.0, NAN, 1.5], [NAN, 5.0, 2.5], [6.0, 1.0, 2.0], [2.0, 4.0, NAN],
])  # fmt: skip


def summed(values, stretch=2):
    sums = Sums(values.shape[1])
    for start in range(0, len(values), stretch):
        sums.add(values[start : start + stretch])
    return sums


def known(*columns):
    both = ~np.isnan(sum(VALUES[:, one] for one in columns))
    return [VALUES[both, one] for one in columns]


@pytest.mark.parametrize("stretch", [1, 2, 5])
@pytest.mark.parametrize("shift", [0.0, 1e6])
def test_means_and_variances_are_those_of_the_deals_that_are_known(stretch, shift):
    sums = summed(VALUES + shift, stretch)
    for at in range(3):
        (seen,) = known(at)
        one = sums.of(at)
        assert one.deals == len(seen)
        assert one.mean == pytest.approx(seen.mean() + shift)
        assert one.variance == pytest.approx(seen.var(ddof=1), rel=1e-5)


def test_two_quantities_are_compared_in_deals_that_have_both():
    sums = summed(VALUES)
    for a, b in ((0, 1), (1, 2), (2, 0)):
        one, other = known(a, b)
        found, saved = sums.apart(a, b)
        assert found.deals == len(one)
        assert found.mean == pytest.approx((one - other).mean())
        assert found.variance == pytest.approx((one - other).var(ddof=1))
        single = one.var(ddof=1) + other.var(ddof=1)
        assert saved == pytest.approx(single / (one - other).var(ddof=1))
        assert sums.covariance(a, b) == pytest.approx(np.cov(one, other)[0, 1])


def test_what_no_deal_has_is_not_known():
    sums = summed(np.array([[NAN, 1.0, NAN], [NAN, 2.0, NAN]]))
    one = sums.of(0)
    assert one.deals == 0
    assert math.isnan(one.mean)
    assert math.isnan(one.variance)
    found, saved = sums.apart(0, 1)
    assert found.deals == 0
    assert math.isnan(found.mean)
    assert saved is None
    empty = Sums(1).of(0)
    assert empty.deals == 0
    alone = summed(np.array([[3.0, 4.0]]))
    assert (alone.of(0).deals, alone.of(0).mean, alone.of(0).variance) == (1, 3.0, 0.0)
    assert alone.apart(0, 1) == (Summed(1, -1.0, 0.0), None), "what does not vary saves nothing"


def test_means_that_share_deals_vary_together():
    sums = summed(VALUES)
    found = sums.means([0, 1])
    one, other = known(0, 1)
    assert found.deals == 4
    assert found.means == pytest.approx([known(0)[0].mean(), known(1)[0].mean()])
    together = np.cov(one, other)[0, 1] * len(one) / (4 * 4)
    own = [known(at)[0].var(ddof=1) / 4 for at in (0, 1)]
    assert found.covariance == pytest.approx(np.array([[own[0], together], [together, own[1]]]))
    known_both = summed(VALUES[[0, 3]]).together([0, 2])
    assert known_both.deals == 2
    assert known_both.covariance == pytest.approx(np.cov(VALUES[[0, 3]][:, [0, 2]].T))


def test_figures_of_sums_are_those_of_their_moments():
    one = Summed(50, 0.4, 0.02)
    error = math.sqrt(0.02 / 50)
    assert one.average() == mean_of(0.4, error)
    assert one.less(0.1) == Summed(50, pytest.approx(0.3), 0.02)
    assert one.apart(percent=True) == apart(0.4, error, percent=True)
    assert one.apart(percent=False) == apart(0.4, error, percent=False)
    assert one.share(70) == share_of(0.4, 0.02, 50, 70)
    assert one.p() == normal_p(0.4, math.sqrt(0.02), 50)
    alone = Summed(1, 0.4, 0.0)
    assert alone.average() == mean_of(0.4, math.inf), "one deal tells nothing of others"
    two = Summed(2, 0.4, 0.08)
    assert two.average() == mean_of(0.4, 0.2)


def test_figures_of_deals_kept_one_by_one():
    values = np.array([0.0, 1.0, 1.0, 0.5])
    one = Summed.of(values)
    assert one.average() == average(values)
    assert one.share(9) == share(values, 9)
    assert one.apart(percent=True) == difference(values, percent=True)
    assert one.p() == p_value(values)
    assert one.less(0.25).few.tolist() == [-0.25, 0.75, 0.75, 0.25]


# The table of an experiment's deals

MANY = {
    "game": "second-story",
    "bots": ["uniform", ["greedy", "uniform"]],
    "vary": {"rules": [{"name": "ten"}, {"name": "nine", "chips": "9"}], "players": [2]},
    "sample": {"deals": 30},
    "measure": {"turns": "turns", "tied": "winners > 1"},
}


def games(cell, deals):
    """Games that anybody can work out: longer from deal to deal, and some did not end."""
    less = "nine" in cell.variant.name
    rows = []
    for deal in deals:
        for seating in range(len(cell.seatings)):
            dice = np.random.default_rng([deal, seating, less])
            share_1 = float(dice.integers(0, 3)) / 2
            rows.append(
                {
                    "deal": deal,
                    "seating": seating,
                    "over": deal % 10 != 3,
                    "turns": 40 + deal + 2 * less + float(dice.integers(0, 9)),
                    "winners": 2 if share_1 == 0.5 else 1,
                    "share_1": share_1,
                    "share_2": 1 - share_1,
                }
            )
    return pl.DataFrame(rows)


def table(keep=10**6, **more):
    experiment = parsed({**MANY, "keep": keep, **more})
    cells = {cell: experiment.deals[cell.level] for cell in experiment.cells}
    return DealTable(experiment, games, cells), list(cells)


@pytest.mark.parametrize("keep", [10**6, 5])
@pytest.mark.parametrize("stretch", [7, 2500])
def test_a_table_holds_the_mean_of_each_measure_over_the_games_of_a_deal(
    monkeypatch, keep, stretch
):
    monkeypatch.setattr(deal_table, "STRETCH", stretch)
    deals, cells = table(keep)
    assert deals.experiment.summed == (keep == 5)
    for cell in cells:
        every = games(cell, range(30))
        ended = every.filter("over")
        by_deal = ended.group_by("deal").agg(pl.col("turns").mean()).sort("deal")["turns"]
        assert vars(deals.count(cell)) == {
            "deals": 30, "games": len(every), "finished": len(ended),
        }  # fmt: skip
        assert deals.count(cell).unfinished == pytest.approx(0.1)
        assert deals.known(cell, "turns") == len(ended)
        figure = deals.numbers(cell, "turns").average()
        assert figure.value == pytest.approx(by_deal.mean())
        if keep == 5:
            assert deals.numbers(cell, "turns").variance == pytest.approx(by_deal.var())
        tied = ended.group_by("deal").agg((pl.col("winners") > 1).mean())["winners"]
        assert deals.numbers(cell, "tied").average().value == pytest.approx(tied.mean())


def test_sums_and_deals_kept_one_by_one_say_the_same(monkeypatch):
    monkeypatch.setattr(deal_table, "STRETCH", 7)
    (listed, cells), (sums, _) = table(), table(5)
    for name in ("turns", "tied"):
        one, saved = listed.apart(name, cells[0], cells[1])
        other, as_much = sums.apart(name, cells[0], cells[1])
        assert other.mean == pytest.approx(one.few.mean())
        assert other.variance == pytest.approx(one.few.var(ddof=1))
        assert saved == pytest.approx(as_much)
    for cell in cells:
        one, other = listed.balance(cell), sums.balance(cell)
        assert [figure.value for figure in one.shares] == pytest.approx(
            [figure.value for figure in other.shares]
        )
    one, other = listed.first_seat(cells[:2]), sums.first_seat(cells[:2])
    assert one.deals == other.deals == 27
    assert one.means == pytest.approx(other.means)
    assert one.covariance == pytest.approx(other.covariance)


def test_seats_are_compared_where_everybody_sits_on_each_equally_often():
    deals, (even, _, mixed, _) = table()
    assert compared(even)
    assert compared(mixed), "each has both seats"
    assert deals.balance(even) is not None
    bots = ["uniform", "greedy", "easy", "medium", "hard"]
    (many,) = parsed({"game": "second-story", "players": 5, "bots": [bots]}).cells
    assert not compared(many), "some of the 120 seatings are drawn"


def test_a_level_with_fewer_deals_counts_only_those(monkeypatch):
    monkeypatch.setattr(deal_table, "STRETCH", 7)
    for keep in (10**6, 5):
        deals, cells = table(keep, sample={"deals": 30, "uniform": 10})
        short, long = cells[0], cells[-1]
        assert deals.count(short).deals == 10
        assert deals.count(long).deals == 30
        assert deals.numbers(short, "turns").average().value == pytest.approx(
            games(short, range(10)).filter("over")["turns"].mean()
        )
        apart, _ = deals.apart("turns", short, cells[2])
        assert apart.deals == 9, "of ten deals one did not end"


def test_of_no_games_all_ended():
    assert Count().unfinished == 0.0
    assert Count(2, 4, 3).unfinished == 0.25
