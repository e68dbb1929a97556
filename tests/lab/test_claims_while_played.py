"""When a level of an experiment ends: after all of its claims, and each allows for the others."""

import tomllib

import numpy as np
import polars as pl
import pytest

from yegg.lab.experiment import findings
from yegg.lab.experiment.early_stopping import EarlyStopping, Mixture
from yegg.lab.experiment.findings import Measured
from yegg.lab.experiment.schema import parsed
from yegg.stats.intervals import Figure, apart
from yegg.stats.sequential_tests import FEWEST

FILE = """
game = "second-story"
bots = ["uniform", "easy"]
[vary]
rules = [{ name = "ten" }, { name = "nine", chips = "9" }]
[sample]
deals = { at-most = 2500, until = "clear" }
[measure]
near = "events"
far = "turns"
[[claim]]
near = "nine < ten"
[[claim]]
far = "nine < ten"
"""


def looked(near, far, blocks=9):
    """What is seen of blocks in which nine has so much less than ten, of a spread of 10."""
    experiment = parsed(tomllib.loads(FILE))

    def read(piece):
        if piece.number >= blocks:
            return None
        less = piece.cell.variant.name == "nine"
        dice = np.random.default_rng([piece.number, len(piece.cell.level), less])
        events, turns = dice.normal(0, 10, (2, len(piece.deals)))
        values = {"events": events - less * near, "turns": turns - less * far}
        return pl.DataFrame({"deal": list(piece.deals), "over": [True] * len(events), **values})

    stopping = EarlyStopping(experiment, read)
    stopping.advance()
    return stopping


def test_a_level_goes_on_until_the_last_of_its_claims_is_answered():
    """Both are true, one is easy to see: the other needs more deals."""
    both, one = looked(20.0, 20.0), looked(20.0, 3.0)
    assert both.ended["uniform"] == 1
    assert one.ended.get("uniform", 99) > 1, "the smaller difference is not clear after one block"
    assert looked(20.0, 0.0).ended == {}, "what is not so is never clear"


def test_deals_that_count_end_with_the_block_after_which_a_level_ended():
    seen = looked(20.0, 20.0)
    assert [seen.deals(level) for level in ("uniform", "easy")] == [250, 250]
    assert looked(20.0, 0.0).deals("uniform") == 2500


def test_the_claim_that_is_least_clear_is_told_of_while_games_are_played():
    seen = looked(20.0, 0.0)
    assert seen.least_clear.claim.measure == "far"
    assert looked(20.0, 20.0).least_clear is None, "all have ended"


def test_a_claim_is_clear_only_beside_all_others_of_its_file():
    """Two claims at two levels are four chances to be wrong: each has a quarter of 5 %."""
    worst = []
    for less in np.linspace(1, 6, 60):
        seen = looked(less, less, blocks=1)
        for level, watched in seen.watched.items():
            p = max(one.p for one in watched)
            assert (level in seen.ended) == (p < 0.05 / 4), p
            worst.append(p)
    assert any(0.05 / 4 < p < 0.05 for p in worst), "alone, such a claim would be clear"


def test_of_few_deals_a_mixture_says_nothing_however_far_off_they_are():
    mixture = Mixture(0.0)
    mixture.add(np.random.default_rng(1).normal(9, 1, FEWEST - 1))
    assert mixture.richest == 0, "the normal law is not trusted yet"
    assert mixture.interval.low == -np.inf
    mixture.add(np.array([9.0, 9.1]))
    assert mixture.richest > 3
    assert mixture.interval.low > 0


class Deals:
    """What is asked of a table of deals: everything is known of those of easy players only."""

    def known(self, cell, _name):
        return cell.level == "easy"


def answers(monkeypatch, correction, unfinished=0):
    """Both claims, when their p-values are 0.03 and 0.02 before they are corrected."""
    text = FILE.replace("bots =", f'correction = "{correction}"\nbots =')
    text = text.replace('{ at-most = 2500, until = "clear" }', "1000")
    experiment = parsed(tomllib.loads(text))
    raw, by_level = dict(zip(experiment.measures, (0.03, 0.02), strict=True)), {}

    def difference(name, _deals, left, _right, other):
        who = name, left.level, left.variant.name, other
        return findings.Difference(*who, apart(1.0, 1.0, percent=False), raw[name], None)

    monkeypatch.setattr(findings, "difference", difference)
    for cell in experiment.cells:
        by_level.setdefault(cell.level, {})[cell.variant.name] = cell
    value = Figure(0.5, 0.4, 0.6)
    measured = [
        Measured(cell.variant.name, cell.level, "near", value, 100, 1000, unfinished, 1000)
        for cell in experiment.cells
    ]
    return findings.tested(experiment, by_level, Deals(), measured, looked(0.0, 0.0, blocks=1))


@pytest.mark.parametrize(("correction", "corrected"), [("holm", 0.04), ("bh", 0.03)])
def test_claims_are_corrected_by_the_method_that_the_file_names(monkeypatch, correction, corrected):
    """Of 0.03 and 0.02: Holm doubles the smaller one; a search leaves the larger as it is."""
    found = answers(monkeypatch, correction)
    assert [one.corrected for one in found] == pytest.approx([corrected] * 2)
    assert [one.level for one in found] == ["easy"] * 2, "of the others nothing is known"


def test_nothing_is_claimed_where_more_than_one_in_a_hundred_games_did_not_end(monkeypatch):
    near, far = answers(monkeypatch, "holm", unfinished=10)
    assert (near.answer, near.why) == ("clear", "")
    near, far = answers(monkeypatch, "holm", unfinished=11)
    assert near.answer == "no claim"
    assert near.why.startswith("11 of 1\N{NO-BREAK SPACE}000 games of ")
    assert far.answer == "clear", "what is not known of one measure is no matter to another"
