"""What a bot's mixture of secret orders loses to the best answer."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from yegg import games, players
from yegg.cli import cli
from yegg.engine import Refused
from yegg.lab.policies import exploitability as lab
from yegg.lab.policies.exploitability import Opponent, counter

GAME = games.find("secrets")
SMALL = {"secrets": "3", "spies": "1", "turns": "1"}


def run(*arguments):
    return CliRunner().invoke(cli, ["counter", *arguments], catch_exceptions=False)


def miniature(bot, spies="1"):
    return Opponent(GAME, 3, {**SMALL, "spies": spies}, bot)


class Creature:
    """Goes for another's first secret and guards its own first one, always."""

    def choose(self, view):
        return view.choices[0]


def test_every_way_to_order_is_looked_at():
    assert [len(lab.ways(miniature("uniform"), seat)) for seat in range(3)] == [18] * 3
    sheets = {tuple(sheet) for sheet in lab.ways(miniature("uniform", "2"), 1).tolist()}
    assert len(sheets) == 6 * 6 * 3


@pytest.mark.wide
def test_who_always_orders_the_same_is_seen_through():
    """Seats 1 and 2 wait for the spies that come, and steal a three; to seat 3 nobody comes."""
    found = counter(miniature(players.enrol(Creature)), 24)
    assert found.fair_share == 1 / 3
    assert [answer.share.value for answer in found.answers] == [1, 1, 0]
    assert found.answers[0].orders[1] == "guards 1"
    assert found.best_answer.value == pytest.approx(2 / 3)
    assert found.best_answer.low == found.best_answer.high == found.best_answer.value


@pytest.mark.wide
def test_the_command_tells_the_best_answer():
    arguments = ["secrets", "-p", "3", "--bots", "greedy", "-n", "60"]
    arguments += [word for name, value in SMALL.items() for word in ("--option", f"{name}={value}")]
    data = json.loads(run(*arguments, "--json").output)
    low, high = data["interval"]
    assert low < data["best_answer"] < high
    assert data["fair_share"] == pytest.approx(1 / 3)
    assert (data["orders"], len(data["seats"])) == (60, 3)
    assert data["best_answer"] == pytest.approx(
        np.mean([seat["best_answer"] for seat in data["seats"]])
    )
    text = run(*arguments).output
    assert "60 order sheets of greedy" in text
    assert "33.3 % is fair" in text


@pytest.mark.parametrize(
    ("game", "seats", "options", "why"),
    [
        ("magnate", 2, {}, "does not begin with secret orders"),
        ("secrets", 3, {}, "everybody gives orders once"),
        ("secrets", 3, {**SMALL, "hidden": "yes"}, "everybody gives orders once"),
        ("secrets", 3, {"turns": "1"}, "more than 2000 ways"),
    ],
)
def test_it_says_where_the_best_answer_cannot_be_known(game, seats, options, why):
    with pytest.raises(Refused, match=why):
        counter(Opponent(games.find(game), seats, options, "uniform"), 10)


def test_one_bot_is_answered_at_a_time():
    assert "one bot" in run("secrets", "--bots", "easy,hard").output


@pytest.mark.wide(minutes=2)
@pytest.mark.parametrize("spies", ["1", "2"])
@pytest.mark.parametrize(("level", "deals"), [("hard", 1000), ("expert", 300)])
def test_nobody_can_see_through_the_order_givers(level, deals, spies):
    """docs/players.md has the figures."""
    assert counter(miniature(level, spies), deals).best_answer.value <= 0.40
