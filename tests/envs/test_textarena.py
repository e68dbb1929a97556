"""The games for TextArena: by its own package where it is here, else by what it promises."""

import enum
import importlib.util
import re
import sys
from types import ModuleType, SimpleNamespace

import pytest

import yegg
from yegg.envs import textarena as ours

SS = "second-story"


class Kind(enum.Enum):
    """TextArena's kinds of messages that are used here."""

    PROMPT, GAME_BOARD, GAME_ADMIN = enum.auto(), enum.auto(), enum.auto()


def stand_in():
    """What is used of TextArena 0.7: kinds of messages, the registry, `make`."""
    made, registry = ModuleType("textarena"), {}

    def register(id, entry_point, default_wrappers=None, **more):  # noqa: A002
        if id in registry:
            raise ValueError(f"Environment {id} already registered.")
        registry[id] = SimpleNamespace(entry_point=entry_point, more=more)

    made.ObservationType, made.GAME_ID = Kind, -1
    made.envs = SimpleNamespace(registration=SimpleNamespace(ENV_REGISTRY=registry))
    made.register = register
    made.make = lambda name, **more: registry[name].entry_point(**registry[name].more, **more)
    return made


@pytest.fixture(autouse=True)
def arena(monkeypatch):
    """TextArena, or its stand-in."""
    if importlib.util.find_spec("textarena") is None:
        monkeypatch.setitem(sys.modules, "textarena", stand_in())
    import textarena

    return textarena


def test_a_game_is_played_by_the_loop_of_textarena(arena):
    assert ours.identifier(SS) in ours.register()
    assert ours.register() == ours.register(), "a second time is no error"
    env = arena.make(ours.identifier(SS), rules="short")
    env.reset(num_players=3, seed=4)
    seats, done = set(), False
    while not done:
        player, observation = env.get_observation()
        assert all(sender == arena.GAME_ID for sender, _, _ in observation)
        assert observation[-1][2] is arena.ObservationType.GAME_BOARD
        assert (observation[0][2] is arena.ObservationType.PROMPT) == (player not in seats)
        seats.add(player)
        last = re.findall(r"^(\d+)\. ", observation[-1][1], re.MULTILINE)[-1]
        done, info = env.step(action=f"I take the last: [{last}]")
        assert info["player"] == player
    rewards, told = env.close()
    assert seats == {0, 1, 2} == set(rewards) == set(told)
    assert sum(rewards.values()) == pytest.approx(0)
    assert all(one["turn_count"] > 0 == one["illegal"] for one in told.values())
    assert env.state.done


def test_an_answer_that_is_no_choice_is_refused_and_at_last_loses(arena):
    env = ours.Arena(SS, tries=2)
    env.reset(2, seed=4)
    done, info = env.step("[dance]")
    assert not done
    assert "'dance' is not possible here" in info["refused"]
    player, (message,) = env.get_observation()
    assert player == 0
    assert message == (arena.GAME_ID, info["refused"], arena.ObservationType.GAME_ADMIN)
    assert env.step("[dance]")[0]
    rewards, told = env.close()
    assert rewards == {0: -1.0, 1: 1.0}
    assert told[0]["invalid_move"]
    assert not told[1]["invalid_move"]


def test_the_observation_wrapper_of_textarena_reads_ours(arena):
    if isinstance(arena.ObservationType, type) and arena.ObservationType is Kind:
        env = ours.Arena(SS)
        env.reset(2, seed=1)
        assert env.state.role_mapping == {-1: "GAME", 0: "Player 0", 1: "Player 1"}
        return
    env = arena.wrappers.LLMObservationWrapper(ours.Arena(SS))
    env.reset(num_players=2, seed=1)
    _, text = env.get_observation()
    assert text.startswith("\n[GAME] You play Second Story.")


def test_without_textarena_it_is_said_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "textarena", None)
    with pytest.raises(yegg.Refused, match="pip install textarena"):
        ours.Arena(SS)
