"""Learning: the gradient is right, values that are known are learned, seeds decide."""

import math
import sys

import numpy as np
import pytest

from yegg.engine import Match, Refused
from yegg.players.value_net import value_function
from yegg.players.value_net.net import logit
from yegg.players.value_net.value_function import Net, read, shaped, size
from yegg.training.kernels import adam, backward
from yegg.training.trainer import Course, Training, steps

from .urns import made


@pytest.fixture(autouse=True)
def _dice_that_go_round():
    with np.errstate(over="ignore"):
        yield


@pytest.fixture(scope="module")
def urns(tmp_path_factory):
    folder = tmp_path_factory.mktemp("games")
    yield made(folder)
    sys.path.remove(str(folder))


def loss(net: Net, x, target: float) -> float:
    z = logit(x, np.zeros(x.size, int), np.zeros(net.b1.size), *net)
    return math.log1p(math.exp(z)) - target * z


def test_the_gradient_is_that_of_small_differences():
    dice = np.random.default_rng(3)
    flat, sums = dice.normal(size=size(5, 3)), np.zeros(size(5, 3))
    net, grad = shaped(flat, 5, 3), shaped(sums, 5, 3)
    x, target, h = dice.normal(size=5), 0.3, np.zeros(3)
    p = 1 / (1 + math.exp(-logit(x, np.zeros(x.size, int), h, *net)))
    backward(net, grad, x, h, np.zeros(3), p - target)
    for i in range(flat.size):
        flat[i] += 1e-6
        above = loss(net, x, target)
        flat[i] -= 2e-6
        below = loss(net, x, target)
        flat[i] += 1e-6
        assert sums[i] == pytest.approx((above - below) / 2e-6, abs=1e-6)


def test_adam_goes_down_and_forgets_the_gradient():
    w, g, m, v = np.array([2.0, -1.0]), np.array([5.0, -5.0]), np.zeros(2), np.zeros(2)
    adam(w, g, m, v, 0.1, 1)
    assert w == pytest.approx([1.9, -0.9], abs=1e-6)
    assert not g.any()


def trained(game, course: Course) -> Training:
    training = Training(game, course, "plain")
    for _ in steps(training):
        pass
    return training


def test_the_same_seed_gives_the_same_bytes_and_another_others(urns, tmp_path):
    course = Course(games=12, units=4, batch=4)
    one, again = trained(urns, course), trained(urns, course)
    one.finish(tmp_path / "one.npz", 4)
    again.finish(tmp_path / "again.npz", 4)
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "again.npz").read_bytes()
    other = trained(urns, Course(games=12, units=4, batch=4, seed=2))
    assert other.flat.tobytes() != one.flat.tobytes()


def test_it_makes_no_difference_where_it_was_interrupted(urns, tmp_path):
    course, part = Course(games=20, units=4, batch=4), tmp_path / "urns.part"
    stopped = Training(urns, course, "plain")
    for _ in zip(range(2), steps(stopped), strict=False):
        stopped.keep(part)
    stopped.advance()  # what is not kept is lost, and done again
    resumed = Training.resumed(urns, part, "plain")
    assert resumed.step == 2
    for _ in steps(resumed):
        pass
    assert resumed.flat.tobytes() == trained(urns, course).flat.tobytes()


def test_the_number_of_workers_decides_and_not_who_plays_their_parts(urns):
    course = Course(games=40, units=4, batch=5, workers=3)
    assert [course.part(worker) for worker in range(3)] == [2, 2, 1]
    apart, others = Training(urns, course, "plain"), Training(urns, course, "plain")

    def elsewhere(training):
        """As on a cluster: each part by another training, told the weights and the step."""
        parts = []
        for worker in reversed(range(3)):  # who is done first
            others.flat[:], others.step = training.flat, training.step
            parts.append(others.gradient(worker))
        return parts[::-1]

    for _ in steps(apart, elsewhere):
        pass
    assert apart.flat.tobytes() == trained(urns, course).flat.tobytes()
    alone = Course(games=40, units=4, batch=5)
    assert apart.flat.tobytes() != trained(urns, alone).flat.tobytes()


def test_workers_have_dice_of_their_own(urns):
    training = Training(urns, Course(games=8, units=4, batch=8, workers=4), "plain")
    parts = {training.gradient(worker)[0].tobytes() for worker in range(4)}
    assert len(parts) == 4
    with pytest.raises(Refused, match="9 workers cannot share 8 games"):
        Training(urns, Course(games=8, units=4, batch=8, workers=9), "plain")


def test_games_begin_as_published_as_often_as_wanted(urns):
    for share in (1.0, 0.75, 0.0):
        starts = Training(urns, Course(games=4, units=2, published=share), "plain").starts
        usual = (starts["tickets"] == urns.blank(2, {})[0]["tickets"]).mean()
        assert starts.size == pytest.approx(512, abs=1)
        assert share <= usual <= share + 0.9 * (1 - share)  # of those drawn a quarter differs
        assert (usual == 1) == (share == 1)


@pytest.mark.wide
def test_greedy_plays_as_many_seats_as_wanted(urns):
    for guests in (0.0, 0.25):
        training = Training(urns, Course(games=200, units=2, batch=1, guests=guests), "plain")
        mine = np.mean([training.on.mine[:2].copy() for _ in steps(training)])
        assert mine == pytest.approx(1 - guests, abs=0.07 if guests else 0)


def test_a_training_of_other_rules_is_not_gone_on_with(urns, tmp_path, monkeypatch):
    Training(urns, Course(games=4, units=2), "plain").keep(tmp_path / "part")
    monkeypatch.setattr("yegg.training.trainer.fingerprint", lambda game: "another")
    with pytest.raises(Refused, match="have changed"):
        Training.resumed(urns, tmp_path / "part", "plain")
    (tmp_path / "junk").write_bytes(b"junk")
    with pytest.raises(Refused, match="is no file of learned weights"):
        read(tmp_path / "junk")


@pytest.mark.wide
def test_a_value_that_is_known_is_learned(urns):
    """A good urn is worth three wins in four, a bad one one: to a hundredth, for both seats."""
    training = Training(urns, Course(games=60_000, units=4, batch=16))
    for _ in steps(training):
        pass
    for urn, share in ((0, 0.25), (1, 0.75)):
        match = Match(urns, 2, how="plain")
        match.play(urn)
        for seat, worth in ((0, share), (1, 1 - share)):
            x = np.zeros(training.net.w1.shape[0], np.float32)
            value_function.senses(urns).sense(match.known_to(seat)[0], seat, x)
            z = logit(x, np.zeros(x.size, int), np.zeros(4, np.float32), *training.net)
            assert 1 / (1 + math.exp(-z)) == pytest.approx(worth, abs=0.01)
