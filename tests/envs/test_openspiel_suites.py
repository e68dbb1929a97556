"""OpenSpiel's own tests and algorithms, as they are, on our games."""

import random
import unittest

import numpy as np
import pyspiel
import pytest
from absl import flags
from open_spiel.python.algorithms import best_response, cfr, exploitability, ismcts, mcts
from programs import python
from spiel import CONVERTED, ORDERS_IN_TURN, ORDERS_TOGETHER, check_at_random, go, tree, walk

from yegg import games
from yegg.envs import openspiel
from yegg.lab.policies.exploitability import Opponent, counter

pytestmark = pytest.mark.wide
MORE = [
    "yegg_magnate(players=1,automa=hard,districts=four)",
    "yegg_secrets(players=6,hidden=yes)",
    "yegg_secrets(posts=open,turn_based=True)",
    "yegg_second_story(players=5,courts=yes,chips=3)",
    "yegg_thiefs_market(players=5,promos=yes)",
    "turn_based_simultaneous_game(game=yegg_secrets())",
]
SEARCH = """
import pyspiel
from open_spiel.python.games import tic_tac_toe
game = pyspiel.load_game("{}")
rollouts = pyspiel.RandomRolloutEvaluator(1, 0)
bot = pyspiel.MCTSBot(game, rollouts, 2.0, 10, 100, False, 0, False)
print(bot.step(game.new_initial_state()))
"""


def passes(cases):
    """Run tests of `unittest`; how many."""
    result = unittest.TestResult()
    unittest.TestSuite(cases).run(result)
    faults = [text for _, text in (*result.errors, *result.failures)]
    assert not faults, faults[0]
    assert not result.skipped
    return result.testsRun


@pytest.mark.parametrize("name", MORE)
def test_random_games_with_options(name):
    check_at_random(pyspiel.load_game(name), num_sims=3, serialize=True, verbose=False)


def test_openspiels_simulations():
    from open_spiel.python.tests import games_sim_test  # it lists what is registered by now

    suite = games_sim_test.GamesSimTest
    assert passes(suite(name) for name in dir(suite) if "yegg" in name) == 16


def test_openspiels_test_of_the_interface(monkeypatch):
    """Of some states of each game, and of the whole tree of a miniature in both forms."""
    from open_spiel.integration_tests import api_test

    if not flags.FLAGS.is_parsed():
        flags.FLAGS.mark_as_parsed()
    monkeypatch.setattr(flags.FLAGS, "test_only_games", ".*yegg_.*")
    small = {"in_turn": ORDERS_IN_TURN, "converted": CONVERTED}
    monkeypatch.setattr(api_test, "_GAMES_FULL_TREE_TRAVERSAL_TESTS", list(small.items()))
    for name, text in small.items():
        states = list(tree(pyspiel.load_game(text).new_initial_state()))
        ended = sum(state.is_terminal() for state in states)
        assert ended == 512  # each of three players has four ways to steal and two to guard
        monkeypatch.setitem(api_test.TOTAL_NUM_STATES, name, (0, len(states) - ended, ended))
        monkeypatch.setitem(api_test.PERFECT_RECALL_NUM_STATES, name, 15)
    loader = unittest.TestLoader()
    suites = map(loader.loadTestsFromTestCase, api_test._create_test_case_classes())
    assert passes(suites) == 36


def test_mixtures_of_orders_are_found_that_cannot_be_exploited():
    game = pyspiel.load_game(ORDERS_IN_TURN)
    solver, found = cfr.CFRPlusSolver(game), []
    for _ in range(3):
        for _ in range(30):
            solver.evaluate_and_update_policy()
        found.append(exploitability.nash_conv(game, solver.average_policy()))
    assert found[0] > found[1] > found[2]
    assert found[2] < 0.03
    in_cpp = pyspiel.CFRPlusSolver(game)
    for _ in range(30):
        in_cpp.evaluate_and_update_policy()
    assert pyspiel.nash_conv(game, in_cpp.average_policy()) == pytest.approx(found[0])


def test_the_end_of_a_small_second_story_is_solved():
    """A game of two players with three chips each, from five events before its end on."""
    name = "yegg_second_story(players=2,chips=3,horizon={},recall=9)"
    state, dice = pyspiel.load_game(name.format(2000)).new_initial_state(), random.Random(3)
    while not state.is_terminal():
        go(state, dice)
    history = state.history()
    start = ";".join(map(str, history[:-5]))
    small = f"start_at(history={start},game={name.format(len(history))})"
    game = pyspiel.load_game(small)
    states = list(tree(game.new_initial_state()))
    wins = {tuple(state.returns()) for state in states if state.is_terminal()}
    deciders = {state.current_player() for state in states if len(state.legal_actions()) > 1}
    assert (len(wins), deciders) == (2, {pyspiel.PlayerId.CHANCE, 0, 1})
    solver = cfr.CFRPlusSolver(game)
    for _ in range(10):
        solver.evaluate_and_update_policy()
    mixture = solver.average_policy()
    assert exploitability.nash_conv(game, mixture) < 0.001
    best = best_response.BestResponsePolicy(game, 0, mixture).value(game.new_initial_state())
    assert 0 < best < 1


def test_what_hard_loses_to_the_best_response_is_what_yegg_counter_says():
    options = {"secrets": "2", "spies": "1", "turns": "1"}
    found = counter(Opponent(games.find("secrets"), 3, options, "hard"), 300, 1).best_answer
    game = pyspiel.load_game(ORDERS_IN_TURN)
    bot = openspiel.BotPolicy(game, "hard", samples=200, seed=3)
    start = game.new_initial_state()
    best = [best_response.BestResponsePolicy(game, seat, bot).value(start) for seat in range(3)]
    share = (2 * np.mean(best) + 1) / 3
    assert found.low <= share <= found.high


def test_information_set_search_plays_every_game_of_turns():
    for name in ("yegg_magnate", "yegg_secrets(players=3,turns=1,turn_based=True)"):
        game, dice = pyspiel.load_game(name), np.random.RandomState(1)
        rollouts = mcts.RandomRolloutEvaluator(1, dice)
        bot = ismcts.ISMCTSBot(game, rollouts, 2.0, 20, random_state=dice)
        for i, state in enumerate(walk(game, 3)):
            if not state.is_chance_node() and not state.is_terminal() and i % 20 == 0:
                assert bot.step(state) in state.legal_actions()


def test_our_search_plays_where_openspiels_in_cpp_crashes():
    assert python("-c", SEARCH.format("tic_tac_toe")).returncode == 0
    assert python("-c", SEARCH.format("python_tic_tac_toe")).returncode < 0  # its own game
    game = pyspiel.load_game("yegg_second_story(players=2,chips=3)")
    bot, state = openspiel.YeggBot(game, 0, "search:200"), game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    assert bot.step(state) in state.legal_actions()


def test_resampling_leaves_the_orders_of_a_simultaneous_node_as_many_as_they_were():
    state = pyspiel.load_game(ORDERS_TOGETHER).new_initial_state()
    go(state, random.Random(1))
    twins = [
        state.resample_from_infostate(0, pyspiel.UniformProbabilitySampler(0.0, 1.0))
        for _ in range(40)
    ]
    lines = {str(twin) for twin in twins}
    assert 2 <= len(lines) <= 16  # four ways to steal, of each of two others
    assert all(twin.is_simultaneous_node() for twin in twins)
