"""The search thinks alike for the same seed, keeps its budget and stays in its memory."""

import random

import numpy as np
import pytest

from yegg import games, players
from yegg.engine import Match, Refused, kernels
from yegg.engine.engine import Engine
from yegg.players.search import Mind
from yegg.players.thinking import iterations, tree
from yegg.players.thinking.plan import Plan


def wander(game, players, seed, events):
    """A match after some random events, a player to choose."""
    match, dice = Match(game, players), random.Random(seed)
    for _ in range(events):
        if not match.over:
            match.play(dice.choice(match.choices))
    match.to_decision(seed)
    return wander(game, players, seed + 100, 5) if match.over else match


@pytest.fixture(params=games.names())
def game(request):
    return games.find(request.param)


@pytest.mark.wide
def test_the_same_seed_gives_the_same_choices(game):
    match = wander(game, game.usual, 3, 40)
    picks = [
        [bot.choose(match.view()) for _ in range(3)]
        for bot in (players.Bot("search:300", seed) for seed in (5, 5))
    ]
    assert picks[0] == picks[1]


@pytest.mark.wide
@pytest.mark.parametrize("name", ["search:20", "hard", "greedy", "uniform"])
def test_getting_ready_changes_nothing(game, name):
    """It happens in a game of its own, with as few players as there can be."""
    match = wander(game, max(game.players), 3, 10)
    fresh, ready = (players.Bot(name, 1, clock=False) for _ in range(2))
    ready.warm(game)
    assert not players.cold(game, name)
    assert ready.choose(match.view()) == fresh.choose(match.view())


@pytest.mark.wide
def test_no_choice_depends_on_what_is_hidden(game):
    """Deal the view out again: other hidden cards and orders, the same thoughts."""
    out, dice = np.zeros(game.choices, np.int32), np.ones(1, np.uint64)
    engine = game.engine()
    differed = 0
    for seed in range(6):
        match = wander(game, game.usual, seed, 30)
        seat = match.actor
        other = match.again()
        other.follow(match.history)
        other.states[:] = match.known_to(seat)
        engine.kernel(kernels.settle)(other.states, dice, out)
        other._refresh()
        if other.actor != seat:
            continue
        differed += other.states.tobytes() != match.states.tobytes()
        both = [players.Bot("search:60", 1).choose(it.view()) for it in (match, other)]
        assert both[0] == both[1]
    hidden = game.name == "magnate"
    assert differed or not hidden


@pytest.mark.wide
def test_a_full_tree_goes_on_learning_within_its_arrays():
    """Every index is checked, and the tree is far too small."""
    game = games.find("second-story")
    engine = Engine(game.rules, game.part("lore"), how="checked")
    match = wander(game, 3, 1, 20)
    grown = tree.plant(50, 120, 3)
    room = np.zeros(2, game.state.dtype)
    on = iterations.workspace(room, game.choices, 3)
    run = engine.kernel(iterations.think)
    root = match.states.view(np.uint64)
    run(root, on, grown, 2000, 10, np.zeros(1, np.uint64))
    node = engine.kernel(tree.recall)(grown, root, match.actor)
    assert grown.used[0] <= 50
    assert grown.used[1] <= 120
    assert grown.nodes["visits"][node] == 2000


def test_what_a_tree_takes_is_what_is_written():
    grown = tree.plant(1000, 5000, 3)
    assert sum(array.nbytes for array in grown) <= 1000 * (60 + 4 * 3) + 5000 * 24 + 16


@pytest.mark.wide
@pytest.mark.parametrize("seconds", [0.2, 0.5])
def test_seconds_are_kept(seconds, own_time):
    game = games.find("second-story")
    match = wander(game, 3, 1, 20)
    mind = Mind(game, Plan(seconds=seconds), 1)
    mind.choose(match.known_to(match.actor), match.actor, match.choices)  # compiled or loaded
    took = []
    for _ in range(5):
        begun = own_time()
        mind.choose(match.known_to(match.actor), match.actor, match.choices)
        took.append(own_time() - begun)
    assert 0.9 * seconds < np.median(took) < 1.1 * seconds


@pytest.mark.parametrize("name", ["search:", "search:0", "search:0.0s", "search:many", "search:-1"])
def test_a_budget_that_is_none_is_refused(name):
    if name == "search:":
        assert players.find(name)
        return
    with pytest.raises(Refused, match="search:2000"):
        players.find(name)


def test_others_take_no_budget():
    with pytest.raises(Refused, match="greedy takes no budget"):
        players.find("greedy:100")


def test_a_bot_that_thinks_sits_down_anew_where_others_play():
    """Its memory is as large as the number of sides."""
    bot = players.Bot("search:50", 1)
    for several in (2, 5, 3):
        match = Match("second-story", several, seed=1).to_decision()
        for _ in range(3):
            choice = bot.choose(match.view(match.actor))
            assert choice in match.choices
            match.play(choice)
            match.to_decision()
