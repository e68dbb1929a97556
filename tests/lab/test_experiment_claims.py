"""Claims tested while deals come in: evidence and intervals beside what they must be otherwise."""

import math

import numpy as np
import polars as pl
import pytest

from yegg.lab.experiment.early_stopping import EarlyStopping, Watched
from yegg.lab.experiment.schema import Claim, parsed
from yegg.stats.claims import ERROR, Interval
from yegg.stats.sequential_tests import (
    FEWEST,
    TYPICAL,
    Betting,
    Bounded,
    ConfidenceSequence,
    Mixture,
)

from .files import LEVELS


def numbers(many, mean=0.3, seed=1):
    return np.random.default_rng(seed).normal(mean, 1.0, many)


@pytest.mark.parametrize("pieces", [[400], [150, 0, 250], [99, 301]])
@pytest.mark.parametrize("fair", [0.0, 0.2, -5.0])
def test_a_mixture_s_evidence_is_that_of_all_means_it_mixes(pieces, fair):
    """The e-value of the normal mixture, added up over all the means that it bets on."""
    values, mixture, at = numbers(400), Mixture(fair), 0
    for many in pieces:
        mixture.add(values[at : at + many])
        at += many
    rho = mixture.rho
    means = np.linspace(-12, 12, 200_001) * math.sqrt(rho)
    weights = np.exp(-(means**2) / (2 * rho)) / math.sqrt(2 * math.pi * rho)
    total = (values - fair).sum() / values.std()
    logs = means * total - means**2 * 400 / 2
    top = logs.max()
    evidence = top + math.log(np.trapezoid(weights * np.exp(logs - top), means))
    if fair != -5.0:  # far off, the means that are added up end before those that matter
        assert mixture.capital == pytest.approx(evidence, rel=1e-6)
    assert mixture.capital > 0 if fair == -5.0 else True
    assert mixture.richest >= max(mixture.capital, 0.0)


def test_a_mixture_s_interval_holds_what_it_has_no_evidence_against():
    values = numbers(600)
    whole = Mixture(0.25)
    whole.add(values)
    interval = whole.interval
    assert interval.low < values.mean() - 0.25 < interval.high
    for end in (interval.low, interval.high):
        other = Mixture(0.25 + end)
        other.add(values)
        assert other.capital == pytest.approx(math.log(1 / ERROR)), "just as much as is an error"


def test_a_mixture_is_narrowest_for_a_typical_number_of_deals():
    rho, wide = Mixture(0.0).rho, -2 * math.log(ERROR)
    assert rho * TYPICAL == pytest.approx(wide + math.log(wide + 1))

    def within(deals, rho):
        more = deals * rho + 1
        return more / rho * math.log(math.sqrt(more) / ERROR)

    assert within(TYPICAL, rho) < min(within(TYPICAL, rho * by) for by in (0.3, 3.0))


def test_what_is_rich_once_stays_so_though_evidence_goes():
    mixture = Mixture(0.0)
    mixture.add(numbers(200, 1.0))
    rich = mixture.capital
    mixture.add(numbers(400, -1.0, seed=2))
    assert mixture.capital < rich == mixture.richest
    never = Mixture(0.0)
    never.add(np.zeros(500))
    assert (never.capital, never.richest) == (0.0, 0.0), "what never varies tells nothing"
    few = Mixture(0.0)
    few.add(numbers(FEWEST - 1, 5.0))
    assert few.capital == 0.0
    assert few.interval == Interval(-math.inf, math.inf)
    few.add(numbers(1, 5.0))
    assert few.capital > 0
    assert few.interval.low > 0


def test_numbers_from_0_to_1_are_bet_on_as_they_are_and_differences_on_half_the_scale():
    values = np.random.default_rng(1).beta(2, 4, 300)
    one = Bounded(0.4)
    for some in (values[:100], values[100:]):
        one.add(some)
    bets, sequence = Betting([0.4]), ConfidenceSequence()
    bets.add(values)
    sequence.add(values)
    assert one.capital == pytest.approx(bets.capital[0])
    assert one.richest == pytest.approx(bets.richest[0])
    assert one.interval.low == pytest.approx(sequence.interval.low - 0.4)
    assert one.interval.high == pytest.approx(sequence.interval.high - 0.4)
    apart, half = Bounded(None), Bounded(0.5)
    apart.add(2 * values - 1)
    half.add(values)
    assert apart.capital == pytest.approx(half.capital)
    assert apart.interval.low == pytest.approx(2 * half.interval.low)
    assert apart.interval.high == pytest.approx(2 * half.interval.high)


@pytest.mark.parametrize(
    ("right", "bounded", "kind"),
    [
        ("b", True, Bounded), ("b", False, Mixture), (0.5, True, Bounded), (0.5, False, Mixture),
        (0, True, Mixture), (1, True, Mixture), (2, True, Mixture),
    ],
)  # fmt: skip
def test_what_has_bounds_is_bet_on(right, bounded, kind):
    claim = Claim("m", "a", ">", str(right), 0.03, against_number=right != "b")
    watched = Watched(claim, "easy", bounded=bounded)
    assert type(watched.evidence) is kind
    if kind is Mixture:
        assert watched.evidence.fair == (0.0 if right == "b" else right)
    elif right != "b":
        assert watched.evidence.zero == right
    assert watched.p == 1.0


def test_a_claim_looks_at_deals_that_both_have():
    tables = {
        "a": pl.DataFrame({"deal": [0, 1, 2, 3], "m": [9.0, None, 5.0, 7.0]}),
        "b": pl.DataFrame({"deal": [3, 2, 1, 0], "m": [4.0, None, 1.0, 3.0]}),
    }
    one = Watched(Claim("m", "a", ">", "b", 0.03), "easy", bounded=False)
    one.add(tables)
    assert (one.evidence.n, one.evidence.total) == (2, 9.0)
    number = Watched(Claim("m", "a", ">", "5", 0.03, True), "easy", bounded=False)
    number.add(tables)
    assert (number.evidence.n, number.evidence.total) == (3, 6.0)


def test_a_level_that_ends_with_equal_also_ends_with_clear():
    one = Watched(Claim("m", "a", ">", "b", 1.0), "easy", bounded=False)
    one.evidence.add(numbers(3000, 0.0) - numbers(3000, 0.0).mean())
    assert one.interval.answer(0, 1.0) == "equal"
    assert one.answered("equal", 0.0)
    assert not one.answered("clear", 0.5)
    assert one.answered("clear", 1.1)
    assert not Watched(Claim("m", "a", ">", "b", 0.0), "easy", bounded=False).answered("equal", 1.0)
    one.evidence.richest = 3.0
    assert one.p == pytest.approx(math.exp(-3))


def test_blocks_are_looked_at_in_order_once_all_cells_have_played_them():
    experiment, there, asked = parsed(LEVELS), set(), []

    def read(piece):
        asked.append((piece.cell.level, piece.number, piece.deals))
        if (piece.cell, piece.number) not in there:
            return None
        deals = list(piece.deals)
        return pl.DataFrame({"deal": deals, "over": True, "events": numbers(len(deals))})

    stopping = EarlyStopping(experiment, read)
    uniform, other, easy, last = experiment.cells
    there |= {(uniform, 0), (other, 1), (uniform, 1)}
    stopping.advance()
    assert [one.evidence.n for (one,) in stopping.watched.values()] == [0, 0]
    assert stopping.least_clear is None
    there |= {(other, 0), (easy, 0), (last, 0), (easy, 1), (last, 1)}
    stopping.advance()
    assert [one.evidence.n for (one,) in stopping.watched.values()] == [500, 300]
    assert ("easy", 1, range(250, 300)) in asked, "the last block is shorter"
    assert stopping.least_clear in [one for (one,) in stopping.watched.values()]
    assert [stopping.deals(level) for level in ("uniform", "easy")] == [600, 300]
    assert stopping.ended == {}
    stopping.ended["easy"] = 2
    assert stopping.deals("easy") == 300, "never more than the sample"
    stopping.ended["easy"] = 1
    assert stopping.deals("easy") == 250


def test_without_a_claim_nothing_is_looked_at():
    experiment = parsed({**LEVELS, "claim": []})
    stopping = EarlyStopping(experiment, lambda piece: pytest.fail("it was read"))
    stopping.advance()
    assert stopping.watched == {"uniform": [], "easy": []}
