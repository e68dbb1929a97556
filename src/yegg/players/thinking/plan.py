"""Budgets of thinking, in iterations or seconds, and the evaluation that it gives."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite

import numpy as np
from numpy.typing import NDArray

SLICE = 0.02  # seconds between two looks at the clock
PARTS = 16  # slices of thinking that minds no clock


@dataclass(frozen=True)
class Plan:
    """A budget of thinking about a decision; thinking stops at whichever limit comes first."""

    iterations: int = 0
    """0: as many as the seconds allow."""
    seconds: float = 0.0
    """0: as long as the iterations take."""


@dataclass(frozen=True)
class Reckoned:
    """What was reckoned for a game's reasons at the ends of futures that all choices met."""

    slices: NDArray[np.int64]
    """How many futures each slice had."""
    sums: NDArray[np.float64]
    """(slices, choices, reasons): what was reckoned in them, added up."""

    @property
    def left(self) -> float:
        """How much of the game was still to come, on the average: 1 … 0."""
        return float(self.sums[..., -1].sum() / self.slices.sum() / self.sums.shape[1])

    def between(self, one: int, other: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """By reason: how much more the one choice brings, and the standard error of that.

        What was looked at once, and not in futures, is without doubt.
        """
        more = self.sums[:, one] - self.sums[:, other]
        if len(more) == 1:
            return more[0] / self.slices[0], np.zeros(more.shape[1])
        level = np.zeros((len(more), 1))
        doubts = in_pairs(self.slices, np.hstack([more, level]), more.shape[1])
        return more.sum(axis=0) / self.slices.sum(), doubts[:-1]


@dataclass(frozen=True)
class Evaluation:
    """The evaluation of one decision that thinking gives.

    All arrays but ``evaluate`` have one number for each choice, in the order of the choices.
    """

    shares: NDArray[np.float64]
    """The average policy, not scaled; all zeros where no iteration reached the decision."""
    values: NDArray[np.float64]
    """The chooser's estimated share of the win."""
    tries: NDArray[np.int64]
    """How many iterations took the choice."""
    sample: NDArray[np.float64]
    """Effective sample size: this many won-or-lost games carry the same information."""
    doubts: NDArray[np.float64]
    """The standard error of the difference between its value and that of the greatest share."""
    worth: NDArray[np.float64]
    """Everybody's estimated share of the win, by side."""
    iterations: int
    """How many iterations were run."""
    reckoned: Reckoned | None = None
    """What the game reckons for its reasons; None where that is not known well enough."""


def apart(
    values: NDArray[np.float64], sample: NDArray[np.float64], best: int
) -> NDArray[np.float64]:
    """The standard errors of differences from the value of ``best``, if all are independent.

    Two wins and two losses more keep a value of 0 or 1 in doubt (Agresti & Coull 1998).  Values
    of weighed samples may lie a little outside 0 to 1, and are taken as the nearer of the two.

    >>> apart(np.array([1.3, -0.2]), np.array([0.0, 12.0]), 0).round(2).tolist()
    [0.35, 0.26]
    """
    more = (values.clip(0, 1) * sample + 2) / (sample + 4)
    square = more * (1 - more) / (sample + 4)
    doubts: NDArray[np.float64] = np.sqrt(square + square[best])
    return doubts


def in_pairs(
    slices: NDArray[np.int64], gains: NDArray[np.float64], best: int
) -> NDArray[np.float64]:
    """The standard errors of differences from the choice ``best``, tried in the same futures.

    ``slices``: how many futures each slice had; ``gains`` (slices, choices): what won in each.
    It is the error of a ratio of sums (Cochran 1977, 6.3).
    """
    more = gains - gains[:, [best]]
    total, n = slices.sum(), len(slices)
    off = more - slices[:, None] * more.sum(axis=0) / total
    doubts: NDArray[np.float64] = np.sqrt((off**2).sum(axis=0) * n / (n - 1)) / total
    return doubts


def in_slices(think: Callable[[int, int], object], wanted: int, limit: float) -> int:
    """Run ``wanted`` iterations, or as many as fit into ``limit`` seconds.

    ``think(done, upto)`` runs the iterations ``done`` to ``upto``; the clock is read between two
    calls.  Without a limit the slices are always the same.  Returns how many iterations were run.
    """
    think(0, 1)  # loading the machine code is not counted as thinking
    done, step, spent, begun = 1, 1, 0.0, time.perf_counter()
    while done < wanted and spent < limit:
        step = min(step if isfinite(limit) else -(-wanted // PARTS), wanted - done)
        think(done, done + step)
        done += step
        spent = time.perf_counter() - begun
        left = min(SLICE, limit - spent)
        step = max(1, min(2 * step, int(left * done / spent)))
    return done
