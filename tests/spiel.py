"""States of our games in OpenSpiel, for tests: games played at random, trees, what is told."""

import pickle
import random

import numpy as np
import pyspiel

import yegg.envs.openspiel  # noqa: F401  registers the games
from yegg.engine import CHANCE

TINY = "yegg_secrets(players=3,secrets=2,spies=1,turns=1,horizon=12{more})"
ORDERS_IN_TURN = TINY.format(more=",turn_based=True")
ORDERS_TOGETHER = TINY.format(more="")
CONVERTED = f"turn_based_simultaneous_game(game={ORDERS_TOGETHER})"
FULL = [
    "yegg_second_story",
    "yegg_thiefs_market",
    "yegg_magnate(courts=yes)",
    "yegg_secrets(turns=2)",
    "yegg_secrets(turns=2,hidden=yes,turn_based=True)",
]


check_at_random = pyspiel.random_sim_test
"""OpenSpiel's own check of a game, played at random; its library ends with an error."""


def go(state, dice):
    """An action, or one of each player, by chance."""
    if state.is_simultaneous_node():
        everybody = range(state.num_players())
        state.apply_actions([dice.choice(state.legal_actions(seat)) for seat in everybody])
    else:
        state.apply_action(dice.choice(state.legal_actions()))


def walk(game, seed, *, stop=1.0):
    """The states of a game played at random; each is given before it is played on."""
    state, dice = game.new_initial_state(), random.Random(seed)
    while not state.is_terminal() and dice.random() < stop:
        yield state
        go(state, dice)
    yield state


def ended(name, seed):
    return list(walk(pyspiel.load_game(name), seed))[-1]


def told(state, seat):
    """All that a state tells a seat, as bytes."""
    numbers = state.information_state_tensor(seat), state.observation_tensor(seat)
    words = state.information_state_string(seat) + state.observation_string(seat)
    return np.array([*numbers[0], *numbers[1]], np.float32).tobytes() + words.encode()


def copied(thing):
    """It, pickled and read back."""
    return pickle.loads(pickle.dumps(thing))  # noqa: S301  our own


def at(game, match):
    """The state of a match."""
    state = game.new_initial_state()
    for actor, choice in zip(match.actors, match.history, strict=True):
        state.apply_action(
            game.outcome_of[choice] if actor == CHANCE else int(game.setting.actions[actor, choice])
        )
    return state


def tree(state):
    """All states from this one on."""
    todo = [state]
    while todo:
        here = todo.pop()
        yield here
        todo += [here.child(action) for action in here.legal_actions()]
