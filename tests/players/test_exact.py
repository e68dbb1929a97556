"""The exact player knows what every choice is worth, and the search agrees with it."""

import random
import sys
from textwrap import dedent

import numpy as np
import pytest

from yegg import games, players
from yegg.engine import CHANCE, Game, Match, Refused
from yegg.players import exact
from yegg.players.search import Mind
from yegg.players.thinking.plan import Plan

GAME = games.find("second-story")


def last_turns(wanted, positions):
    """Last-turn decisions of greedy burglars whose rest is small: view, seat, choices, values."""
    dice, game = random.Random(7), 0
    while wanted:
        match, bot = Match(GAME, 3), players.Bot("greedy", game)
        game += 1
        while not match.over and wanted:
            if match.actor == CHANCE:
                match.play(dice.choice(match.choices))
                continue
            view, seat, choices = match.known_to(match.actor), match.actor, match.choices
            if match.state["last_turns"] == 1 and len(choices) > 1:
                try:
                    worth = exact.values(GAME, view, len(choices), positions)
                except Refused:
                    pass
                else:
                    wanted -= 1
                    yield view, seat, choices, worth[:, seat]
            match.play(bot.choose(match.view()))


@pytest.mark.wide
def test_the_search_agrees_on_last_turns_of_second_story():
    losses = []
    for view, seat, choices, worth in last_turns(200, 30_000):
        choice = Mind(GAME, Plan(iterations=10_000), 1).choose(view, seat, choices)
        losses.append(worth.max() - worth[choices.index(choice)])
    assert np.mean(np.array(losses) <= 0.01) >= 0.99


def test_shares_add_up_and_a_won_game_is_won():
    for view, seat, choices, worth in last_turns(2, 3000):
        values = exact.values(GAME, view, len(choices), 3000)
        assert np.allclose(values.sum(axis=1), 1)
        assert np.array_equal(values[:, seat], worth)
        assert exact.Reckoner(GAME).choose(view, seat, choices) == choices[int(worth.argmax())]


def test_too_much_to_reckon_is_refused():
    match = Match(GAME, 3)
    match.to_decision()
    with pytest.raises(Refused, match="more than"):
        exact.values(GAME, match.known_to(0), len(match.choices), 1000)


def test_what_is_hidden_is_refused():
    game = games.find("magnate")
    match = Match(game, 2).to_decision()
    with pytest.raises(Refused, match="hidden"):
        exact.values(game, match.known_to(match.actor), len(match.choices))


STICKS = {
    "__init__": '"""Nim of one heap."""',
    "words": """
        def say(s, choice):
            return f"take {choice + 1}"
        """,
    "rules": """
        from yegg.engine import NOBODY, Record, option
        CHOICES = 3
        class State(Record):
            players = 0
            heap = option(20, 7, 40, says="sticks")
            turn = taken = hand = 0
        def deal(s):
            pass
        def actor(s):
            return NOBODY if s.taken == s.heap else s.turn
        def legal(s, out):
            k = min(3, s.heap - s.taken)
            for i in range(k):
                out[i] = i
            return k
        def play(s, choice):
            s.taken += choice + 1
            s.hand = choice
            s.turn = 1 - s.turn
        def hide(s, seat):
            HIDDEN
        def score(s, seat):
            return int(s.taken == s.heap and s.turn != seat)
        def standing(s, seat):
            return score(s, seat)
        """,
}


@pytest.fixture
def sticks(tmp_path, monkeypatch):
    """Make a small game: of 20, 7 or 40 sticks two players take one to three."""

    def make(name, hide="pass"):
        (tmp_path / name).mkdir()
        for part, text in STICKS.items():
            (tmp_path / name / f"{part}.py").write_text(dedent(text).replace("HIDDEN", hide))
        monkeypatch.syspath_prepend(tmp_path)
        return Game(name, name.title(), "Take the last one.", players=range(2, 3), usual=2)

    yield make
    for name in [name for name in sys.modules if name.startswith("sticks")]:
        del sys.modules[name]


def test_it_is_offered_where_little_can_happen_and_all_is_seen(sticks):
    game = sticks("sticks_open")
    assert players.objection(game, "exact", 2, {"heap": "20"}) is None
    assert "exact" in players.able(game, 2, game.defaults(2))
    why = players.objection(game, "exact", 2, {"heap": "40"})
    assert "more can happen" in why, "3 to the power of 20, more or less"
    hidden = sticks("sticks_hidden", hide="s.hand = 0")
    why = players.objection(hidden, "exact", 2, {})
    assert why == "it needs to see everything, and in Sticks_Hidden something is hidden"
    assert players.objection(hidden, "search:2000", 2, {}) is None
