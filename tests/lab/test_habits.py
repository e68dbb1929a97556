"""Habits: words and ranks laid over a player, and plans of one's own."""

import json

import numpy as np
import pytest

from yegg import games
from yegg.engine import Match, Refused
from yegg.lab.batch import logs
from yegg.lab.experiment.runs import Run
from yegg.lab.experiment.schema import read
from yegg.lab.experiment.shards import setting
from yegg.lab.simulation import run

from .files import refused, run_of, written, yegg

FILE = """
question = "Does a thief who always goes home win?"
game = "second-story"
bots = [["homebody", "uniform", "uniform"]]

[[habit]]
name = "homebody"
like = "uniform"
prefer = ["stop"]

[sample]
deals = 40
"""
PLAN = '''"""Goes home as soon as so many chips are in the bag."""

from yegg.games.second_story.state import Choice

NUMBERS = ("chips",)


def prefer(s, seat, choice, numbers):
    """Stop with enough, else go on."""
    there = 0
    for suit in range(6):
        there += s.bag[suit]
    enough = there >= numbers[0]
    return 1 if choice == (Choice.STOP if enough else Choice.CONTINUE) else 0
'''
CAREFUL = """
game = "second-story"
bots = [["careful", "uniform", "uniform"]]
[[habit]]
name = "careful"
like = "uniform"
plan = "careful.py"
with = { chips = 3 }
[sample]
deals = 40
"""


def decisions(experiment, games=12):
    """Every decision of some games: who of the line-up made it, where, and what was chosen."""
    (cell,) = experiment.cells
    played = setting(experiment, cell)
    batch = run(played, 0, games, log=True)
    for row, choices in enumerate(logs(batch)):
        match = Match(played.game, played.players)
        for choice in choices:
            if match.actor >= 0 and len(match.choices) > 1:
                yield int(batch.seating[row, match.actor]), match, match.say(choice)
            match.follow([choice])


def test_a_homebody_stops_at_every_road(tmp_path):
    asked = [0, 0]
    for who, match, text in decisions(read(written(tmp_path, FILE))):
        if "stop" in match.texts:
            asked[who > 0] += 1
            assert text == "stop" or who
            asked[1] += text == "continue"
    assert min(asked) > 20


def test_what_is_avoided_is_done_only_where_nothing_else_is_possible(tmp_path):
    text = FILE.replace('prefer = ["stop"]', 'avoid = ["quick", "st*"]')
    for who, _, chosen in decisions(read(written(tmp_path, text))):
        assert who or chosen not in {"quick", "stop"}


def test_a_plan_goes_by_its_numbers(tmp_path):
    written(tmp_path, PLAN, "careful.py")
    path = written(tmp_path, CAREFUL)
    stops = 0
    for who, match, text in decisions(read(path)):
        if who == 0 and "stop" in match.texts:
            assert text == ("stop" if match.state.bag.sum() >= 3 else "continue")
            stops += text == "stop"
    assert stops > 5


@pytest.mark.wide
def test_a_plan_and_its_numbers_belong_to_the_run(tmp_path):
    written(tmp_path, PLAN, "careful.py")
    path, folder = written(tmp_path, CAREFUL), tmp_path / "run"
    found = json.loads(yegg("lab", "run", path, "--out", folder, "--json"))
    assert [figure["measure"] for figure in found["figures"]] == [
        "share_of_careful",
        "share_of_uniform",
    ]
    (tmp_path / "careful.py").unlink()
    assert not Run.opened(folder).check(1)  # the run keeps a copy
    written(tmp_path, PLAN.replace(">=", ">"), "careful.py")
    with pytest.raises(Refused, match="another experiment"):
        Run(read(path), folder).begin()
    written(tmp_path, PLAN, "careful.py")
    more = written(tmp_path, CAREFUL.replace("chips = 3", "chips = 4"))
    with pytest.raises(Refused, match="another experiment"):
        Run(read(more), folder).begin()


def test_everybody_sits_everywhere_and_shares_add_up(tmp_path):
    run = run_of(tmp_path, FILE, 1)
    (cell,) = run.experiment.cells
    assert sorted(cell.seatings) == [(0, 1, 2), (1, 0, 2), (1, 2, 0)]
    table = run.games(cell)
    total = table["share_of_homebody"] + 2 * table["share_of_uniform"]
    assert np.allclose(total.to_numpy(), 1)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('["stop"]', '["steal *"]', "nothing is called 'steal *'; players here choose"),
        ('["stop"]', '["steal *"]', "'thorough'"),
        ('["stop"]', '"stop"', "habit.prefer is a list, as"),
        ('prefer = ["stop"]', "", "says nothing"),
        ('prefer = ["stop"]', 'prefers = ["stop"]', "did you mean 'prefer'"),
        ('like = "uniform"', 'like = "hard"', "hard thinks ahead"),
        ('like = "uniform"', 'like = "unifrom"', "did you mean 'uniform'"),
        ('name = "homebody"', 'name = "greedy"', "no name of its own"),
        ('name = "homebody"', 'name = "homebdy"', "homebody"),
        ('prefer = ["stop"]', 'plan = "nowhere.py"', "nowhere.py"),
        ('prefer = ["stop"]', 'plan = "../x.py"', "beside the experiment"),
    ],
)
def test_what_is_wrong_is_refused_with_what_would_be_right(tmp_path, old, new, said):
    assert old in FILE
    assert said in refused(written(tmp_path, FILE.replace(old, new)))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("def prefer", "def prefers", "has no function prefer"),
        ("def prefer(s, seat,", "def prefer(s,", "has no function prefer"),
        ("NUMBERS", "NUMBER", "with = … gives a number to each of: none"),
        ("return 1 if", "return 1 1 if", "SyntaxError"),
    ],
)
def test_a_plan_that_is_none_is_refused(tmp_path, old, new, said):
    written(tmp_path, PLAN.replace(old, new), "careful.py")
    assert said in refused(written(tmp_path, CAREFUL))


def test_words_that_mean_another_choice_elsewhere_are_refused(tmp_path):
    text = """
    game = "thiefs-market"
    bots = [["payer", "uniform", "uniform", "uniform"]]
    [[habit]]
    name = "payer"
    like = "uniform"
    prefer = ["gold 1 for blue"]
    """
    with pytest.raises(Refused, match="in another position the choice 'gold 1 for blue' is 'gold"):
        read(written(tmp_path, text))


@pytest.mark.wide
@pytest.mark.parametrize("game", games.names())
def test_words_of_every_game_are_found(game):
    from yegg.lab.policies.habits import words

    game = games.find(game)
    said = words(game, game.usual_players({}), ())
    assert len(said) > 4
    assert all(said.values())
