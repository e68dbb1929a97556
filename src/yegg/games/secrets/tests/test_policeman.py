"""SE-6 and SE-10 by option: a policeman who may stay, and what a captured spy brings."""

import numpy as np
import pytest

from yegg.games import find
from yegg.games.secrets import lore, odds
from yegg.games.secrets.events import Turn
from yegg.games.secrets.face import report

NAMES = ("Ann", "Bob", "Cid")


def test_se_6_by_option_a_policeman_may_stay_where_nobody_came(table):
    t = table(3, spies=1, policeman="may-stay").turn("9@2 g5", "9@3 g9", "8@1 g1")
    for seat in (0, 1, 2, -1):
        view = t.match.known_to(seat)[0]
        assert not view.stood.any(), "nothing binds anybody's policeman"
        assert odds.guarded(view, 0, 4) == pytest.approx(1 / 8)
    t.turn("g5", "8@3 g9", "5@1 g1")
    assert t.state.captor[2, 0] == 1  # he stood there again, and now a spy came


@pytest.mark.parametrize(("policeman", "bound"), [("moves", "must move"), ("may-stay", "may stay")])
def test_se_6_reports_say_whether_a_policeman_in_vain_may_stay(table, policeman, bound):
    t = table(3, spies=1, policeman=policeman)
    turn = Turn(1, [], [], {0: 4, 1: -1}, open=True)
    assert report.stood(t.state, NAMES, turn, 0)["next"] == bound
    assert not report.stood(t.state, NAMES, turn, 1)["next"], "he was idle and is free anyhow"


@pytest.mark.parametrize("reward", [0, 7, 15])
def test_se_10_by_option_a_captured_spy_brings_other_points(table, reward):
    t = table(3, spies=1, turns=1, reward=reward).turn("9@2 g8", "9@3 g9", "8@1 g1")
    assert list(t.scores) == [reward, 9 + reward, 0]


def test_se_10_the_policeman_of_medium_players_goes_by_the_reward(table):
    """Without a reward no secret is worth guarding more than another."""
    guards = []
    for reward in (0, 10):
        _, guard = lore.weigh(table(3, reward=reward).match.known_to(0)[0], 0)
        guards.append(guard[0, :9])
    assert np.ptp(guards[0]) == pytest.approx(0)
    assert guards[1][8] > guards[1][0]


def test_se_6_and_se_10_published_rules_are_the_usual_ones():
    usual = find("secrets").setup(4, {})
    assert (usual["reward"], usual["policeman"]) == (10, 0)
