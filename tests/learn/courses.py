"""Courses that are over in a second or two."""

import numpy as np

from yegg import games
from yegg.training.device import Processor
from yegg.training.trainer import Training, TrainingPlan

GAME = games.find("second-story")
SMALL = {"units": 4, "games": 48, "steps": 32, "step": 256}
LESSON = SMALL["games"] * SMALL["steps"]


def begun(game=GAME, device=None, **course):
    """A training that has dealt its games."""
    given = SMALL | {"decisions": 8 * LESSON} | course
    training = Training(game, TrainingPlan(**given), device or Processor())
    training.begin()
    return training


def learned(game=GAME, device=None, **course):
    """A training at its end."""
    training = begun(game, device, **course)
    while training.share < 1:
        training.advance()
    return training


def as_bytes(training):
    """All that was learned."""
    arrays = training.flat, training.mean, training.scale
    return b"".join(np.asarray(array).tobytes() for array in arrays)
