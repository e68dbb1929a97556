"""Batches on a card, or in numba-cuda's simulator; both beside the processor's."""

import importlib.util
import os
from pathlib import Path

import numpy as np
import pytest
from programs import has_card

from yegg import envs
from yegg.training.trainer import Training, TrainingPlan

TOLD = (
    "states",
    "actor",
    "masks",
    "bits",
    "observations",
    "final_observations",
    "rewards",
    "terminated",
    "truncated",
    "illegal",
    "sampled",
    "events",
)
SIMULATED = os.environ.get("NUMBA_ENABLE_CUDASIM") == "1"
ON_A_CARD = {
    "test_libraries.py": ("torch", "jax", "cupy"),
    "test_learning_on_a_card.py": ("cupy",),
}
"""Files that no simulator can run, and packages of which each needs one."""


def found(*packages):
    """Whether one of these packages is installed."""
    return any(importlib.util.find_spec(package) for package in packages)


def runs(name):
    """Whether the tests in a file can run here."""
    if name == "test_compiled.py":
        return found("numba_cuda")
    if name in ON_A_CARD:
        return has_card() and not SIMULATED and found(*ON_A_CARD[name])
    return has_card()


collect_ignore = [
    path.name for path in Path(__file__).parent.glob("test_*.py") if not runs(path.name)
]
CLOCK = '"seconds": ', '"events_per_second": '
GAMES, STEPS = (3, 40) if SIMULATED else (256, 300)


class Pair:
    """The same batch twice: on the processor, and on the card."""

    def __init__(self, name, games=GAMES, *, layout="rows", **given):
        self.one = envs.batch(name, games, **given)
        self.other = envs.batch(name, games, device="cuda", layout=layout, **given)

    def step(self, actions=None):
        """A step with these actions, or with those sampled."""
        actions = self.one.sampled.copy() if actions is None else actions
        self.one.step(actions)
        self.other.step(actions)

    def both(self, do):
        """Do the same with both."""
        do(self.one)
        do(self.other)

    def check_alike(self, *where):
        """Every array is the same, bit for bit."""
        for name in TOLD:
            mine, others = getattr(self.one, name), getattr(self.other, name)
            assert (mine is None) == (others is None), name
            if mine is None:
                continue
            copied = others.copy_to_host()
            assert (mine.shape, mine.dtype) == (copied.shape, copied.dtype), name
            assert np.ascontiguousarray(copied).tobytes() == mine.tobytes(), (name, *where)

    def check_play(self, steps=STEPS):
        """They stay alike for so many steps."""
        self.check_alike("dealt")
        for step in range(steps):
            self.step()
            self.check_alike(step)


@pytest.fixture
def pair():
    return Pair


@pytest.fixture
def untimed():
    """What `--json` printed, byte for byte, but for the two figures that the clock gives."""

    def kept(told):
        lines = told.replace(", ", ",\n").splitlines()
        left = [line for line in lines if not any(word in line for word in CLOCK)]
        assert len(left) == len(lines) - len(CLOCK)
        return left

    return kept


@pytest.fixture
def begun():
    """Makes a training that has dealt a few games."""

    def training(game, device, **course):
        small = {"games": 3, "steps": 32, "step": 64, "units": 4, "decisions": 10**6}
        one = Training(game, TrainingPlan(**small | course), device)
        one.begin()
        return one

    return training
