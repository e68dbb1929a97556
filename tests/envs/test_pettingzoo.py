"""PettingZoo: its own tests pass, and an environment is one game of the engine, told by seats."""

import copy
import itertools
import pickle
import random
import sys
import warnings
from functools import partial
from types import SimpleNamespace

import numpy as np
import pettingzoo
import pettingzoo.test
import pytest
from environments import EVERY, check_strictly, drawn, keywords, replayed, uneven
from pettingzoo import AECEnv
from pettingzoo.test import parallel_seed_test
from pettingzoo.utils import parallel_to_aec
from programs import python
from twins import elsewhere, swapped

from yegg import envs, games
from yegg.contract.cases import EACH
from yegg.engine import Match, NotLegal, Refused, notation

AT_ONCE = [one for one in EVERY if one.values[0].name == "secrets"]


def made(case, **more):
    return envs.aec(case.name, **keywords(case), **more)


def at_once(case, **more):
    return envs.parallel(case.name, **keywords(case), **more)


@pytest.mark.parametrize("case", EVERY)
def test_turns_pass_the_tests_of_pettingzoo(case):
    check_strictly(pettingzoo.test.api_test, made(case), num_cycles=60)
    check_strictly(pettingzoo.test.seed_test, partial(made, case), num_cycles=60)


@pytest.mark.parametrize("case", AT_ONCE)
def test_acting_at_once_passes_the_tests_of_pettingzoo(case):
    check_strictly(pettingzoo.test.parallel_api_test, at_once(case), num_cycles=100)
    free = partial(at_once, case, on_illegal="random")  # these tests know of no masks
    check_strictly(parallel_seed_test, free, num_cycles=50)
    check_strictly(pettingzoo.test.api_test, parallel_to_aec(at_once(case)), num_cycles=40)
    both = SimpleNamespace(parallel_env=free, env=lambda **k: parallel_to_aec(free(**k)))
    if dict(case.options).get("turns") != "1":  # that is over before it can be cut off
        check_strictly(pettingzoo.test.max_cycles_test, both)


@pytest.mark.parametrize("name", games.names())
def test_vectors_have_their_masks_in_the_infos(name):
    """Then nothing is left that PettingZoo's own test warns of."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pettingzoo.test.api_test(envs.aec(name, observe="vector"), num_cycles=40)
    plain, env = envs.aec(name), envs.aec(name, observe="vector")
    plain.reset(seed=3)
    env.reset(seed=3)
    for seen in plain.agent_iter():
        told, (shown, *_, info) = plain.last()[0], env.last()
        assert env.agent_selection == seen
        assert np.array_equal(shown, told["observation"])
        assert np.array_equal(info["action_mask"], told["action_mask"])
        over = plain.terminations[seen] or plain.truncations[seen]
        action = None if over else int(np.flatnonzero(info["action_mask"])[-1])
        plain.step(action)
        env.step(action)
    assert not env.agents


def test_vectors_of_agents_who_act_at_once():
    plain, env = (
        envs.parallel("secrets", turns=1),
        envs.parallel("secrets", turns=1, observe="vector"),
    )
    told, (shown, infos) = plain.reset(seed=3)[0], env.reset(seed=3)
    while env.agents:
        actions = {}
        for agent in env.agents:
            assert np.array_equal(shown[agent], told[agent]["observation"])
            mask = infos[agent]["action_mask"]
            assert np.array_equal(mask, told[agent]["action_mask"])
            assert mask.any(), "a softmax never meets an empty row"
            actions[agent] = int(mask.argmax())
        told = plain.step(actions)[0]
        shown, *_, infos = env.step(actions)
    assert all(infos[agent]["action_mask"].tolist()[:2] == [1, 0] for agent in infos)
    assert env.step({}) == ({}, {}, {}, {}, {})


@pytest.mark.parametrize("make", [partial(envs.aec, "secrets"), partial(envs.parallel, "secrets")])
def test_where_no_game_is_in_progress_an_error_says_so(make):
    env = make(turns=1)
    act = env.step if isinstance(env, AECEnv) else lambda action: env.step({"player_0": action})
    for ask in (lambda: env.observe("player_0"), lambda: act(0)):
        with pytest.raises(Refused, match=r"call reset\(\) first"):
            ask()
    env.reset(seed=1)
    env.agents = []
    with pytest.raises(Refused, match=r"over: call reset\(\)"):
        act(0)
    with pytest.raises(Refused, match="observe can be dict, vector, not 'list'"):
        make(observe="list")


@pytest.mark.wide(but=["second-story-2"])
@pytest.mark.parametrize("case", EVERY)
def test_a_game_can_be_seen_in_every_way(case):
    check_strictly(pettingzoo.test.render_test, partial(made, case))


def test_pictures_are_all_of_one_size_and_tell_games_apart(capsys):
    env = envs.aec("second-story", render_mode="rgb_array")
    env.reset(seed=1)
    first = env.render()
    env.step(env.single.sampled[0])
    env.step(env.single.sampled[0])
    assert env.render().shape == first.shape
    assert (env.render() != first).any()
    assert "Second Story" in str(env.single.match())
    env = envs.parallel("secrets", render_mode="human")
    env.reset(seed=1)
    assert "Turn 1" in capsys.readouterr().out


def played(env, dice):
    """Play a game at random to its end; yield before each step."""
    while env.agents:
        yield env
        env.step(None if env.single.over else drawn(env.last()[0]["action_mask"], dice))


@pytest.mark.parametrize("case", EVERY)
def test_a_game_is_one_record_and_agents_see_what_hide_leaves(case):
    env, dice = made(case), np.random.default_rng(3)
    env.reset(seed=2)
    seen, masks, at = [], [], []
    for now in itertools.islice(played(env, dice), 400):
        if not now.single.over:
            seen.append([env.observe(agent) for agent in env.possible_agents])
            at.append(int(env.single.events[0]))
    record = env.single.record()
    history, setting = replayed(record).history, env.setting
    match = replayed(record).again()
    match.follow(history[: at[0]])
    for i, shown in enumerate(seen):
        match.follow(history[len(match.history) : at[i]])
        for seat, one in enumerate(shown):
            known = match.known_to(seat)
            wanted = env.single.observe_state(known, seat, hidden=False)
            assert one["observation"].tobytes() == wanted.tobytes()
            allowed = np.flatnonzero(one["action_mask"])
            asked = sorted(setting.choices[seat, allowed]) == match.choices
            masks.append(asked if seat == match.actor else allowed.tolist() == [0])
    assert all(masks)


def put(env, match):
    """Let an environment show a state of its game."""
    env.single.states[0] = match.states[0]
    env.single.actor[0] = match.actor
    env.agent_selection = env.possible_agents[match.actor]
    env.single.observations[0] = env.single.observe(match.actor)


@pytest.mark.parametrize("name", EACH)
def test_golden_records_look_as_hide_leaves_them(name):
    for path in sorted((games.find(name).folder / "records").glob("*.game"))[:4]:
        golden = notation.read_file(path, games.find)
        options = {key.replace("-", "_"): value for key, value in golden.options.items()}
        env, match = envs.aec(name, golden.players, **options), golden.again()
        env.reset()
        for i, choice in enumerate(golden.history):
            if match.actor >= 0 and i % 5 == 0:
                put(env, match)
                for seat, agent in enumerate(env.possible_agents):
                    known = match.known_to(seat)
                    wanted = env.single.observe_state(known, seat, hidden=False)
                    assert (env.observe(agent)["observation"] == wanted).all()
            match.follow([choice])


@pytest.mark.parametrize(("name", "options"), [("magnate", {}), ("secrets", {"hidden": "yes"})])
def test_agents_are_shown_nothing_that_is_hidden(name, options):
    env, dice, told = envs.aec(name, **options), random.Random(4), 0
    env.reset()
    match = Match(name, env.setting.players, env.setting.options)
    while not match.over:
        match.play(dice.choice(match.choices))
        if match.actor < 0 or dice.random() > 0.1:
            continue
        for seat, agent in enumerate(env.possible_agents):
            put(env, match)
            mine, everything = env.observe(agent)["observation"].tobytes(), env.state()
            for twins in (elsewhere(match, seat), swapped(match, seat)):
                for twin in itertools.islice(twins, 2):
                    put(env, twin)
                    assert env.observe(agent)["observation"].tobytes() == mine
                    told += (env.state() != everything).any()
    assert told > 5


def test_nobody_sees_what_others_write_at_the_same_time():
    one, other = envs.parallel("secrets", 3), envs.parallel("secrets", 3)
    (seen, _), _ = one.reset(seed=6), other.reset(seed=6)
    dice, compared, others = np.random.default_rng(1), 0, one.agents[1:]
    start = one.single.record()
    while True:
        same = {agent: drawn(seen[agent]["action_mask"], dice) for agent in one.agents}
        last = np.flatnonzero(other.observe("player_0")["action_mask"])[-1:].sum()
        seen, *_ = one.step(same)
        theirs, *_ = other.step(same | {"player_0": last})
        if one.single.record() != start or other.single.record() != start:
            break
        compared += one._sheets[0].actions != other._sheets[0].actions
        for agent in others:
            for key, shown in seen[agent].items():
                assert shown.tobytes() == theirs[agent][key].tobytes()
    assert compared >= 2


def test_acting_at_once_plays_the_same_game_as_in_turn():
    for seed in range(4):
        env, dice = envs.parallel("secrets", 4), np.random.default_rng(seed)
        seen, _ = env.reset(seed=seed)
        steps = 0
        while env.agents:
            masks = {agent: seen[agent]["action_mask"] for agent in env.agents}
            seen, rewards, *_ = env.step({a: drawn(mask, dice) for a, mask in masks.items()})
            steps += 1
        history, turns = env.single.match().history, envs.aec("secrets", 4)
        turns.reset(seed=seed)
        decisions = 0
        while not turns.single.over:
            choice = history[int(turns.single.events[0])]
            turns.step(int(turns.setting.actions[turns.single.seat, choice]))
            decisions += 1
        assert turns.single.record() == env.single.record()
        assert rewards == turns.rewards
        assert 2 * steps < decisions


def test_an_action_that_is_not_legal_is_refused_with_its_clause_and_ends_nothing():
    env = envs.aec("magnate")
    env.reset(seed=3)
    before = env.single.record()
    mask = env.last()[0]["action_mask"]
    reasons = []
    for action in [*np.flatnonzero(mask == 0), -1, 132]:
        with pytest.raises(NotLegal) as refused:
            env.step(action)
        reasons.append(str(refused.value))
    assert env.single.record() == before
    assert any("MG-" in reason for reason in reasons)
    assert reasons[-1] == "actions are 0 to 131, not 132"
    at = envs.parallel("secrets", 3)
    seen, _ = at.reset(seed=3)
    wrong = int(np.flatnonzero(seen["player_1"]["action_mask"] == 0)[0])
    good = {
        agent: drawn(one["action_mask"], np.random.default_rng(1)) for agent, one in seen.items()
    }
    with pytest.raises(NotLegal, match="player_1: action"):
        at.step(good | {"player_1": wrong})
    assert not any(sheet.actions for sheet in at._sheets)
    at.step(good)


def test_an_action_that_is_not_legal_may_lose():
    env = envs.aec("secrets", 3, on_illegal="lose")
    env.reset(seed=1)
    env.step(-1)
    assert env.rewards == {"player_0": -1, "player_1": 0.5, "player_2": 0.5}
    assert env.terminations["player_1"]
    assert [info["illegal"] for info in env.infos.values()] == [True, False, False]
    env = envs.parallel("secrets", 3, on_illegal="lose")
    seen, _ = env.reset(seed=1)
    good = {agent: int(one["action_mask"].argmax()) for agent, one in seen.items()}
    _, rewards, ended, _, infos = env.step(good | {"player_0": -1, "player_1": -1})
    assert rewards == {"player_0": -1, "player_1": -1, "player_2": 2}
    assert all(ended.values())
    assert [info["illegal"] for info in infos.values()] == [True, True, False]


def test_cycles_can_be_limited():
    env = envs.aec("second-story", max_cycles=7)
    env.reset(seed=1)
    steps = sum(not one.single.over for one in played(env, np.random.default_rng(1)))
    assert steps == 7
    env.reset(seed=1)
    for _ in range(7):
        env.step(env.single.sampled[0])
    assert all(env.truncations.values())
    assert not any(env.terminations.values())


@pytest.mark.parametrize("twin", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])  # noqa: S301
def test_a_copy_goes_on_alike(twin):
    for env in (envs.aec("magnate"), envs.parallel("secrets")):
        env.reset(seed=5)
        for _ in range(3):
            act(env)
        other = twin(env)
        for _ in range(6):
            act(env)
        assert other.single.record() != env.single.record()
        for _ in range(6):
            act(other)
        assert other.single.record() == env.single.record()
        for agent in env.possible_agents:
            assert other.observe(agent)["observation"].tobytes() == (
                env.observe(agent)["observation"].tobytes()
            )


def act(env):
    """The first legal action of whoever acts."""
    if hasattr(env, "agent_selection"):
        env.step(int(env.last()[0]["action_mask"].argmax()))
        return
    env.step({agent: int(env.observe(agent)["action_mask"].argmax()) for agent in env.agents})


@pytest.mark.parametrize("name", EACH)
def test_a_seed_is_a_game_of_the_engine_and_the_next_is_another(name):
    env = envs.aec(name)
    env.reset(seed=11)
    match = Match(name, env.setting.players, seed=11).to_decision()
    assert match.states.tobytes() == env.single.states.tobytes()
    first = env.single.states.tobytes()
    env.reset()
    second = env.single.states.tobytes()
    env.reset(seed=11)
    assert env.single.states.tobytes() == first
    env.reset()
    assert env.single.states.tobytes() == second


def test_chance_is_even():
    env, dice = envs.aec("second-story"), np.random.default_rng(0)
    matches = []
    for seed in range(30):
        env.reset(seed=seed)
        for _ in played(env, dice):
            pass
        matches.append(env.single.match())
    assert abs(uneven(matches)) < 4


def test_what_cannot_be_is_refused():
    with pytest.raises(Refused, match="players act one after the other"):
        envs.parallel("magnate")
    with pytest.raises(Refused, match="has no option 'corts'"):
        envs.aec("magnate", corts="yes")
    with pytest.raises(Refused, match="render_mode can be"):
        envs.aec("magnate", render_mode="svg")
    with pytest.raises(Refused, match="on_illegal can be refuse, lose, random"):
        envs.parallel("secrets", on_illegal="ignore")


@pytest.mark.parametrize("case", EVERY)
def test_spaces_have_named_columns(case):
    env = made(case)
    space = env.observation_space("player_0")
    assert space["observation"].shape == (len(env.columns),)
    assert env.action_space("player_0").n == space["action_mask"].shape[0]


def test_without_the_libraries_one_is_told_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    monkeypatch.delitem(sys.modules, "yegg.envs.pettingzoo", raising=False)
    with pytest.raises(Refused, match="aec needs gymnasium and pettingzoo: install"):
        envs.aec("magnate")


def test_without_what_draws_pictures_one_is_told_what_to_install(monkeypatch):
    env = envs.aec("second-story", render_mode="rgb_array")
    env.reset(seed=1)
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(Refused, match="pictures need pillow and resvg-py: install"):
        env.render()


def test_nothing_heavy_is_imported_before_an_environment_is_made():
    heavy = "{'numpy', 'numba', 'gymnasium', 'pettingzoo', 'pyspiel'}"
    done = python("-c", f"import sys, yegg.envs; print({heavy} & set(sys.modules))")
    assert done.stdout.strip() == "set()", done.stderr
