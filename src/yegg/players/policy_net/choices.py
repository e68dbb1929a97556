"""A choice by its log probabilities: the likeliest, or one that is drawn."""

import math

import numpy as np

from yegg.engine.dice import fraction
from yegg.engine.verbs import Dice, Logits

ALLOCATES_NOTHING = True
TINY = 1e-300  # so that no logarithm is of 0


def likeliest(logits: Logits, k: int) -> int:
    """The likeliest of k choices, the first of equal ones."""
    at = 0
    for j in range(1, k):
        if logits[j] > logits[at]:
            at = j
    return at


def sample(logits: Logits, k: int, temperature: float, dice: Dice) -> int:
    """One of k choices, drawn in proportion to the power 1 / ``temperature`` of its probability.

    Each log probability gets noise of Gumbel's distribution, and the greatest sum is taken.
    """
    best, at = -np.inf, 0
    for j in range(k):
        noise = -math.log(-math.log(fraction(dice) + TINY) + TINY)
        value = np.float64(logits[j]) / temperature + noise
        if value > best:
            best, at = value, j
    return at
