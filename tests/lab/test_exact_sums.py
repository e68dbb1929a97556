"""Sums of whole numbers: exact, the same in any pieces and any order, and what NumPy says."""

import itertools
import random
from functools import reduce
from operator import add
from types import SimpleNamespace

import numpy as np
import pytest

from yegg import games
from yegg.lab.batch import Matchup
from yegg.lab.simulation import run
from yegg.lab.simulation_report import to_dict
from yegg.lab.simulation_sums import Sums
from yegg.stats.intervals import Results, Section, average, share, whole_win
from yegg.stats.p_values import FEW_DEALS
from yegg.stats.sums import Columns, Histogram, Tallied
from yegg.stats.won_by_deal import WonByDeal


@pytest.mark.parametrize("most", [1, 200, 2**20, 60_000_000, 2**31 - 1])
def test_sums_of_columns_are_exact_whatever_their_size(most):
    table = np.random.default_rng(most).integers(-most, most, (5000, 3), np.int32, endpoint=True)
    table[:, 2] = most  # of 60,000,000 the squares would be too much for 64 bits
    found, large = Columns.of(table[:1234]) + Columns.of(table[1234:]), table.astype(object)
    assert found.totals.tolist() == large.sum(axis=0).tolist()
    assert found.squares.tolist() == (large**2).sum(axis=0).tolist()
    assert found[1].average().high == pytest.approx(average(table[:, 1]).high)
    assert type(found[1].total) is int


def test_numbers_that_are_not_whole_are_refused():
    with pytest.raises(TypeError, match="only whole numbers have exact sums, not float64"):
        Columns.of([0.5])


def test_a_histogram_tells_the_figures_of_its_numbers():
    dice = np.random.default_rng(3)
    for many in (1, 2, 3, 10, 999):
        data = dice.integers(-50, 400, many)
        found = reduce(add, map(Histogram.of, np.array_split(data, 3)))
        percents = [0, 3, 5, 25, 50, 75, 95, 99.9, 100]
        assert found.quantiles(percents) == np.percentile(data, percents).tolist()
        assert found.exact().spread == pytest.approx(data.std())
        assert str(found.average()) == str(average(data))


def by_deal(each, over, won):
    """What was won in each deal on the average of its games that ended, as NumPy reckons it."""
    deals = np.arange(len(won)) // each
    kept = [
        won[over & (deals == deal)].mean(axis=0)
        for deal in range(deals[-1] + 1)
        if over[deals == deal].any()
    ]
    return np.array(kept)


@pytest.mark.parametrize("each", [1, 3, 24])
@pytest.mark.parametrize("many", [1, 50, 1000])
def test_deals_that_are_cut_into_pieces_count_once(each, many):
    dice = np.random.default_rng(each + many)
    over, won = dice.random(many) < 0.8, dice.integers(0, 61, (many, 2))
    over[0] = True
    cuts = [0, *sorted(set(dice.integers(0, many, 9).tolist()) - {0}), many]
    pieces = [
        WonByDeal.of(each, start, over[start:stop], won[start:stop])
        for start, stop in itertools.pairwise(cuts)
    ]
    random.Random(many).shuffle(pieces)
    whole, expected = reduce(add, pieces), by_deal(each, over, won) / 60
    assert len(whole.begun.numbers) <= 1, "what is whole is not kept deal by deal"
    found = whole.ended()
    known = found.moments([0, 1], 60)
    assert known.deals == found.deals == len(expected)
    assert known.means == pytest.approx(expected.mean(axis=0))
    if known.deals > 1:
        assert known.covariance == pytest.approx(np.cov(expected.T))
    assert str(found.summed(1, 60).share(int(over.sum()))) == str(
        share(expected[:, 1], int(over.sum()))
    )
    assert found.few([0, 1], 60) == pytest.approx(expected[:FEW_DEALS])


@pytest.mark.parametrize("lineup", [["uniform"] * 3, ["greedy", "uniform", "uniform"]], ids=str)
@pytest.mark.parametrize("name", games.names())
def test_a_report_is_the_same_of_any_pieces_in_any_order(name, lineup):
    game = games.find(name)
    who = lineup[: min(3, game.players[-1])]
    setting = Matchup(game, len(who), {}, who, 3)
    cuts = [0, 1, 7, 8, 40, 60]
    pieces = [
        Sums.of(setting, start, run(setting, start, stop - start))
        for start, stop in itertools.pairwise(cuts)
    ]
    random.Random(5).shuffle(pieces)
    whole = Sums.of(setting, 0, run(setting, 0, 60))
    assert to_dict(setting, reduce(add, pieces), 1.0) == to_dict(setting, whole, 1.0)


def test_a_win_is_shared_in_whole_parts():
    for sides in range(1, 17):
        assert all(whole_win(sides) % winners == 0 for winners in range(1, sides + 1))


def test_a_tally_made_for_1_0_reads_each_game_as_it_did():
    counts = np.array([[3, 1], [4, 1], [5, 9]], np.int32)
    results = Results(*(np.array(rows, np.int32) for rows in ([[2, 0]] * 3, counts, [7, 8, 9])))

    def report(counts, results):
        rows = [["all", average(counts[:, 0]), int(results.lengths.sum())]]
        return [Section(f"{results.shares[:, 0].tolist()}", ["", "", ""], rows)]

    tally = SimpleNamespace(__name__="theirs.tally", report=report)
    told = Tallied.of(tally, counts[:1], cut(results, slice(1)))
    told += Tallied.of(tally, counts[1:], cut(results, slice(1, None)))
    with pytest.warns(DeprecationWarning, match=r"theirs.tally.report\(counts, results\)"):
        (section,) = told.sections(tally)
    assert section.title == "[1.0, 1.0, 1.0]"
    assert section.rows == [["all", average(counts[:, 0]), 24]]
    assert not Tallied.of(games.find("magnate").part("tally"), *counted("magnate")).rows


def cut(results, which):
    return Results(results.won[which], results.scores[which], results.lengths[which])


def counted(name):
    """A game's counters, and results, of three games."""
    tally = games.find(name).part("tally")
    counts = np.zeros((3, tally.COUNTS), np.int32)
    return counts, Results(*(np.zeros(shape, np.int32) for shape in ((3, 2), (3, 2), 3)))
