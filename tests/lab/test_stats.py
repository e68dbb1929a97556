"""Intervals, p-values and corrections, next to what tables, papers and a slow way say."""

import math
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from yegg.stats.claims import Interval
from yegg.stats.intervals import (
    Figure,
    Section,
    Sentence,
    Z,
    as_value,
    average,
    finite,
    p_text,
    proportion,
    share,
    share_of,
)
from yegg.stats.p_values import DRAWS, FEW_DEALS, holm, normal_p, p_value, step_up, two_sided
from yegg.stats.sequential_tests import BOLDEST, ERROR, Betting, ConfidenceSequence, sequence

# Shares and means


def test_the_normal_law_s_97_5th_percentile():
    assert pytest.approx(NormalDist().inv_cdf(0.975), abs=1e-12) == Z


@pytest.mark.parametrize(
    ("hits", "n", "low", "high"),
    [
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (1, 10, 0.0179, 0.4042),
        (81, 263, 0.2553, 0.3662),
    ],
)
def test_a_share_has_wilsons_interval(hits, n, low, high):
    """The last is the example of Newcombe 1998, the others are by hand."""
    found = proportion(hits, n)
    assert (found.value, found.percent) == (hits / n, True)
    assert (found.low, found.high) == pytest.approx((low, high), abs=6e-5)


@given(st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_what_one_wins_the_other_loses_with_the_same_certainty(what):
    hits, n = what
    one, other = proportion(hits, n), proportion(n - hits, n)
    assert (one.low, one.high) == pytest.approx((1 - other.high, 1 - other.low))
    assert 0 <= one.low <= one.value <= one.high <= 1


def test_of_nothing_nothing_is_known():
    for found in (
        proportion(0, 0),
        average([], percent=True),
        share([], 0),
        share_of(0.5, 1, 0, 0),
    ):
        assert math.isnan(found.value)
        assert math.isnan(found.low)
        assert math.isnan(found.high)
        assert found.percent
        assert str(found) == "-"


@pytest.mark.parametrize("kind", [int, float, bool, np.int32])
def test_a_mean_has_a_normal_interval(kind):
    found = average(np.array([0, 1, 1, 0, 1, 1], kind))
    half = 1.959964 * math.sqrt(4 / 6 * 2 / 6 * 6 / 5 / 6)
    assert (found.value, found.percent) == (pytest.approx(4 / 6), False)
    assert (found.low, found.high) == pytest.approx((4 / 6 - half, 4 / 6 + half), rel=1e-6)


def test_one_game_says_nothing_of_others():
    one = average([7.0])
    assert (one.value, one.low, one.high) == (7.0, -math.inf, math.inf)
    assert str(one) == "7.00"


def test_figures_are_told_with_their_intervals_in_their_own_units():
    assert str(Figure(0.5, 0.404, 0.596, percent=True)) == "50.0 % [40.4, 59.6]"
    assert str(Figure(12.345, 11.0, 13.5)) == "12.35 [11.00, 13.50]"
    assert str(Figure(0.5, -math.inf, math.inf, percent=True)) == "50.0 %"
    assert str(Sentence("It is so", "50 %")) == "It is so: 50 %."


def test_tables_do_not_share_their_rows():
    one, other = Section("a", ["b"]), Section("c", ["d"])
    one.rows.append([1])
    assert (other.rows, other.note) == ([], "")


# Shares of games that depend on each other


@pytest.mark.parametrize(
    ("variance", "games", "like"),
    [
        (0.25, 100, 100),  # as independent games of one deal each
        (0.125, 200, 200),  # half the variance: twice as many
        (0.125, 150, 150),  # but never more than there were
        (2.5, 600, 10),  # games of a deal that are nearly one
        (99.0, 600, 1),  # and never less than one
        (0.0, 600, 100),  # where nothing varies: the deals
    ],
)
def test_a_share_counts_as_many_games_as_it_varies_like(variance, games, like):
    found = share_of(0.5, variance, 100, games)
    assert (found.low, found.high) == pytest.approx(
        (proportion(like / 2, like).low, proportion(like / 2, like).high)
    )


@pytest.mark.parametrize("p", [0.1, 0.3, 0.9])
def test_games_that_do_not_depend_on_each_other_count_as_what_they_are(p):
    """The variance of a hundred games, each a deal, is p (1 - p)."""
    found, wilson = share_of(p, p * (1 - p), 100, 600), proportion(100 * p, 100)
    assert (found.low, found.high) == pytest.approx((wilson.low, wilson.high))


@pytest.mark.parametrize("p", [0.0, 1.0])
def test_whoever_always_or_never_won_is_judged_by_the_number_of_deals(p):
    found, deals = share_of(p, 0.3, 20, 120), proportion(20 * p, 20)
    assert (found.value, found.low, found.high) == (p, deals.low, deals.high)


def test_a_share_of_deals_varies_as_they_do():
    deals = [0.2, 0.4, 0.9, 0.5]
    found = share(deals, 24)
    variance = np.var(deals, ddof=1)
    assert found == share_of(0.5, variance, 4, 24)
    assert found.value == pytest.approx(0.5)
    assert share([0.25], 6) == share_of(0.25, 0.0, 1, 6)


def test_machines_read_null_where_nothing_is_known():
    assert [finite(x) for x in (0.5, math.inf, -math.inf, math.nan)] == [0.5, None, None, None]
    assert as_value(Figure(0.5, 0.25, math.inf)) == {"value": 0.5, "interval": [0.25, None]}


@pytest.mark.parametrize(
    ("p", "text"), [(0.0, "< 0.001"), (0.00099, "< 0.001"), (0.001, "0.001"), (0.0456, "0.046")]
)
def test_a_small_p_is_no_nought(p, text):
    assert p_text(p) == text


# What may be looked at


def by_hand(fair, shares):
    """The capital of one who bets, deal by deal, as the paper has it."""
    capital, seen, richest = 0.0, [], 0.0
    total, squares = 0.5, 0.25
    for n, x in enumerate(shares, 1):
        mean = total / n
        gain = mean - fair
        bet = gain / (squares / n + gain * gain)
        bet = min(max(bet, -BOLDEST / (1 - fair)), BOLDEST / fair)
        capital += math.log1p(bet * (x - fair))
        richest = max(richest, capital)
        seen.append(capital)
        total += x
        squares += (x - total / (n + 1)) ** 2
    return seen, richest


@pytest.mark.parametrize("fair", [0.1, 0.5, 0.93])
def test_bets_are_those_of_the_paper(fair):
    shares = np.random.default_rng(3).beta(2, 3, 60)
    bets = Betting([fair])
    path, (seen, richest) = bets.add(shares)[:, 0], by_hand(fair, shares)
    assert path == pytest.approx(seen)
    assert bets.richest[0] == pytest.approx(richest)
    assert bets.n == 60


def test_nobody_ever_stakes_more_than_three_quarters():
    """So that no single deal can ruin anybody: a whole quarter stays."""
    for fair, worst in ((0.5, 0.0), (0.2, 1.0), (0.8, 0.0)):
        bets = Betting([fair])
        bets.add(np.full(500, 1.0 - worst))
        before = bets.capital[0]
        after = bets.add([worst])[0, 0]
        assert after - before >= math.log(1 - BOLDEST) - 1e-9


def test_no_deals_change_nothing():
    bets = Betting([0.3, 0.6])
    assert bets.add([]).shape == (0, 2)
    assert (bets.n, bets.capital.tolist(), bets.richest.tolist()) == (0, [0, 0], [0, 0])


def test_a_sequence_holds_the_mean_and_what_no_mean_explains_is_not_known():
    steady = sequence(np.full(400, 0.3))
    assert steady.low < 0.3 < steady.high
    assert steady.high - steady.low < 0.05
    odd = sequence([0.0] * 600 + [1.0] * 600)
    assert math.isnan(odd.low)
    assert math.isnan(odd.high)
    assert odd.answer(0.5, 0.03) == "open"


def test_who_wants_fewer_errors_gets_wider_intervals():
    shares = np.random.default_rng(5).beta(3, 3, 300)
    wide, usual = sequence(shares, ERROR / 10), sequence(shares)
    assert wide.low < usual.low < usual.high < wide.high
    seen = ConfidenceSequence()
    for at in range(0, 300, 7):
        seen.add(shares[at : at + 7])
    assert seen.interval == usual, "whether it comes at once or little by little"


@pytest.mark.parametrize(
    ("low", "high", "answer"),
    [
        (0.5, 0.53, "equal"), (0.47, 0.5, "equal"), (0.5 + 1e-9, 0.9, "clear"),
        (0.1, 0.5 - 1e-9, "clear"), (0.5, 0.5301, "open"), (0.4699, 0.5, "open"),
    ],
)  # fmt: skip
def test_ends_that_just_touch_are_inside(low, high, answer):
    assert Interval(low, high).answer(0.5, 0.03) == answer


# Many tests


def test_holm_and_the_search_correct_as_their_papers_do():
    p = [0.01, 0.04, 0.03, 0.005]
    assert holm(p).tolist() == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert step_up(p).tolist() == pytest.approx([0.02, 0.04, 0.04, 0.02])
    assert holm([0.6, 0.9]).tolist() == [1.0, 1.0]
    assert step_up([0.9, 0.95]).tolist() == pytest.approx([0.95, 0.95])


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_a_correction_only_ever_raises_and_keeps_the_order(p):
    for corrected in (holm(p), step_up(p)):
        assert all(after >= before - 1e-12 for before, after in zip(p, corrected, strict=True))
        assert max(corrected) <= 1
        order = np.argsort(p, kind="stable")
        assert (np.diff(corrected[order]) >= -1e-12).all()
    assert (holm(p) >= step_up(p) - 1e-12).all()


# p-values


def test_of_few_deals_signs_are_drawn():
    """Five deals of one sign: two of 32 ways are as far off."""
    assert p_value(np.full(5, 0.3)) == pytest.approx(2 / 32, abs=0.006)
    assert p_value(np.array([1.0, -1.0, 1.0, -1.0])) == 1
    assert p_value(np.array([4.0])) == 1
    assert p_value(np.zeros(9)) == 1


def test_of_many_deals_it_is_the_normal_law():
    deals = np.random.default_rng(1).normal(0.1, 1, FEW_DEALS)
    z = deals.mean() / (deals.std(ddof=1) / math.sqrt(len(deals)))
    assert p_value(deals) == pytest.approx(2 * NormalDist().cdf(-abs(z)))
    few = deals[:-1]
    assert p_value(few) != pytest.approx(
        normal_p(abs(few.mean()), few.std(ddof=1), len(few)), rel=1e-9
    )
    assert p_value(few) == pytest.approx(
        normal_p(abs(few.mean()), few.std(ddof=1), len(few)), abs=0.02
    )


@pytest.mark.parametrize(("z", "p"), [(1.96, 0.05), (2.5758, 0.01), (0.0, 1.0), (-1.6449, 0.1)])
def test_two_sides_of_the_normal_law(z, p):
    assert two_sided(z, 1.0) == pytest.approx(p, abs=1e-4)
    assert normal_p(z, 5.0, 25) == pytest.approx(p, abs=1e-4)


def test_without_error_all_is_certain_and_one_deal_proves_nothing():
    assert (two_sided(0.0, 0.0), two_sided(0.1, 0.0), two_sided(-0.1, 0.0)) == (1.0, 0.0, 0.0)
    assert [normal_p(9.0, 1.0, deals) for deals in (0, 1)] == [1.0, 1.0]
    assert normal_p(9.0, 1.0, 2) < 1e-9


def test_chance_is_drawn_from_a_fixed_seed():
    deals = np.random.default_rng(4).normal(0.2, 1, 40)
    assert p_value(deals) == p_value(deals)
    assert p_value(deals) == pytest.approx(p_value(-deals))
    assert DRAWS >= 10_000, "so that 0.05 is known to two digits"
