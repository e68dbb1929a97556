"""The exact player knows what every choice is worth, and the search agrees with it."""

import random

import numpy as np
import pytest

from yegg import games, players
from yegg.engine import CHANCE, Match, Refused
from yegg.players import exact
from yegg.players.thinking.plan import Plan
from yegg.players.thinking.tree.mind import Mind

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


@pytest.mark.slow
def test_the_search_agrees_on_200_last_turns_of_second_story():
    losses = []
    for view, seat, choices, worth in last_turns(200, 30_000):
        choice = Mind(GAME, Plan(iterations=10_000), 1).choose(view, seat, choices)
        losses.append(worth.max() - worth[choices.index(choice)])
    assert np.mean(np.array(losses) <= 0.01) >= 0.99


def test_shares_add_up_and_a_won_game_is_won():
    for view, seat, choices, worth in last_turns(5, 3000):
        values = exact.values(GAME, view, len(choices), 3000)
        assert np.allclose(values.sum(axis=1), 1)
        assert np.array_equal(values[:, seat], worth)
        assert exact.Reckoner(GAME).choose(view, seat, choices) == choices[int(worth.argmax())]


def test_too_much_to_reckon_is_refused():
    match = Match(GAME, 3)
    while match.actor == CHANCE or len(match.choices) == 1:
        match.play(match.choices[0])
    with pytest.raises(Refused, match="more than"):
        exact.values(GAME, match.known_to(0), len(match.choices), 1000)


def test_what_is_hidden_is_refused():
    game = games.find("magnate")
    match, dice = Match(game, 2), random.Random(1)
    while match.actor == CHANCE or len(match.choices) == 1:
        match.play(dice.choice(match.choices))
    with pytest.raises(Refused, match="hidden"):
        exact.values(game, match.known_to(match.actor), len(match.choices))
