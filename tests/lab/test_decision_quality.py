"""What hangs on a choice: which turns are drawn, what a decision is, and what is told of it."""

import json

import numpy as np
import pytest

from yegg import games
from yegg.lab.analyses import decision_quality
from yegg.lab.analyses.decision_quality import (
    SHORT,
    Decisions,
    WeighedChoices,
    judged,
    kind,
    ratio,
)
from yegg.lab.batch import Matchup
from yegg.lab.experiment.findings import findings, to_dict
from yegg.lab.experiment.schema import read
from yegg.lab.report.narrative import described
from yegg.players.thinking.plan import Evaluation

from .files import frames_of, played_games, refused, run_of, written

DEALS = 30


def thoughts(*values, doubt=0.0, tries=None):
    """What thinking found about a decision: the first choice is the best."""
    k = len(values)
    return Evaluation(
        shares=np.array([1.0, *[0.0] * (k - 1)]),
        values=np.array(values),
        tries=np.array(tries or [100] * k),
        sample=np.full(k, 100.0),
        doubts=np.array([0.0, *[doubt] * (k - 1)]),
        worth=np.array([0.5, 0.5]),
        iterations=100 * k,
    )


@pytest.mark.parametrize(
    ("values", "what"),
    [
        ((0.50, 0.49, 0.44), "meaningful"),
        ((0.50, 0.49, 0.46), "slight"),
        ((0.50, 0.47, 0.30), "one"),
        ((0.50, 0.47, 0.46), "one"),
        ((0.50, 0.495, 0.491), "nothing"),
        ((0.50, 0.495), "nothing"),
        ((0.50, 0.30), "one"),
    ],
)
def test_a_decision_is_what_its_choices_cost(values, what):
    assert judged(thoughts(*values)) == (what, False, pytest.approx(values[0] - values[-1]))


def test_what_chance_may_have_made_is_told_as_unsure():
    assert judged(thoughts(0.50, 0.49, 0.40, doubt=0.001))[:2] == ("meaningful", False)
    assert judged(thoughts(0.50, 0.49, 0.40, doubt=0.03))[:2] == ("meaningful", True)
    assert judged(thoughts(0.50, 0.20, doubt=0.03))[:2] == ("one", False)


def test_a_choice_that_was_never_tried_says_nothing():
    found = judged(thoughts(0.50, 0.495, 0.10, tries=[100, 100, 0]))
    assert found == ("nothing", False, pytest.approx(0.005))


def test_a_choice_better_than_the_one_most_often_played_costs_nothing():
    assert kind(np.array([])) == "nothing"
    assert judged(thoughts(0.50, 0.51))[2] == 0


@pytest.fixture(scope="module")
def batch():
    game = games.find("second-story")
    here = Matchup(game, 3, {}, ["uniform"] * 3, 7, course=True)
    return played_games(here, 0, DEALS)


@pytest.fixture
def at_once(monkeypatch):
    """A coach that does not think; the choices with the higher numbers are worse by 10 points."""
    seen = []

    def think(match, plan, seed):
        seen.append((match.actor, tuple(match.choices), plan.iterations, seed))
        return thoughts(*(0.5 - 0.1 * i for i in range(len(match.choices))))

    monkeypatch.setattr(decision_quality, "think", think)
    return seen


@pytest.mark.wide
def test_one_turn_in_one_is_every_turn_and_every_decision(batch, at_once):
    played = batch.batch
    table = Decisions().collect(WeighedChoices(DEALS, 1, 5), batch)
    sums = table.group_by("deal", maintain_order=True).sum()
    assert table.group_by("deal").len().sort("deal")["len"].to_list() == played.turns.tolist()
    assert sums.sort("deal")["decisions"].to_list() == played.decisions.sum(axis=1).tolist()
    assert len(at_once) == played.decisions.sum()
    assert all(plan == 5 * len(legal) for _, legal, plan, _ in at_once)
    assert len({seed for *_, seed in at_once}) > len(at_once) / 2
    assert (table["one"] == table["decisions"]).all()
    assert (table["dead"] == (table["decisions"] == 0)).all()


def test_a_sample_is_a_part_of_all_turns_each_as_likely_as_another(batch, at_once):
    every = Decisions().collect(WeighedChoices(DEALS, 1, 5), batch)
    some = Decisions().collect(WeighedChoices(DEALS, 5, 5), batch)
    keys = ["deal", "turn", "decisions", "offered", "dead"]
    assert set(some.select(keys).rows()) < set(every.select(keys).rows())
    assert len(some) == pytest.approx(len(every) / 5, abs=DEALS)
    assert {turn % 5 for turn in some["turn"]} == set(range(5)), "some games begin with each"


def test_only_the_first_deals_are_weighed_and_nothing_of_none(batch, at_once):
    few, none = WeighedChoices(4, 1, 5), WeighedChoices(DEALS, 10**9, 5)
    assert set(Decisions().collect(few, batch)["deal"]) == set(range(4))
    assert Decisions().collect(none, batch) is None


def test_a_ratio_holds_the_truth_as_often_as_it_says():
    dice, held = np.random.default_rng(4), 0
    for _ in range(400):
        chance = dice.beta(4, 6, 80)  # the turns of a deal are alike
        of = dice.integers(1, 9, 80)
        found = ratio(dice.binomial(of, chance).astype(float), of.astype(float), share=True)
        held += found.low <= 0.4 <= found.high
    assert 0.92 <= held / 400 <= 0.98


def test_a_ratio_of_nothing_and_of_equals():
    assert np.isnan(ratio(np.zeros(3), np.zeros(3), share=True).value)
    none = ratio(np.zeros(30), np.full(30, 4.0), share=True)
    assert (none.value, none.low) == (0, 0)
    assert 0.05 < none.high < 0.2, "thirty deals without one do not show that there is none"


FILE = """
game = "second-story"
bots = ["uniform"]
[sample]
deals = 12
[choices]
deals = 10
every = 4
tries = 3
[clauses]
deals = 5
"""


@pytest.fixture
def made(tmp_path, at_once):
    """A run of the file, whose coach does not think."""
    return run_of(tmp_path, FILE, 1)


def test_what_was_weighed_is_told(made):
    found = findings(made)
    (one,) = found.of("choices")
    assert one.figures["one"].value == 1
    assert one.figures["dead"].value == one.figures["empty"].value
    assert one.figures["offered"].value == 2
    assert one.figures["spread"].value == pytest.approx(0.1)
    assert sum(one.figures[name].value for name in SHORT) == pytest.approx(1)
    said = list(map(str, described(found)))
    assert any(
        line.startswith("Several choices are good and others are mistakes, between uniform")
        and f"of {one.decisions} decisions; 0 % of all may look as they do by chance" in line
        for line in said
    )
    (section,) = Decisions().tables(made.experiment.game, found.of("choices"))
    assert {row[0] for row in section.rows} == set(decision_quality.TOLD.values())
    data = json.loads(json.dumps(to_dict(found)))
    assert data["choices"][0]["figures"]["one"]["value"] == 1
    assert set(frames_of(made, "choices")[made.experiment.cells[0]]["deal"]) <= set(range(10))


@pytest.mark.wide
def test_the_report_shows_it(made):
    pytest.importorskip("altair", reason="reports need yegg[lab]")
    from yegg.lab.report.content import sheet
    from yegg.lab.report.panels import panels

    found = findings(made)
    drawn = {panel.title: panel for panel in panels(found)}
    for title in (
        "What hangs on a choice",
        "Which clauses apply: published rules, random play",
        "What is chosen: published rules, random play",
    ):
        assert drawn[title].draw().to_dict()["datasets"], title
    assert "never: SS-1," in drawn["Which clauses apply: published rules, random play"].table.title
    assert any("One turn in 4 was drawn" in said for said in sheet(found, [])["method"])


@pytest.mark.wide
def test_games_weighed_otherwise_are_not_mixed(tmp_path, made):
    other = read(written(tmp_path, FILE.replace("tries = 3", "tries = 4"), "other.toml"))
    assert other.digest != made.experiment.digest


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("every", "evry", "did you mean 'every'"),
        ("tries = 3", "tries = 0", "choices.tries"),
        ("[clauses]\ndeals = 5", "[clauses]\ndeal = 5", "did you mean 'deals'"),
        ("deals = 5", "deals = 0", "clauses.deals"),
    ],
)
def test_what_is_wrong_is_refused_with_what_would_be_right(tmp_path, old, new, said):
    assert old in FILE
    assert said in refused(written(tmp_path, FILE.replace(old, new, 1)))


@pytest.mark.wide
def test_the_coach_weighs_real_games(tmp_path_factory):
    """Between players at random some choices are mistakes, and no two runs differ."""
    text = FILE.replace("tries = 3", "tries = 40").replace("deals = 10", "deals = 3")
    runs = [run_of(tmp_path_factory.mktemp(name), text) for name in ("a", "b")]
    tables = [frames_of(again, "choices")[again.experiment.cells[0]] for again in runs]
    assert tables[0].equals(tables[1])
    assert tables[0]["decisions"].sum() > 20
    assert tables[0]["spread"].max() > 0.05
