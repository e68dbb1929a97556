"""The card of a policy net: what its file says of it, as people read it."""

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from yegg import envs, games
from yegg.cli import cli
from yegg.engine import Refused
from yegg.players.policy_net import weights
from yegg.players.policy_net.card import card

GAME = games.find("second-story")
ABOUT = {
    "version": "SecondStory-v3",
    "units": 64,
    "covers": [[2, "any"], [3, "any"], [4, {}], [5, {"chips": "5", "decline": "yes"}]],
    "course": {
        "learned_from": 1_507_328,
        "seed": 7,
        "minutes": 2.5,
        "published": 0.75,
        "begin_with": "mine.npz",
        "teachers": ["two.npz", "three.npz"],
        "teaching": 0.3,
        "rate": 0.001,
    },
    "shown": [3, {}],
    "curve": [
        {"decisions": 700_000, "uniform": [0.5, 0.41, 0.62], "greedy": [0.25, 0.2, 0.3]},
        {"decisions": 1_507_328, "uniform": [1.0, 0.99, 1.0], "greedy": [0.5, 0.45, 0.55]},
    ],
}

FILE = Path("nets", "policy.npz")
LEARNED = (
    "2 and 3 players, all options; 4 players, the published rules; 5 players, chips=5, decline=yes"
)
FROM = "1,507,328 decisions in 2.5 minutes: 75 % by the published rules, 25 % with options drawn"


@pytest.fixture
def net(tmp_path):
    """The file of a net with this card."""
    shapes = weights.shapes(GAME, 4)
    arrays = {name: np.zeros(shape, "f4") for name, shape in shapes.items()}
    about = ABOUT | weights.identity(GAME, 4)
    weights.save(tmp_path / "net.npz", about, weights.PolicyWeights(**arrays))
    return tmp_path / "net.npz"


def test_it_tells_settings_course_and_curve():
    assert card(GAME, ABOUT, FILE).splitlines() == [
        "Second Story: a policy net of two layers of 64 units, for SecondStory-v3",
        f"  has learned     {LEARNED}",
        f"  learned from    {FROM}",
        "  seed            7",
        "  began with      mine.npz",
        "  teachers        two.npz and three.npz, for 30 % of the time",
        f"  file            {FILE}",
        "  wins of 3 players, by its likeliest choice; even is 33.3 %:",
        "  million decisions         against uniform          against greedy",
        "               0.70     50.0 % [41.0, 62.0]     25.0 % [20.0, 30.0]",
        "               1.51   100.0 % [99.0, 100.0]     50.0 % [45.0, 55.0]",
    ]


def test_a_net_of_certain_options_alone_says_which():
    course = ABOUT["course"] | {"options": {"chips": "5"}, "published": 1.0}
    shown = card(GAME, ABOUT | {"course": course, "shown": [3, {"chips": "5"}]}, FILE)
    assert "1,507,328 decisions in 2.5 minutes: with chips=5\n" in shown
    assert "wins of 3 players, chips=5, by" in shown


def test_a_net_that_was_made_in_another_way_says_that_it_does_not_say():
    about = {name: ABOUT[name] for name in ("version", "units", "covers")}
    assert card(GAME, about, FILE).splitlines()[2:-1] == ["  learned from    its file does not say"]
    assert card(GAME, about | {"course": {}, "curve": []}, FILE) == card(GAME, about, FILE)


@pytest.mark.parametrize(
    "wrong",
    [
        {"course": 7},
        {"course": {"seed": "one"}},
        {"curve": [{"decisions": 5}]},
        {"curve": [{"decisions": 5, "uniform": [1], "greedy": [0, 0, 0]}]},
        {"shown": [9, {}]},
        {"shown": [3, {"wings": "2"}]},
    ],
)
def test_a_file_that_says_what_cannot_be_is_refused(wrong):
    with pytest.raises(Refused):
        card(GAME, ABOUT | wrong, FILE)


def test_the_baseline_and_the_command_show_it(net):
    shown = envs.baseline("second-story", 3, net=net).card
    assert shown == card(GAME, weights.load(GAME, net)[0], net)
    done = CliRunner().invoke(cli, ["train", "second-story", "--show", "--out", str(net)])
    assert done.stdout == f"{shown}\n"


def test_programs_get_what_the_file_says(net):
    words = ["train", "second-story", "--show", "--out", str(net), "--json"]
    told = json.loads(CliRunner().invoke(cli, words).stdout)
    assert told == weights.load(GAME, net)[0] | {"out": str(net)}


def test_of_all_games_those_with_a_net_are_shown(net, monkeypatch):
    nowhere = net.with_name("none.npz")
    monkeypatch.setattr(weights, "path_of", lambda game: net if game is GAME else nowhere)
    done = CliRunner().invoke(cli, ["train", "all", "--show"])
    assert done.stdout.startswith("Second Story: a policy net")
    assert "Magnate" not in done.stdout
    monkeypatch.setattr(weights, "path_of", lambda _game: nowhere)
    done = CliRunner().invoke(cli, ["train", "all", "--show"], standalone_mode=False)
    assert "has no policy net" in str(done.exception)


@pytest.mark.parametrize("name", [name for name in games.names() if name != "secrets"])
def test_the_net_of_a_game_has_learned_every_number_of_players_and_all_options(name):
    """docs/players.md says so."""
    game = games.find(name)
    about, _ = weights.load(game)
    assert about["covers"] == [[players, weights.ANY] for players in game.players]
    shown = card(game, about, FILE)
    assert f"for {weights.titled(game)}\n" in shown
    assert "against greedy" in shown
