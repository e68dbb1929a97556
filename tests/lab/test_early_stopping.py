"""Levels that end once their claims are answered: when they do, and how seldom they are wrong."""

import json
import tomllib

import numpy as np
import polars as pl
import pytest

from yegg.engine import Refused
from yegg.lab.experiment.early_stopping import Watched
from yegg.lab.experiment.runs import Run
from yegg.lab.experiment.schema import Claim, parsed
from yegg.stats.sequential_tests import Betting, Mixture

from .files import parts, written, yegg

FILE = """
game = "second-story"
seed = 5
bots = ["uniform", "easy"]
[vary]
rules = [{ name = "ten" }, { name = "nine", chips = "9" }]
[sample]
deals = { at-most = 3000, until = "clear" }
easy = 300
[measure]
events = "events"
[[claim]]
events = "nine < ten"
"""
EQUAL = FILE.replace('chips = "9"', 'chips = "10"').replace('"clear"', '"equal"')


def run(tmp_path, text, name, *more):
    path = written(tmp_path, text, f"{name}.toml")
    data = json.loads(yegg("lab", "run", path, "--json", "--no-report", *more))
    return Run.opened(tmp_path / name), data


def test_a_level_ends_once_its_claims_are_clear(tmp_path):
    one, data = run(tmp_path, FILE, "one", "--threads", 1)
    assert one.early_stopping.ended == {}  # nobody has looked through this one yet
    assert one.missing() == []
    blocks = one.early_stopping.ended["uniform"]
    assert 1 <= blocks < 12
    deals = {(f["level"], f["variant"]): f["deals"] for f in data["figures"]}
    assert deals["uniform", "ten"] == deals["uniform", "nine"] == 250 * blocks
    assert deals["easy", "ten"] == 300
    (claim, _) = data["claims"]
    low, high = claim["difference"]["interval"]
    assert claim["answer"] == "clear"
    assert low < claim["difference"]["value"] < high < 0
    # what was played beyond is thrown away, on any number of threads
    four, _ = run(tmp_path, FILE, "four", "--threads", 4)
    assert parts(one.folder) == parts(four.folder)
    assert len(parts(one.folder)) == 2 * blocks + 2 * 2
    assert "ended after" in yegg("lab", "show", one.folder)


@pytest.mark.wide
def test_a_level_ends_once_its_claims_are_equal(tmp_path):
    text = EQUAL.replace('events = "events"', 'tied = "winners > 1"')
    text = text.replace('events = "nine < ten"', 'tied = "nine < ten"')
    made, data = run(tmp_path, text, "equal")
    assert [claim["answer"] for claim in data["claims"]] == ["equal", "equal"]
    made.missing()
    assert made.early_stopping.deals("uniform") < 3000


@pytest.mark.wide
def test_where_it_is_open_all_deals_are_played(tmp_path):
    text = FILE.replace('chips = "9"', 'chips = "10"').replace("3000", "300")
    made, data = run(tmp_path, text, "open")
    assert data["claims"][0]["answer"] != "clear"
    assert made.early_stopping.deals("uniform") == 300
    assert {figure["deals"] for figure in data["figures"]} == {300}


@pytest.mark.wide
def test_without_until_the_same_run_goes_on_with_all_deals(tmp_path):
    early, _ = run(tmp_path, FILE, "run")
    before = parts(early.folder)
    written(tmp_path, FILE.replace(', until = "clear"', ', until = "equal"'), "run.toml")
    whole = FILE.replace('{ at-most = 3000, until = "clear" }', "1500")
    written(tmp_path, whole, "whole.toml")
    yegg("lab", "run", tmp_path / "whole.toml", "--out", early.folder, "--json", "--no-report")
    after = parts(early.folder)
    assert before.items() <= after.items()
    assert len(after) == 2 * 6 + 2 * 2


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('until = "clear"', 'until = "sure"', "there are: clear, equal"),
        ('until = "clear"', 'till = "clear"', "no key 'till'"),
        ('until = "clear"', "until = 5", "there are: clear, equal"),
        ("at-most = 3000", "at-most = 0", "at least 1"),
        ("seed = 5", 'seed = 5\ncorrection = "bonferroni"', "there are: holm, bh, e-bh"),
        ('[[claim]]\nevents = "nine < ten"', "", "there is no [[claim]]"),
    ],
)
def test_what_cannot_be_is_refused(old, new, said):
    assert old in FILE
    with pytest.raises(Refused) as refusal:
        parsed(tomllib.loads(FILE.replace(old, new)))
    assert said in str(refusal.value)


@pytest.mark.wide
@pytest.mark.parametrize("correction", ["holm", "bh", "e-bh"])
def test_claims_are_corrected_as_the_file_says(tmp_path, correction):
    more = 'score_1 = "score_1"\n[[claim]]\nscore_1 = "ten != nine"\n[[claim]]\n'
    text = FILE.replace("[[claim]]\n", more).replace(
        "seed = 5", f'seed = 5\ncorrection = "{correction}"'
    )
    _, data = run(tmp_path, text.replace("3000", "500"), "run")
    raw = np.array([claim["difference"]["p"] for claim in data["claims"]])
    corrected = np.array([claim["p_corrected"] for claim in data["claims"]])
    assert (corrected >= raw - 1e-12).all() or correction == "e-bh"
    smallest = raw.min() * {"holm": len(raw), "bh": 1}.get(correction, 0)
    assert corrected.min() >= smallest - 1e-12
    assert (corrected <= 1).all()


# --- the mathematics --------------------------------------------------------------------------


def test_betting_in_pieces_is_betting_at_once():
    shares = np.random.default_rng(1).beta(2, 3, 900)
    bets = Betting([0.3, 0.4, 0.5])
    paths = [bets.add(shares[a:b]) for a, b in ((0, 1), (1, 250), (250, 250), (250, 900))]
    whole = Betting([0.3, 0.4, 0.5]).add(shares)
    assert np.concatenate(paths) == pytest.approx(whole)
    assert bets.capital == pytest.approx(whole[-1])
    assert bets.richest == pytest.approx(np.maximum(whole.max(axis=0), 0))


def watched(how, *, bounded):
    return Watched(Claim("m", "a", how, "b", 0.03), "easy", bounded=bounded)


def tables(a, b):
    deals = np.arange(len(a))
    return {name: pl.DataFrame({"deal": deals, "m": m}) for name, m in (("a", a), ("b", b))}


def named(runs, blocks, draw, *, bounded):
    """In which share of null runs something is named, if one looks after every block of 250."""
    wrong = 0
    for _ in range(runs):
        one = watched("!=", bounded=bounded)
        for _ in range(blocks):
            one.add(tables(*draw()))
        wrong += one.p < 0.05
    return wrong / runs


@pytest.mark.wide(minutes=2)
def test_seven_hundred_null_runs_of_shares_name_something_in_at_most_5_6_percent():
    dice = np.random.default_rng(2)

    def draw():
        luck = dice.beta(2, 2, 250)
        return dice.binomial(6, luck) / 6, dice.binomial(6, luck) / 6

    assert named(700, 8, draw, bounded=True) <= 0.056


def test_null_runs_of_numbers_name_something_in_at_most_5_6_percent():
    dice = np.random.default_rng(3)
    runs = dice.gamma(2.0, 10.0, (2000, 8, 250)) - 20
    wrong = 0
    for blocks in runs:
        mixture = Mixture(0.0)
        for block in blocks:
            mixture.add(block)
        wrong += mixture.richest >= np.log(20)
    assert wrong / 2000 <= 0.056


@pytest.mark.wide
def test_the_interval_of_numbers_holds_the_truth_and_shows_a_difference():
    dice = np.random.default_rng(4)
    held, clear = 0, 0
    for _ in range(300):
        one = watched("<", bounded=False)
        for _ in range(4):
            first = dice.gamma(2.0, 10.0, 250)
            one.add(tables(first, first + dice.normal(3.0, 10.0, 250)))
            held += one.interval.low <= -3.0 <= one.interval.high
        clear += one.p < 0.05
    assert held / 1200 >= 0.95
    assert clear / 300 > 0.95


def test_a_number_is_compared_as_it_is_meant():
    dice = np.random.default_rng(5)
    one = Watched(Claim("m", "a", ">", "0.5", 0.03, against_number=True), "easy", bounded=True)
    values = dice.binomial(1, 0.62, 2000).astype(float)
    one.add(tables(values, values))
    assert one.p < 0.05
    assert one.interval.low < 0.12 < one.interval.high
    assert one.interval.high - one.interval.low < 0.12


def test_a_difference_is_told_in_its_own_units():
    dice = np.random.default_rng(6)
    one = watched("<", bounded=True)
    a = dice.binomial(1, 0.4, 3000).astype(float)
    b = np.maximum(a, dice.binomial(1, 0.2, 3000))
    one.add(tables(a, b))
    assert one.interval.low < (a - b).mean() < one.interval.high < 0
    assert one.interval.high - one.interval.low < 0.1
