"""The policy net of a game, for those who compare their own with it."""

import sys

import numpy as np
import pytest
from card_arrays import Library, OnCard

from yegg import envs, games
from yegg.engine import Refused
from yegg.observations.layout import layout
from yegg.observations.setting import setting
from yegg.players.policy_net import weights
from yegg.players.policy_net.forward import forward
from yegg.players.policy_net.weights import PolicyWeights

GAMES = games.names()


def laid_down(name, folder, covers):
    """The file of a net that has learned nothing."""
    game, dice = games.find(name), np.random.default_rng(2)
    shapes = weights.shapes(game, 6)
    net = PolicyWeights(**{name: dice.normal(0, 0.3, shape) for name, shape in shapes.items()})
    weights.save(folder / "net.npz", weights.identity(game, 6) | {"covers": covers}, net)
    return folder / "net.npz"


@pytest.mark.parametrize("name", GAMES)
def test_it_says_what_the_net_says_of_its_columns(name, tmp_path):
    game = games.find(name)
    one = setting(game)
    path = laid_down(name, tmp_path, [[one.players, {}]])
    baseline = envs.baseline(name, net=path)
    assert baseline.about["covers"] == [[one.players, {}]]
    batch = envs.batch(name, 20, seed=3)
    batch.play_at_random(30)
    logits, values = baseline(batch.observations, batch.masks)

    told, net = layout(game), weights.load(game, path)[1]
    seen = np.zeros((20, len(told.columns)), np.float32)
    seen[:, told.columns_of(one)] = batch.observations
    seen[:, told.constants_of(one)] = 1
    legal = np.zeros((20, told.actions), bool)
    legal[:, told.actions_of(one)] = batch.masks
    wanted, worth, _ = forward(np, net, seen, legal)
    assert logits == pytest.approx(wanted[:, told.actions_of(one)], rel=1e-4, abs=1e-4)
    assert values == pytest.approx(worth, abs=1e-4)
    assert np.exp(logits).sum(1) == pytest.approx(1, abs=1e-5)
    assert not np.exp(logits)[batch.masks == 0].any()


def test_whole_numbers_mean_what_float32_does(tmp_path):
    path = laid_down("second-story", tmp_path, [[4, "any"]])
    baseline = envs.baseline("second-story", 4, net=path, chips="9")
    found = []
    for observe in ("float32", "int8"):
        batch = envs.batch("second-story", 8, 4, seed=1, observe=observe, chips="9")
        batch.step(batch.masks.argmax(1))
        found.append(baseline(batch.observations, batch.masks))
    for one, other in zip(*found, strict=True):
        assert one == pytest.approx(other, rel=1e-4, abs=1e-4)


class Cupy(Library):
    """CuPy, of which a baseline asks the name."""

    __name__ = "cupy"


class Given(OnCard):
    """An array that says of itself that it is on a card."""

    __cuda_array_interface__ = {"version": 3}  # noqa: RUF012


@pytest.mark.parametrize("observe", ["float32", "int8"])
def test_arrays_of_a_card_are_answered_by_arrays_of_the_card(observe, tmp_path, monkeypatch):
    """None of NumPy's is mixed with them; the same net answers both, as it does NumPy's alone."""
    monkeypatch.setitem(sys.modules, "cupy", Cupy())
    baseline = envs.baseline("second-story", 3, net=laid_down("second-story", tmp_path, [[3, {}]]))
    batch = envs.batch("second-story", 8, 3, seed=1, observe=observe)
    batch.play_at_random(20)
    given = batch.observations, batch.masks
    answered = baseline(*(array.view(Given) for array in given))
    assert all(isinstance(array, OnCard) for array in answered)
    for card, processor in zip(answered, baseline(*given), strict=True):
        assert not isinstance(processor, OnCard)
        assert np.array_equal(np.asarray(card), processor)


def test_a_setting_that_was_not_learned_is_refused(tmp_path):
    path = laid_down("second-story", tmp_path, [[3, {}]])
    with pytest.raises(Refused, match="has not learned to play with 4 players"):
        envs.baseline("second-story", 4, net=path)
    with pytest.raises(Refused, match="with 3 players and chips=9"):
        envs.baseline("second-story", 3, net=path, chips="9")
    with pytest.raises(Refused, match="another game"):
        envs.baseline("magnate", net=path)


def test_a_game_that_has_learned_nothing_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(weights, "path_of", lambda _game: tmp_path / "none.npz")
    with pytest.raises(Refused, match="Magnate has no policy net"):
        envs.baseline("magnate")
