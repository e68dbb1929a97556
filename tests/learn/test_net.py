"""The net's gradients, its optimizer, and how good decisions turned out to be."""

import numpy as np
import pytest

from yegg import games
from yegg.players.policy_net import weights
from yegg.players.policy_net.forward import forward
from yegg.training.adam import Adam
from yegg.training.advantages import advantages
from yegg.training.net import flattened, initial_weights, shaped
from yegg.training.ppo import Decisions, Examples, imitation, loss

GAME, UNITS, MANY = games.find("second-story"), 8, 40
SHAPES = weights.shapes(GAME, UNITS)
OPEN = 0.05


@pytest.fixture
def dice():
    return np.random.default_rng(3)


@pytest.fixture
def flat(dice):
    """Weights precise enough for finite differences."""
    return dice.normal(initial_weights(SHAPES, dice), 0.2)


def net_of(flat):
    columns = SHAPES["mean"]
    return shaped(flat, SHAPES, np.full(columns, 0.4), np.full(columns, 3.0))


@pytest.fixture
def positions(dice):
    """Observations and legal actions."""
    legal = dice.random((MANY, SHAPES["b3"][0])) < 0.5
    legal[:, 3] = True
    return dice.random((MANY, SHAPES["mean"][0])), legal


@pytest.fixture
def decisions(dice, flat, positions):
    seen, legal = positions
    action = np.array([dice.choice(np.flatnonzero(row)) for row in legal])
    chance = forward(np, net_of(flat), seen, legal)[0][np.arange(MANY), action]
    chance += dice.normal(0, 0.3, MANY)
    return Decisions(*positions, action, chance, dice.normal(size=MANY), dice.normal(size=MANY))


@pytest.fixture
def examples(dice, positions):
    """What a teacher says, who is another net."""
    other = net_of(dice.normal(initial_weights(SHAPES, dice), 0.3))
    logits, values, _ = forward(np, other, *positions)
    return Examples(*positions, np.exp(logits), values)


def of_decisions(flat, decisions):
    return loss(np, net_of(flat), SHAPES, decisions, OPEN)


def of_examples(flat, examples):
    return imitation(np, net_of(flat), SHAPES, examples)


def check_gradient(flat, found):
    """The gradient is that of small differences."""
    slope, dice, tiny = found(flat).slope, np.random.default_rng(4), 1e-6
    for at in dice.integers(flat.size, size=80):
        kept, ends = flat[at], []
        for moved in (kept + tiny, kept - tiny):
            flat[at] = moved
            ends.append(found(flat).total)
        flat[at] = kept
        assert (ends[0] - ends[1]) / (2 * tiny) == pytest.approx(slope[at], abs=1e-6)


def test_the_gradient_of_decisions_is_that_of_small_differences(flat, decisions):
    check_gradient(flat, lambda flat: of_decisions(flat, decisions))


def test_the_gradient_of_examples_is_that_of_small_differences(flat, examples):
    check_gradient(flat, lambda flat: of_examples(flat, examples))


def test_what_is_not_legal_has_no_chance_and_steps_make_the_loss_smaller(flat, decisions):
    adam, losses = Adam(np, flat), []
    for _ in range(60):
        found = of_decisions(flat, decisions)
        losses.append(found.total)
        adam.step(flat, found.slope, 0.003)
    assert losses[-1] < 0.8 * losses[0]
    chances = np.exp(forward(np, net_of(flat), decisions.seen, decisions.legal)[0])
    assert not chances[~decisions.legal].any()
    assert chances.sum(1) == pytest.approx(1)


def test_a_net_becomes_like_its_teacher(flat, examples):
    def apart():
        logits, values, _ = forward(np, net_of(flat), examples.seen, examples.legal)
        chances = np.abs(np.exp(logits) - examples.taught).sum(1).mean()
        return chances, np.abs(values - examples.worth).mean()

    before, adam = apart(), Adam(np, flat)
    for _ in range(600):
        adam.step(flat, of_examples(flat, examples).slope, 0.01)
    chances, values = apart()
    assert chances < 0.1 * before[0]
    assert values < 0.2 * before[1]


def test_a_gradient_that_is_too_long_is_shortened():
    short, long = np.ones(4), np.ones(4)
    Adam(np, short).step(short, np.array([3e4, 0, 0, 0.0]), 0.1)
    Adam(np, long).step(long, np.array([0.5, 0, 0, 0.0]), 0.1)
    assert short == pytest.approx(long)
    assert short == pytest.approx([0.9, 1, 1, 1], abs=1e-4)


def test_flat_weights_are_the_net_itself(flat):
    net = net_of(flat)
    assert (flattened(net) == flat).all()
    net.w4[0] = 7
    assert 7 in flat


def test_a_seat_learns_from_its_own_decisions_and_from_how_the_game_ends():
    """Seats 1, 2, 1, and the game is over; 2, 1, 1 in the next, whose end nobody knows yet."""
    over, rewards = np.zeros((6, 1), bool), np.zeros((6, 1, 2), np.float32)
    over[2], rewards[2] = True, [1, -1]
    value = np.array([[0.5], [0.25], [0.75], [0.125], [0.5], [0.25]], np.float32)
    actor, lam = np.array([[0], [1], [0], [1], [0], [0]]), 0.95
    better, known = advantages(np, value, actor, over, rewards, lam)
    assert known[:, 0].tolist() == [True, True, True, False, True, False]
    last = 1 - 0.75
    wanted = [0.75 - 0.5 + lam * last, -1 - 0.25, last, 0, 0.25 - 0.5, 0]
    assert better[:, 0] == pytest.approx(wanted)
