"""The example that learns by playing against itself: its gradients, its rewards, its player."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest
from programs import command, python

import yegg
from yegg import envs
from yegg.observations.setting import setting

FOLDER = Path(__file__).parents[2] / "examples" / "learn"
SHORT = ["--option", "chips=3", "--games", "16", "--steps", "12", "--part", "64"]
SMALL = [*SHORT, "--units", "8", "--meet", "6", "--lines", "2", "--decisions", "1000"]


@pytest.fixture(scope="module")
def ppo():
    """The example as a module."""
    spec = importlib.util.spec_from_file_location("ppo", FOLDER / "ppo.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["ppo"] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["ppo"]


@pytest.fixture(scope="module")
def sample(ppo):
    """A net and decisions to learn from, in numbers precise enough for finite differences."""
    rng, table = np.random.default_rng(3), setting("second-story")
    net = ppo.Net.fresh(table, 8, rng)
    net.weights[:] = [rng.normal(weight, 0.2) for weight in net.weights]
    many, actions = 40, table.choices.shape[1]
    seen = rng.random((many, len(table.columns)))
    net = net.used_to(seen)
    legal = rng.random((many, actions)) < 0.5
    legal[:, 3] = True
    action = np.array([rng.choice(np.flatnonzero(row)) for row in legal])
    chance = net.forward(seen, legal)[0][np.arange(many), action] + rng.normal(0, 0.3, many)
    return net, [seen, legal, action, chance, rng.normal(size=many), rng.normal(size=many)]


def test_gradients_are_those_of_finite_differences(ppo, sample):
    net, decisions = sample
    _, slopes = ppo.loss(net, decisions, 0.05)
    rng, tiny = np.random.default_rng(4), 1e-6
    for weight, slope in zip(net.weights, slopes, strict=True):
        for _ in range(12):
            at = tuple(rng.integers(size) for size in weight.shape)
            kept, found = weight[at], []
            for moved in (kept + tiny, kept - tiny):
                weight[at] = moved
                found.append(ppo.loss(net, decisions, 0.05)[0])
            weight[at] = kept
            assert (found[0] - found[1]) / (2 * tiny) == pytest.approx(slope[at], abs=1e-6)


def test_what_is_not_legal_has_no_chance_and_steps_make_the_loss_smaller(ppo, sample):
    net, decisions = sample
    own = net._replace(weights=[weight.copy() for weight in net.weights])
    adam, losses = ppo.Adam(own.weights), []
    for _ in range(60):
        total, slopes = ppo.loss(own, decisions, 0.01)
        losses.append(total)
        adam.step(own.weights, slopes, 0.003)
    assert losses[-1] < 0.8 * losses[0]
    chances = np.exp(own.forward(*decisions[:2])[0])
    assert not chances[~decisions[1]].any()
    assert chances.sum(1) == pytest.approx(1)


def test_a_seat_learns_from_its_own_decisions_and_from_how_the_game_ends(ppo):
    """Seats 1, 2, 1, and the game is over; 2, 1, 1 in the next, whose end nobody knows yet."""
    over, rewards = np.zeros((6, 1), bool), np.zeros((6, 1, 2), np.float32)
    over[2], rewards[2] = True, [1, -1]
    value = np.array([[0.5], [0.25], [0.75], [0.125], [0.5], [0.25]], np.float32)
    actor = np.array([[0], [1], [0], [1], [0], [0]])
    none, lam = np.zeros((6, 1)), 0.95
    played = ppo.Played(none, none, none, none, value, actor, over, rewards)
    better, known = ppo.advantages(played, lam)
    assert known[:, 0].tolist() == [True, True, True, False, True, False]
    last = 1 - 0.75
    wanted = [0.75 - 0.5 + lam * last, -1 - 0.25, last, 0, 0.25 - 0.5, 0]
    assert better[:, 0] == pytest.approx(wanted)


def test_late_decisions_wait_for_the_next_lesson(ppo):
    said, rng = ppo.asked(SMALL), np.random.default_rng(2)
    batch = envs.batch("second-story", games=6, seed=1)
    net = ppo.Net.fresh(batch.setting, 8, rng)
    before = ppo.play(batch, net, ppo.TAIL + 20, rng, None)
    played = ppo.play(batch, net, ppo.TAIL + 20, rng, before)
    for old, new in zip(before, played, strict=True):
        assert (old[-ppo.TAIL :] == new[: ppo.TAIL]).all()
    assert not np.array_equal(before.seen[: ppo.TAIL], played.seen[: ppo.TAIL])
    first = net.weights[0].copy()
    played.seen[-ppo.TAIL :] = np.nan
    ppo.lesson(net, ppo.Adam(net.weights), played, 0.01, said, rng)
    assert np.isfinite(net.weights[0]).all()
    assert (net.weights[0] != first).any()


@pytest.mark.wide
def test_a_seed_gives_one_net_and_that_can_play(ppo, tmp_path, monkeypatch):
    monkeypatch.setenv("LEARNED", str(tmp_path))
    one, two = (ppo.learn(ppo.asked(SMALL)) for _ in range(2))
    for weight, other in zip(one.weights, two.weights, strict=True):
        assert (weight == other).all()
    with np.load(tmp_path / "second-story-3.npz") as kept:
        assert kept["curve"].shape == (3, 7)
        assert (kept["arr_0"] == one.weights[0]).all()
    match = yegg.Match("second-story", players=3, seed=5, options={"chips": "3"})
    seats = [ppo.Learned() for _ in range(3)]
    while not match.over:
        match.play(seats[match.actor].choose(match.view()))
    assert min(match.places) == 1
    for kept, learned in zip(seats[0].net[2:], two[2:], strict=True):
        assert (kept == learned).all()


@pytest.mark.wide
def test_it_runs_as_a_program_and_its_player_sits_at_an_arena(tmp_path):
    done = python(FOLDER / "ppo.py", *SHORT, "--minutes", "0.02", "--meet", "40", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "against greedy" in done.stdout
    words = "arena", "second-story", "--option", "chips=3", "-n", "6", "--bots", "ppo:Learned,easy"
    met = command(*words, cwd=tmp_path, paths=[FOLDER])
    assert met.returncode == 0, met.stderr
    assert "forfeited" not in met.stdout
    drawn = python(FOLDER / "curve.py", "second-story-3.npz", "curve.svg", cwd=tmp_path)
    assert drawn.returncode == 0, drawn.stderr
    assert "against" in (tmp_path / "curve.svg").read_text()
    told = python(FOLDER / "ppo.py", "--help").stdout
    assert "plays all seats" in told
