"""The policy nets that come with games: whole, for all settings, and stronger than lore."""

import json

import pytest
from click.testing import CliRunner

from yegg import games
from yegg.cli import cli
from yegg.players.policy_net.policy_function import covered, learned
from yegg.players.policy_net.weights import path_of

SHIPPED = [name for name in games.names() if path_of(games.find(name)).exists()]
STRONGEST = {"magnate": (2,), "second-story": (3,), "thiefs-market": (3, 4, 5)}
"""With how many players `medium` is to beat `greedy`."""


def test_nets_are_shipped():
    assert sorted(STRONGEST) == SHIPPED


@pytest.mark.parametrize("name", SHIPPED)
def test_a_net_covers_every_setting_and_says_how_it_learned(name):
    game = games.find(name)
    found = learned(game)
    assert not found.lacking, "learn again: yegg train"
    assert found.about["course"]["learned_from"] > 10**6
    assert found.about["curve"][-1]["greedy"][1] > 1 / game.usual
    for option, made in game.options.items():
        for value in made.values:
            for players in game.seats({option: value}):
                assert covered(game, players, {option: value})


@pytest.mark.wide
@pytest.mark.parametrize(
    ("name", "players"), [(name, n) for name, many in STRONGEST.items() for n in many]
)
def test_medium_is_stronger_than_greedy(name, players):
    """By a confidence sequence: it stops as soon as it is clear."""
    line = ["arena", name, "-p", str(players), "--bots", "medium,greedy", "-n", "4000"]
    (pair,) = json.loads(CliRunner().invoke(cli, [*line, "--until-clear", "--json"]).stdout)[
        "pairs"
    ]
    assert pair["stronger"] == "medium"
    assert pair["judges"] == {"medium": "policy", "greedy": "lore"}
