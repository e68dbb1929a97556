"""Differences deal by deal, shares by deal, ties: what figures of games rest on."""

import numpy as np
import pytest

from yegg import games
from yegg.lab.batch import Matchup
from yegg.lab.failures import Failure
from yegg.lab.policies import exploitability
from yegg.lab.policies.exploitability import Opponent, counter, figure, per_sheet, together
from yegg.lab.simulation import run
from yegg.lab.simulation_report import bot_shares, failures, to_dict
from yegg.lab.simulation_sums import Sums as Played
from yegg.stats.bootstrap import around
from yegg.stats.calibration import summed
from yegg.stats.deal_sums import Sums
from yegg.stats.intervals import proportion

SS = games.find("second-story")


def test_a_difference_varies_as_the_differences_of_the_deals_do():
    """Sums give what the deals themselves give, and say how many games their luck saves."""
    dice = np.random.default_rng(1)
    luck = dice.normal(50, 10, 400)
    one, other = luck + dice.normal(1, 2, 400), luck + dice.normal(0, 3, 400)
    sums = Sums(2)
    sums.add(np.stack([one, other], axis=1))
    apart, saved = sums.apart(0, 1)
    assert apart.mean == pytest.approx((one - other).mean())
    assert apart.variance == pytest.approx((one - other).var(ddof=1))
    single = one.var(ddof=1) + other.var(ddof=1)
    assert saved == pytest.approx(single / (one - other).var(ddof=1))
    assert saved > 10, "with other deals for each it would take so many times more games"


def test_only_deals_that_both_finished_are_compared():
    one, other = np.array([1.0, 5.0, np.nan, 9.0]), np.array([0.0, np.nan, 7.0, 6.0])
    sums = Sums(2)
    sums.add(np.stack([one, other], axis=1))
    apart, _ = sums.apart(0, 1)
    assert (apart.deals, apart.mean) == (2, pytest.approx(2.0))


@pytest.fixture(scope="module")
def batch():
    setting = Matchup(SS, 3, {}, ["greedy", "uniform", "uniform"], 5)
    return setting, run(setting, 0, 60)


def test_a_share_counts_deals_and_not_the_games_of_a_deal(batch):
    """Three seatings of one deal depend on each other: 60 games here are 20 numbers."""
    setting, played = batch
    found = bot_shares(setting, Played.of(setting, 0, played))["greedy"]
    greedy = played.seating == 0
    won = (played.results.shares * greedy).sum(axis=1).reshape(20, 3).mean(axis=1)
    assert found.value == pytest.approx(won.mean())
    alike = found.value * (1 - found.value) / (won.var(ddof=1) / 20)
    wilson = proportion(found.value * min(alike, 60), min(alike, 60))  # never more than games
    assert (found.low, found.high) == pytest.approx((wilson.low, wilson.high))


def test_a_tie_is_a_game_that_nobody_won_alone(batch):
    setting, played = batch
    alone = (played.results.shares == 1).any(axis=1)
    assert to_dict(setting, Played.of(setting, 0, played), 1.0)["ties"] == int((~alone).sum())


def test_decisions_drawn_by_lot_are_those_of_the_bot_that_failed(batch):
    setting, played = batch
    failed = np.zeros_like(played.failed)
    failed[played.seating == 0] = 2
    played.failed[:], before = failed, played.failed.copy()
    played.failures["greedy"] = Failure("greedy", "raised", 0, 1, 4, "a table", "its code", "")
    there = {"game": 0, "seat": 1, "event": 4, "view": "a table", "traceback": "its code"}
    try:
        assert failures(setting, Played.of(setting, 0, played)) == {
            "greedy": {"decisions": 120, "why": "raised", **there}
        }
    finally:
        played.failed[:] = before
        del played.failures["greedy"]


def test_a_mean_gap_is_moved_back_as_far_as_chance_had_moved_it():
    """The basic bootstrap: where drawing again lies above, the truth is likely below."""
    drawn = np.concatenate([[0.30], np.linspace(0.30, 0.50, 2001)])
    found = around(drawn)
    assert found.low == pytest.approx(2 * 0.30 - 0.495)
    assert found.high == pytest.approx(0.30), "no gap that was drawn lay below"


@pytest.mark.parametrize("came", [0.0, 0.25, 1.0])
def test_knowing_is_nothing_and_every_miss_counts_by_its_square(came):
    both = np.array([came, 1 - came])
    assert summed(both[None], both)[-3] == 0
    assert summed(np.array([[0.5, 0.5]]), both)[-3] == pytest.approx(2 * (came - 0.5) ** 2)


# The best answer to a mixture


def test_an_answer_is_found_on_half_of_the_sheets_and_valued_on_the_other(monkeypatch):
    """Else an answer to mere chance would look like knowledge."""
    options = {"secrets": "3", "spies": "1", "turns": "1"}
    met = []

    def noting(sheets):
        met.append(sheets.tobytes())
        return together(sheets)

    monkeypatch.setattr(exploitability, "together", noting)
    counter(Opponent(games.find("secrets"), 3, options, "uniform"), 30, 1)
    find, value = set(met[::2]), set(met[1::2])
    assert len(find) == len(value) == 1, "the same sheets for each seat"
    assert find != value, "none that was used to find it"


def test_the_interval_of_an_answer_is_that_of_sheets_drawn_each_by_itself():
    """Over many draws the mean lies in 95 of 100 intervals."""
    held, runs, deals = 0, 300, 24
    for seed in range(runs):
        sheets = np.random.default_rng(seed).integers(0, 2, (deals, 2, 1)).astype(np.int32)
        met = together(sheets)
        won = (met[:, 1, 0] == 1).astype(float)  # seat 0 wins by what seat 1 does: a half
        one = figure(per_sheet(won, 0, 2, deals), won.mean())
        held += one.low <= 0.5 <= one.high
    assert 0.88 <= held / runs <= 0.99, f"{held} of {runs}"
