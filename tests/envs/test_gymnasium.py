"""Gymnasium: its own checks pass, and many games in one batch are the same games as single ones."""

import copy
import pickle
import warnings
from itertools import product

import gymnasium
import numpy as np
import pytest
from environments import EVERY, check_strictly, drawn, keywords, replayed, uneven
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from yegg import games
from yegg.contract.cases import EACH
from yegg.engine import Match, NotLegal, Refused
from yegg.envs.gymnasium import OneSeat, OneSeatVector
from yegg.observations.setting import titled

MODES = list(AutoresetMode)


def named(name):
    return f"yegg/{titled(games.find(name))}"


BOTS = [("second-story", "uniform"), ("secrets", "uniform")]
BOTS += [pytest.param(name, "medium", marks=pytest.mark.wide) for name in ("magnate", "secrets")]


@pytest.mark.parametrize(("name", "bot"), BOTS)
def test_an_environment_passes_the_check_of_gymnasium(name, bot):
    env = check_strictly(gymnasium.make, named(name), bot=bot)
    check_strictly(check_env, env.unwrapped)
    env.reset(seed=1)
    env.step(env.unwrapped.single.sampled[0])


@pytest.mark.parametrize("case", [pytest.param(*c.values, marks=pytest.mark.wide) for c in EVERY])
def test_every_case_passes_the_check_of_gymnasium(case):
    options = {key: value for key, value in keywords(case).items() if key != "players"}
    env = gymnasium.make(named(case.name), players=case.players, **options)
    check_strictly(check_env, env.unwrapped)


def test_the_version_is_that_of_the_columns_or_else_of_the_rules():
    for name in games.names():
        made, game = gymnasium.spec(named(name)), games.find(name)
        version = 3 if name == "second-story" else game.version
        assert (made.namespace, made.version) == ("yegg", version)


KINDS = [
    ("second-story", {"chips": 3}, "uniform"),
    ("secrets", {"turns": 1, "hidden": True}, "uniform"),
    *(
        pytest.param(name, options, bot, marks=pytest.mark.wide)
        for name, options in [("magnate", {}), ("thiefs-market", {}), ("secrets", {"turns": 2})]
        for bot in ("uniform", "medium")
    ),
]


@pytest.mark.wide(
    but=[
        "AutoresetMode.NEXT_STEP-30-second-story-options0-uniform",
        "AutoresetMode.SAME_STEP-None-second-story-options0-uniform",
        "AutoresetMode.SAME_STEP-30-secrets-options1-uniform",
        "AutoresetMode.DISABLED-None-secrets-options1-uniform",
        "AutoresetMode.DISABLED-30-second-story-options0-uniform",
    ]
)
@pytest.mark.parametrize(("name", "options", "bot"), KINDS)
@pytest.mark.parametrize(("mode", "limit"), [*product(MODES, [None, 30])])
def test_a_vector_is_equal_to_single_environments_side_by_side(name, options, bot, mode, limit):
    how = options | {"bot": bot, "max_episode_steps": limit}
    many = OneSeatVector(name, 5, autoreset_mode=mode, **how)
    single = SyncVectorEnv([lambda: OneSeat(name, **how)] * 5, autoreset_mode=mode)
    told, wanted = many.reset(seed=11), single.reset(seed=11)
    dice, ends = np.random.default_rng(0), 0
    for step in range(150):
        assert data_equivalence(told, wanted, exact=True)
        actions = np.array([drawn(mask, dice) for mask in told[-1]["action_mask"]])
        if step % 61 == 5:
            actions[2] = many.single_action_space.n - 1  # not legal, as a rule
        told, wanted = many.step(actions), single.step(actions)
        assert data_equivalence(told, wanted, exact=True)
        done = told[2] | told[3]
        ends += done.sum()
        if mode == AutoresetMode.DISABLED and done.any():
            with pytest.raises(Refused, match="reset them"):
                many.step(actions)
            told = many.reset(options={"reset_mask": done})
            wanted = single.reset(options={"reset_mask": done.copy()})
            assert data_equivalence(told, wanted, exact=True)
            told[-1]["action_mask"] = many.batch.masks
            wanted = told
    assert ends > 5


def test_gymnasium_makes_the_native_vector():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        many = gymnasium.make_vec(named("second-story"), num_envs=3, bot="uniform", players=2)
    assert isinstance(many, OneSeatVector)
    assert many.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    seen, _ = many.reset(seed=[5, None, 7])
    other, _ = many.reset(seed=5)
    assert (seen[::2] == other[::2]).all()
    assert many.observation_space.contains(seen)
    with pytest.raises(Refused, match="3 games need 3 seeds"):
        many.reset(seed=[1])
    plain = OneSeatVector("second-story", 3, bot="uniform", players=2, copy=False)
    shown, info = plain.reset(seed=5)
    assert np.shares_memory(shown, plain.batch.observations)
    assert np.shares_memory(info["action_mask"], plain.batch.masks)


def test_the_agent_sits_one_seat_on_in_every_game_or_where_it_is_told():
    env = OneSeat("second-story", 3, bot="uniform")
    assert [env.reset(seed=1)[1]["seat"], *(env.reset()[1]["seat"] for _ in range(3))] == [
        0,
        1,
        2,
        0,
    ]
    env = OneSeat("second-story", 3, bot="uniform", seat=2)
    assert {env.reset()[1]["seat"] for _ in range(3)} == {2}
    with pytest.raises(Refused, match="seats are 0 to 2"):
        OneSeat("second-story", 3, seat=3)
    with pytest.raises(Refused, match="seat is a number"):
        OneSeatVector("second-story", 3, seat=None)


def finished(env, dice, seed=None):
    """Play a game at random to its end; what the last step told."""
    _, info = env.reset(seed=seed)
    while True:
        told = env.step(drawn(info["action_mask"], dice))
        info = told[-1]
        if told[2] or told[3]:
            return told


@pytest.mark.parametrize("name", EACH)
def test_a_game_is_one_record_and_rewards_are_shares_of_the_win(name):
    env, dice = OneSeat(name, bot="uniform"), np.random.default_rng(2)
    for seed in range(3):
        seen, reward, ended, _, info = finished(env, dice, seed)
        assert ended
        match = replayed(env.single.record())
        sides, places = len(match.places), match.places
        share = (places[info["seat"]] == 1) / places.count(1)
        assert reward == pytest.approx((sides * share - 1) / (sides - 1))
        known = match.known_to(info["seat"])
        wanted = env.single.observe_state(known, info["seat"], hidden=False)
        assert seen.tobytes() == wanted.tobytes()
        first = Match(name, match.players, seed=seed)
        assert match.history[: len(first.history)] == first.history


def test_chance_is_even():
    env, dice, matches = OneSeat("magnate", bot="uniform"), np.random.default_rng(0), []
    for seed in range(25):
        finished(env, dice, seed)
        matches.append(env.single.match())
    assert abs(uneven(matches)) < 4


def test_an_agent_is_shown_only_what_its_seat_may_know():
    env, dice = OneSeat("magnate", bot="uniform"), np.random.default_rng(3)
    seen, info = env.reset(seed=8)
    everything = 0
    for _ in range(40):
        match = env.single.match()
        known = match.known_to(info["seat"])
        wanted = env.single.observe_state(known, info["seat"], hidden=False)
        assert seen.tobytes() == wanted.tobytes()
        everything += seen.tobytes() != env.single.observe(info["seat"], hidden=False).tobytes()
        seen, *_, info = env.step(drawn(info["action_mask"], dice))
    assert everything > 20


@pytest.mark.parametrize("twin", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])  # noqa: S301
def test_a_copy_goes_on_alike(twin):
    one = OneSeat("second-story", bot="uniform")
    one.reset(seed=5)
    many = OneSeatVector("second-story", 3, bot="uniform")
    many.reset(seed=5)
    for env, masks in ((one, one.action_masks), (many, lambda: many.batch.masks)):
        for _ in range(4):
            env.step(masks().argmax(-1))
        other = twin(env)
        again = other.action_masks if env is one else lambda other=other: other.batch.masks
        for _ in range(9):
            told = env.step(masks().argmax(-1))
            assert data_equivalence(told, other.step(again().argmax(-1)), exact=True)


def test_an_action_that_is_not_legal_may_be_refused_or_replaced():
    env = OneSeat("second-story", bot="uniform", on_illegal="refuse")
    env.reset(seed=1)
    with pytest.raises(NotLegal):
        env.step(-1)
    env = OneSeat("second-story", bot="uniform", on_illegal="random")
    env.reset(seed=1)
    assert not env.step(-1)[2]
    env = OneSeat("second-story", 3, bot="uniform")
    env.reset(seed=1)
    assert env.step(-1)[1:3] == (-1, True)


FIFTH = """
import warnings, contextlib, io
import gymnasium
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test
from yegg import envs
for text in ("Observation space for each", "Observation is not a NumPy"):
    warnings.filterwarnings("ignore", text)
env = gymnasium.make("yegg.envs.gymnasium:yegg/Pig-v1", bot="uniform")
check_env(env.unwrapped)
with contextlib.redirect_stdout(io.StringIO()):
    api_test(envs.aec("pig", 3, goal=50), num_cycles=50)
    seed_test(lambda: envs.aec("pig"), num_cycles=50)
many = gymnasium.make_vec("yegg/Pig-v1", num_envs=3, bot="uniform")
many.reset(seed=1)
for _ in range(50):
    told = many.step(many.batch.masks.argmax(1))
print(type(many).__name__, many.columns[:4], told[0].shape)
"""


@pytest.mark.wide
def test_a_fifth_game_is_an_environment_without_a_further_line(pig):
    said = pig("-W", "error", "-c", FIFTH)
    told = "OneSeatVector ('seat=1', 'seat=2', 'seat=3', 'turn') (3, 13)"
    assert said.splitlines()[-1] == told


@pytest.mark.parametrize("name", EACH)
def test_a_bot_that_is_shown_nothing_chooses_as_it_would_otherwise(name):
    one, other = (OneSeatVector(name, 4, bot="uniform").batch for _ in range(2))
    other._slots = [slots._replace(blind=0) for slots in other._slots]
    for _ in range(150):
        for batch in (one, other):
            batch.step(batch.masks.argmax(1))
        assert one.states.tobytes() == other.states.tobytes()


def test_where_no_game_is_in_progress_an_error_says_so():
    one, many = OneSeat("second-story"), OneSeatVector("second-story", 2)
    for env, action in ((one, 0), (many, [0, 0])):
        with pytest.raises(gymnasium.error.ResetNeeded, match=r"call reset\(\) first"):
            env.step(action)
    one.reset(seed=1)
    while not one.single.over:
        one.step(one.single.sampled[0])
    with pytest.raises(gymnasium.error.ResetNeeded, match="the game is over"):
        one.step(0)
