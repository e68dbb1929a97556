"""Files of policy nets: what is written is read back, and nothing else is taken for a net."""

import numpy as np
import pytest

from yegg import games
from yegg.engine import Refused
from yegg.observations.setting import titled
from yegg.players.policy_net import weights
from yegg.players.policy_net.weights import PolicyWeights, covers, identity, load, save
from yegg.players.weights import read, write

GAME = games.find("second-story")
UNITS = 3
COVERS = [[3, {}], [2, {"chips": "3"}], [4, "any"]]


def random_net(units=UNITS):
    rng = np.random.default_rng(1)
    shapes = weights.shapes(GAME, units)
    return PolicyWeights(**{name: rng.normal(size=shape) for name, shape in shapes.items()})


@pytest.fixture
def file(tmp_path):
    save(tmp_path / "net.npz", identity(GAME, UNITS) | {"covers": COVERS}, random_net())
    return tmp_path / "net.npz"


def test_a_net_is_read_back_as_float32_with_what_it_says(file):
    about, net = load(GAME, file)
    assert about["version"] == titled(GAME)
    assert about["covers"] == COVERS
    for name, array in random_net()._asdict().items():
        kind = np.float32 if name in ("mean", "scale") else np.float16
        found = getattr(net, name)
        assert found.dtype == np.float32
        assert found.tolist() == array.astype(kind).astype(np.float32).tolist()


def test_the_same_net_gives_the_same_bytes(file, tmp_path):
    save(tmp_path / "twin.npz", identity(GAME, UNITS) | {"covers": COVERS}, random_net())
    assert (tmp_path / "twin.npz").read_bytes() == file.read_bytes()


def test_a_setting_is_covered_by_its_players_and_all_its_options():
    about = {"covers": COVERS}
    assert covers(about, 3, {})
    assert not covers(about, 3, {"chips": "3"})
    assert covers(about, 2, {"chips": "3"})
    assert not covers(about, 2, {})
    assert covers(about, 4, {"chips": "4"})
    assert not covers(about, 5, {})


def test_where_nothing_was_learned_that_is_said(tmp_path):
    with pytest.raises(Refused, match="Second Story has no policy net"):
        load(GAME, tmp_path / "none.npz")


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"kind": "value"}, "no policy net"),
        ({"game": "magnate"}, "another game"),
        ({"version": "SecondStory-v1"}, "other rules or columns"),
        ({"columns": "0" * 16}, "other rules or columns"),
        ({"units": 0}, "1 to 1024 units"),
        ({"units": True}, "1 to 1024 units"),
        ({"units": 10**9}, "1 to 1024 units"),
        ({"units": UNITS + 1}, "is not an array of shape"),
        ({"covers": None}, "which settings"),
        ({"covers": [[3]]}, "which settings"),
        ({"covers": [["3", {}]]}, "which settings"),
    ],
)
def test_a_net_that_says_anything_else_is_refused(file, changed, said):
    about, arrays = read(file)
    write(file, about | changed, **arrays)
    with pytest.raises(Refused, match=said):
        load(GAME, file)


@pytest.mark.parametrize(
    ("name", "array", "said"),
    [
        ("w2", np.zeros((UNITS, UNITS + 1), np.float16), "w2 is not an array of shape"),
        ("b1", np.zeros(UNITS, np.int32), "b1 is not an array of shape"),
        ("w4", np.full((UNITS, 1), np.nan, np.float16), "not all of w4 is finite"),
        ("scale", np.zeros(1, np.float32), "scale is not an array of shape"),
    ],
)
def test_arrays_that_are_no_net_are_refused(file, name, array, said):
    about, arrays = read(file)
    write(file, about, **arrays | {name: array})
    with pytest.raises(Refused, match=said):
        load(GAME, file)


def test_a_file_without_one_of_the_arrays_is_refused(file):
    about, arrays = read(file)
    del arrays["mean"]
    write(file, about, **arrays)
    with pytest.raises(Refused, match="mean is not an array of shape"):
        load(GAME, file)


def test_what_float16_cannot_hold_is_not_written(tmp_path):
    net = random_net()
    with pytest.raises(Refused, match="w1"):
        save(tmp_path / "net.npz", identity(GAME, UNITS), net._replace(w1=net.w1 * 1e9))
    assert not (tmp_path / "net.npz").exists()
