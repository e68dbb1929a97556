"""p-values of means of deals, and their corrections for many tests."""

import math
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

FEW_DEALS = 200  # below which the normal law is not trusted
DRAWS = 20_000  # of signs

Floats = NDArray[np.float64]


def holm(p: ArrayLike) -> Floats:
    """p-values corrected for their number, so that one false claim in all is as rare as before.

    Holm 1979, "A simple sequentially rejective multiple test procedure".
    """
    given = np.asarray(p, float)
    order = np.argsort(given, kind="stable")
    weights = np.arange(len(given), 0, -1)
    out = np.empty(len(given))
    out[order] = np.minimum(np.maximum.accumulate(weights * given[order]), 1)
    return out


def step_up(p: ArrayLike) -> Floats:
    """p-values corrected for a search: of all that stay below 5 %, at most 5 % are false.

    Benjamini and Hochberg 1995, "Controlling the false discovery rate".
    """
    given = np.asarray(p, float)
    order = np.argsort(-given, kind="stable")
    weights = len(given) / np.arange(len(given), 0, -1)
    out = np.empty(len(given))
    out[order] = np.minimum(np.minimum.accumulate(weights * given[order]), 1)
    return out


def p_value(apart: Floats) -> float:
    """Two-sided: how often chance alone moves a mean of deals so far from 0.

    By the normal law; for few deals by drawing their signs anew, with a fixed seed (Fisher 1935).
    """
    if len(apart) < 2:
        return 1.0
    mean = abs(float(apart.mean()))
    if len(apart) < FEW_DEALS:
        signs = np.random.default_rng(0).integers(0, 2, (DRAWS, len(apart))) * 2 - 1
        as_far = np.abs(signs @ apart) >= len(apart) * mean - 1e-12
        return float((1 + as_far.sum()) / (1 + DRAWS))
    return normal_p(mean, float(apart.std(ddof=1)), len(apart))


def normal_p(mean: float, sd: float, deals: int) -> float:
    """A two-sided p-value by the normal law, from a mean of deals and their standard deviation."""
    if deals < 2:
        return 1.0
    return two_sided(mean, sd / math.sqrt(deals))


def two_sided(value: float, error: float) -> float:
    """How often chance alone makes something with this standard error so large, either way."""
    if not error:
        return 1.0 if not value else 0.0
    return 2 * NormalDist().cdf(-abs(value) / error)
