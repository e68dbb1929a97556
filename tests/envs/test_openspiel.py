"""OpenSpiel plays our games: they load, run, are kept, read back and refused."""

import copy
import itertools
import random
from io import BytesIO
from pathlib import Path

import numpy as np
import pyspiel
import pytest
from absl import flags
from open_spiel.python import policy, rl_environment
from open_spiel.python.algorithms import evaluate_bots, exploitability, mcts, random_agent
from programs import python
from spiel import (
    CONVERTED,
    FULL,
    ORDERS_IN_TURN,
    ORDERS_TOGETHER,
    check_at_random,
    copied,
    ended,
    go,
    told,
    walk,
)

from yegg import games
from yegg.engine import Match, NotLegal, Refused, notation
from yegg.envs import openspiel

PLAYED = sorted((Path(__file__).parent / "playthroughs").iterdir())


def test_every_game_is_registered_with_its_options():
    assert openspiel.names() == [f"yegg_{name.replace('-', '_')}" for name in games.names()]
    for name in games.names():
        there = pyspiel.load_game(f"yegg_{name.replace('-', '_')}").get_type()
        options = {option.replace("-", "_") for option in games.find(name).options}
        assert options <= set(there.parameter_specification)
    game = pyspiel.load_game("yegg_magnate(players=2,courts=yes,districts=four)")
    assert game.setting.options == {"courts": "yes", "districts": "4"}
    with pytest.raises(Refused, match="automa"):
        pyspiel.load_game("yegg_magnate(players=1)")
    with pytest.raises(Refused, match="it can be no or yes"):
        pyspiel.load_game("yegg_magnate(courts=maybe)")


def test_without_openspiel_the_extra_is_named():
    code = "import sys; sys.modules['pyspiel'] = None; import yegg.envs.openspiel"
    assert 'pip install "yegg[openspiel]"' in python("-c", code).stderr


def test_nothing_is_loaded_unasked_and_the_process_ends_well():
    code = "import sys, yegg.envs; print('pyspiel' in sys.modules); import yegg.envs.openspiel"
    done = python("-c", code)
    assert (done.returncode, done.stdout) == (0, "False\n"), done.stderr


@pytest.mark.wide(but=["yegg_second_story", "yegg_secrets(turns=2)"])
@pytest.mark.parametrize("name", FULL)
def test_openspiels_random_games(name):
    check_at_random(pyspiel.load_game(name), num_sims=1, serialize=True, verbose=False)


@pytest.mark.wide(but=["second_story", "secrets", "secrets_in_turn"])
@pytest.mark.parametrize("path", PLAYED, ids=lambda path: path.stem)
def test_playthroughs_are_as_they_were(path):
    """`generate_playthrough.update_path` writes them anew.  It is slow to load."""
    from open_spiel.python.algorithms import generate_playthrough

    flags.FLAGS.mark_as_parsed()
    was, now = generate_playthrough.replay(str(path))
    assert now == was


def test_a_full_sheet_passes_while_others_write():
    game, dice = pyspiel.load_game("yegg_secrets(players=3,recall=60)"), random.Random(2)
    passed = 0
    for state in walk(game, 4):
        if state.is_simultaneous_node():
            idle = [state.legal_actions(seat) == [game.idle] for seat in range(3)]
            assert not all(idle)
            passed += sum(idle)
            for seat in range(3):
                if idle[seat]:
                    assert state.action_to_string(seat, game.idle) == "pass"
                    assert state.legal_actions_mask(seat)[game.idle]
    assert passed
    assert dice


@pytest.mark.parametrize("name", ["second-story", "magnate", "thiefs-market"])
def test_chance_has_the_probabilities_that_the_engine_has(name):
    """χ² of what the engine's own chance does first, over 3,000 games."""
    game = pyspiel.load_game(f"yegg_{name.replace('-', '_')}")
    state, dice = game.new_initial_state(), random.Random(5)
    while not state.is_chance_node():
        go(state, dice)
    outcomes = dict(state.chance_outcomes())
    assert sum(outcomes.values()) == pytest.approx(1)
    before, counts = state.match(), dict.fromkeys(outcomes, 0)
    match = Match(game.setting.game, game.setting.players)
    for seed in range(3000):
        match.seed = seed
        match.restart()
        for choice in before.history[len(match.history) :]:
            match.play(choice)
        counts[game.outcome_of[match.history[len(before.history)]]] += 1
    odds = {outcome: 3000 * chance for outcome, chance in outcomes.items()}
    surprise = sum((counts[one] - odds[one]) ** 2 / odds[one] for one in outcomes)
    free = len(outcomes) - 1
    assert surprise < free + 5 * (2 * free) ** 0.5


@pytest.mark.parametrize("name", FULL)
def test_a_history_is_a_record(name):
    state = ended(name, 3)
    match = state.match()
    read = notation.read(BytesIO(state.record().encode()), "it", games.find)
    assert (read.history, read.scores, read.places) == (match.history, match.scores, match.places)
    assert len(state.record(seat=0).splitlines()) == len(state.record().splitlines())
    best = [place == 1 for place in match.places]
    assert [value > 0 for value in state.returns()] == best or sum(best) > 1
    assert sum(state.returns()) == pytest.approx(0)
    assert state.get_game().min_utility() <= min(state.returns())
    assert max(state.returns()) <= state.get_game().max_utility()


@pytest.mark.wide(
    but=[
        "yegg_second_story",
        "yegg_magnate(courts=yes)",
        "yegg_secrets(turns=2)",
        "yegg_secrets(turns=2,hidden=yes,turn_based=True)",
    ]
)
@pytest.mark.parametrize("name", FULL)
def test_states_are_copied_kept_and_read_back(name):
    states = list(walk(pyspiel.load_game(name), 2, stop=0.98))
    state = states[-1]
    ways = [
        state.clone(),
        copy.deepcopy(state),
        copied(state),
        pyspiel.deserialize_game_and_state(
            pyspiel.serialize_game_and_state(state.get_game(), state)
        )[1],
    ]
    for twin in ways:
        assert type(twin) is openspiel.State
        assert (str(twin), twin.history()) == (str(state), state.history())
        assert told(twin, 0) == told(state, 0)
        assert twin.current_player() == state.current_player()
        if not twin.is_terminal():
            go(twin, random.Random(1))
            assert len(twin.history()) > len(state.history())
    assert copied(state.get_game()).setting is state.get_game().setting


def test_a_child_leaves_its_parent_as_it_was():
    state = list(walk(pyspiel.load_game("yegg_magnate"), 2, stop=0.95))[-1]
    words, history = str(state), state.history()
    for action in state.legal_actions():
        child = state.child(action)
        assert (str(state), state.history()) == (words, history)
        assert str(child.parent()) == words
        assert child.parent().history() == history


@pytest.mark.parametrize("name", ["yegg_second_story", "yegg_secrets(turns=1)"])
def test_undoing_is_refused_but_there_is_a_parent(name):
    """OpenSpiel 2.0.2 lets no game in Python undo: it keeps the history where Python is not."""
    state = ended(name, 1)
    with pytest.raises(pyspiel.SpielError, match="UndoAction function is not overridden"):
        state.undo_action(0, state.history()[-1])
    before = state.parent()
    assert state.history()[: len(before.history())] == before.history()
    assert not before.is_terminal()
    with pytest.raises(Refused, match="nothing is known"):
        state.get_game().new_initial_state().parent()


def test_what_is_not_legal_is_refused_and_changes_nothing():
    state = pyspiel.load_game(ORDERS_IN_TURN).new_initial_state()
    for action in (-2, 10_000, 87):
        with pytest.raises(NotLegal):
            state.apply_action(action)
    assert (str(state), state.history()) == ("dealt", [])
    together = pyspiel.load_game(ORDERS_TOGETHER).new_initial_state()
    with pytest.raises(Refused, match=r"legal_actions\(seat\)"):
        together.legal_actions()
    with pytest.raises(NotLegal, match="apply_actions"):
        together.apply_action(10)
    with pytest.raises(NotLegal, match="seat 2 is not legal here; possible: club steals"):
        together.apply_actions([together.legal_actions(0)[0], 86, 86])


@pytest.mark.wide
def test_both_forms_of_orders_are_one_game():
    """Even play is exploited alike, written in turn or at the same time."""
    for name in (ORDERS_IN_TURN, CONVERTED):
        game = pyspiel.load_game(name)
        conv = exploitability.nash_conv(game, policy.UniformRandomPolicy(game))
        assert conv == pytest.approx(0.05859, abs=1e-5)


@pytest.mark.parametrize("name", ["yegg_second_story(players=2,chips=3)", "yegg_secrets(turns=1)"])
def test_our_players_sit_down(name):
    game = pyspiel.load_game(name)
    bots = [openspiel.YeggBot(game, seat, "medium", 4) for seat in range(game.num_players())]
    state, dice = game.new_initial_state(), random.Random(3)
    while not state.is_terminal():
        if state.is_chance_node():
            go(state, dice)
        elif state.is_simultaneous_node():
            state.apply_actions([bot.step(state) for bot in bots])
        else:
            state.apply_action(bots[state.current_player()].step(state))
    assert max(state.returns()) > 0
    assert [bot.player_id() for bot in bots] == list(range(game.num_players()))
    with pytest.raises(Refused):
        openspiel.YeggBot(game, 0, "nobody")


def test_our_players_sit_where_openspiel_evaluates_bots():
    for name in ("yegg_secrets(turns=1)", CONVERTED, "yegg_second_story(players=2,chips=3)"):
        game = pyspiel.load_game(name)
        bots = [openspiel.YeggBot(game, seat, "uniform") for seat in range(game.num_players())]
        dice = np.random.RandomState(1)
        won = evaluate_bots.evaluate_bots(game.new_initial_state(), bots, dice)
        assert sum(won) == pytest.approx(0)


@pytest.mark.wide
def test_openspiels_agents_learn_from_both_kinds_of_tensor():
    for kind, name in itertools.product(
        rl_environment.ObservationType, ("yegg_magnate(recall=50)", "yegg_secrets(turns=1)")
    ):
        env = rl_environment.Environment(pyspiel.load_game(name), observation_type=kind)
        seats = range(env.num_players)
        agents = [random_agent.RandomAgent(i, env.action_spec()["num_actions"]) for i in seats]
        now = env.reset()
        while not now.last():
            asked = [now.observations["current_player"]] if env.is_turn_based else seats
            now = env.step([agents[seat].step(now).action for seat in asked])
        assert len(now.observations["info_state"][0]) == env.observation_spec()["info_state"][0]


def test_openspiels_search_in_python_plays():
    game = pyspiel.load_game("yegg_second_story(players=2,chips=3)")
    dice = np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 2, 20, mcts.RandomRolloutEvaluator(1, dice), random_state=dice)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    assert bot.step(state) in state.legal_actions()


@pytest.mark.wide
def test_a_fifth_game_is_there_without_another_line(pig):
    code = (
        "import pyspiel, yegg.envs.openspiel as o; print(o.names())\n"
        "game = pyspiel.load_game('yegg_pig(players=3,goal=50)')\n"
        "pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)"
    )
    assert "'yegg_pig'" in pig("-c", code)
