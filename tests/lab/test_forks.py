"""Forks: a decision taken both ways, with the same dice and the same players."""

import json
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner

from yegg.cli import cli
from yegg.engine import Match
from yegg.engine.contest import STRAYED, upto
from yegg.lab.analyses.forks import Forking
from yegg.lab.experiment.runs import Run
from yegg.lab.experiment.shards import setting
from yegg.stats.p_values import step_up

from .files import estimates, frames_of, played_games, refused, run_of, written

ROLL = 45  # the lowest face of Second Story's die, as a choice
FILE = """
game = "second-story"
bots = ["uniform"]
seed = 3

[sample]
deals = 300

[[fork]]
where = "stop"

[[fork]]
name = "how to rob"
where = ["thorough", "quick"]
each = true
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return run_of(tmp_path_factory.mktemp("forks"), FILE)


@pytest.fixture(scope="module")
def batch(run):
    (cell,) = run.experiment.cells
    played = setting(run.experiment, cell)
    return Forking(played_games(played, 0, 40))


def as_match(forking, one):
    match = Match(forking.setting.game, 3)
    match.follow(forking.batch.log[one.game, : one.event].tolist())
    return match


@pytest.mark.wide
def test_a_fork_stands_before_a_decision_that_matches(run, batch):
    stop, how = run.experiment.spec("fork")
    for fork, texts in ((stop, {"stop"}), (how, {"thorough", "quick"})):
        drawn = batch.draw(fork)
        apart = {(one.game, one.choice if fork.each else None) for one in drawn}
        assert len(apart) == len(drawn) > 30
        for one in drawn:
            match = as_match(batch, one)
            assert match.say(one.choice) in texts
            assert len(match.choices) > 1
            assert match.actor >= 0


def test_every_matching_choice_of_a_game_is_equally_likely(run, batch):
    # the number of matches before the one drawn, as a part of all, is even from 0 to 1
    (stop, _), places = run.experiment.spec("fork"), []
    for one in batch.draw(stop):
        log = batch.batch.log[one.game, : batch.batch.lengths[one.game]].tolist()
        match, before = Match(batch.setting.game, 3), 0
        for at, choice in enumerate(log):
            could = match.actor >= 0 and "stop" in match.texts and len(match.choices) > 1
            if at == one.event:
                assert could
                places.append((before + 0.5) / one.matches)
            before += could
            match.follow([choice])
        assert before == one.matches
    spread = np.sqrt(1 / 12 / len(places))
    assert abs(np.mean(places) - 0.5) < 4 * spread
    assert 0.6 < np.std(places) / np.sqrt(1 / 12) < 1.4


def test_with_each_every_choice_that_a_game_allows_has_a_fork(run, batch):
    how, forked = run.experiment.spec("fork")[1], {}
    for one in batch.draw(how):
        forked.setdefault(one.game, set()).add(batch.setting.game.voice.say(None, one.choice))
    for game, words in forked.items():
        match, possible = Match(batch.setting.game, 3), set()
        for choice in batch.batch.log[game, : batch.batch.lengths[game]].tolist():
            if match.actor >= 0 and len(match.choices) > 1:
                possible |= {"thorough", "quick"} & set(match.texts)
            match.follow([choice])
        assert words == possible


def test_a_fork_can_be_about_what_players_chose(run, batch):
    stop = run.experiment.spec("fork")[0]
    drawn = batch.draw(replace(stop, chosen=True))
    assert len(drawn) > 30
    for one in drawn:
        log = batch.batch.log[one.game, : batch.batch.lengths[one.game]]
        assert log[one.event] == one.choice
        assert one.matches == (log == one.choice).sum()  # each time there was another choice, too
    possible = {one.game: one.matches for one in batch.draw(stop)}
    assert any(one.matches < possible[one.game] for one in drawn)


PLAN = """
from yegg.games.second_story.state import Choice

NUMBERS = ("more",)

def prefer(s, seat, choice, numbers):
    bag = 0
    for suit in range(6):
        bag += s.bag[suit]
    return bag + numbers[0] if choice == Choice.STOP else -1
"""


@pytest.mark.wide
def test_forks_can_be_told_apart_by_what_a_plan_says_of_the_choice(tmp_path):
    (tmp_path / "bag.py").write_text(PLAN)
    told = 'plan = "bag.py"\nwith = { more = 100 }\nby = "rank"'
    file = FILE.replace('where = "stop"', f'where = "stop"\n{told}').replace("= 300", "= 60")
    made = run_of(tmp_path, file, 1)
    assert (made.folder / "bag.py").read_text() == PLAN
    (cell,) = made.experiment.cells
    table, played = frames_of(made, "fork")[cell], setting(made.experiment, cell)
    forking = Forking(played_games(played, 0, 60))
    drawn = forking.draw(made.experiment.spec("fork")[0])
    bags = [100 + sum(as_match(forking, one).state.bag) for one in drawn]
    stop = table.filter((pl.col("fork") == "stop") & pl.col("made"))
    assert sorted(stop["rank"].to_list()) == sorted(bags)
    assert table.filter(pl.col("fork") != "stop")["rank"].unique().to_list() == [0]
    found = [one for one in estimates(made.experiment, "fork", {cell: table}) if one.fork == "stop"]
    assert {float(one.choice): one.forks for one in found} == {
        float(bag): bags.count(bag) for bag in bags
    }


def test_both_branches_go_on_from_the_same_position_with_the_same_dice(run, batch):
    stop, _ = run.experiment.spec("fork")
    for one in batch.draw(stop):
        drawn, made, left = batch.branches(stop, one)
        assert (made.dice == left.dice).all()
        match = as_match(batch, one)
        assert left.states.tobytes() == match.states.tobytes()
        assert (drawn.words, drawn.mover) == ("stop", match.actor)
        match.play(one.choice)
        assert made.states.tobytes() == match.states.tobytes()


def test_dice_of_a_branch_are_those_of_the_game(run, batch):
    # where the choice of the game is made, and all later ones, chance does what it did there
    assert run.experiment.lots
    for one in batch.draw(run.experiment.spec("fork")[0])[:10]:
        rest = batch.batch.log[one.game, one.event : batch.batch.lengths[one.game]].copy()
        assert replayed(batch, one, rest) == len(rest)
        last = np.flatnonzero((rest >= ROLL) & (rest < ROLL + 10))[-1]
        rest[last] = ROLL + (rest[last] - ROLL + 1) % 10  # another face of the last die
        assert replayed(batch, one, rest) == STRAYED


def replayed(batch, one, choices):
    before = batch.before(one)
    counted = before.counts, before.course, batch.out
    return batch.made.kernel(upto)(before.states, before.dice, choices, *counted)


def test_the_choice_that_is_barred_is_not_made(run):
    (cell,) = run.experiment.cells
    table = frames_of(run, "fork")[cell]
    assert len(table.filter(pl.col("made"))) == len(table.filter(~pl.col("made")))
    deals = table.group_by("fork", "words", "deal", "made").len()
    assert deals["len"].max() == 1
    stop = table.filter(pl.col("fork") == "stop")
    counts = stop.group_by("made").agg(pl.col("went_home").sum(), pl.col("went_on").sum())
    assert counts.filter(pl.col("made"))["went_home"][0] != counts["went_home"].sum() / 2


def test_what_is_told_is_the_mean_of_the_differences(run):
    (cell,) = run.experiment.cells
    table = frames_of(run, "fork")[cell]
    (stop, *how) = estimates(run.experiment, "fork", {cell: table})
    mine = table.filter((pl.col("fork") == "stop") & pl.col("over"))
    made = mine.filter(pl.col("made"))["mover_share"].mean()
    assert stop.figure.value == pytest.approx(
        made - mine.filter(~pl.col("made"))["mover_share"].mean()
    )
    assert stop.forks == len(mine) // 2
    assert {one.choice for one in how} == {"thorough", "quick"}
    assert sum(one.forks for one in how) == table.filter(pl.col("fork") != "stop").height // 2


@pytest.mark.wide
def test_forks_are_told_and_are_the_same_on_any_number_of_threads(run, tmp_path):
    path = written(tmp_path, FILE)
    result = CliRunner().invoke(
        cli, ["lab", "run", str(path), "--out", str(tmp_path / "run"), "--threads", "1"]
    )
    assert result.exit_code == 0, result.output + repr(result.exception)
    said = " ".join(result.output.split())
    assert "the share of the win, made less the best other choice" in said
    assert "of 2 questions clear, corrected as a search" in said
    data = json.loads(
        CliRunner().invoke(cli, ["lab", "show", str(tmp_path / "run"), "--json"]).stdout
    )
    assert [one["fork"] for one in data["forks"]] == ["stop", "how to rob", "how to rob"]
    for part in (run.folder / "parts").rglob("*.parquet"):
        other = tmp_path / "run" / part.relative_to(run.folder)
        assert part.read_bytes() == other.read_bytes()
    assert not Run.opened(tmp_path / "run").check(2)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"stop"', '"buy *"', "nothing is called 'buy *'"),
        ('where = "stop"', 'were = "stop"', "did you mean 'where'"),
        ('where = "stop"', 'name = "stop"', "which choices it is about"),
        ("each = true", 'each = true\nby = "turns"', "each = true, or by"),
        ("each = true", 'by = "turn"', "did you mean 'turns'"),
        ('"uniform"', '"hard"', "hard remembers what it thought"),
        ("each = true", "margin = 3", "a fork.margin is a number from 0 to 1"),
        ("each = true", "chosen = 1", "a fork.chosen is true or false"),
        ("each = true", 'plan = "no.py"', "no.py"),
    ],
)
def test_what_is_wrong_is_refused_with_what_would_be_right(tmp_path, old, new, said):
    assert old in FILE
    assert said in refused(written(tmp_path, FILE.replace(old, new, 1)))


@pytest.mark.wide
def test_forks_can_be_told_apart_by_what_the_game_was_like(tmp_path):
    by = "CASE WHEN event < 40 THEN 'early' ELSE 'late' END"
    made = run_of(tmp_path, FILE.replace("each = true", f'by = "{by}"'), 1)
    (cell,) = made.experiment.cells
    table = frames_of(made, "fork")[cell].filter((pl.col("fork") == "how to rob") & pl.col("made"))
    found = estimates(made.experiment, "fork", {cell: frames_of(made, "fork")[cell]})
    assert {one.choice: one.forks for one in found if one.fork != "stop"} == {
        "early": table.filter(pl.col("event") < 40).height,
        "late": table.filter(pl.col("event") >= 40).height,
    }


def test_a_search_is_corrected_after_benjamini_and_hochberg():
    assert step_up([0.01, 0.02, 0.03, 0.9]).tolist() == pytest.approx([0.04, 0.04, 0.04, 0.9])
    assert step_up([0.5, 0.04]).tolist() == pytest.approx([0.5, 0.08])
    assert step_up([]).tolist() == []


def test_what_a_search_finds_is_seldom_false():
    # 45 cards do nothing, 4 do something: of what is called clear at most 7 % may be nothing
    dice = np.random.default_rng(1)
    false = []
    for _ in range(500):
        null, real = dice.normal(0, 1, 45), dice.normal(4, 1, 4)
        from math import erfc, sqrt

        p = step_up([erfc(abs(z) / sqrt(2)) for z in (*null, *real)])
        found = p < 0.05
        false.append(found[:45].sum() / max(found.sum(), 1))
    assert np.mean(false) <= 0.07
