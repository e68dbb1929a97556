"""How long to think, and what came of it."""

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SLICE = 0.02  # seconds between two looks at the clock


@dataclass(frozen=True)
class Plan:
    """How long to think: it stops at whichever limit is reached first."""

    iterations: int = 0
    """0: as many as the seconds allow."""
    seconds: float = 0.0
    """0: as long as the iterations take."""
    playout: int = 0
    """Decisions played at random beyond the tree before the position is judged by lore."""
    threads: int = 1
    nodes: int = 200_000
    """The tree's bounds: with three sides, 14 MB for these nodes and 48 MB for these edges."""
    edges: int = 2_000_000


@dataclass(frozen=True)
class Evaluation:
    """What a search says about one decision, by choice; empty where it never came there."""

    shares: NDArray[np.float64]
    """The average policy, not scaled."""
    values: NDArray[np.float64]
    """The chooser's share of the win."""
    tries: NDArray[np.int64]
    sample: NDArray[np.float64]
    """Effective sample size: so many won-or-lost games carry the same information."""
    worth: NDArray[np.float64]
    """Everybody's share of the win, by side."""
    iterations: int


def in_slices(think: Callable[[int, int], object], wanted: int, limit: float) -> int:
    """Think ``wanted`` times or for ``limit`` seconds, a look at the clock between slices.

    ``think(done, upto)`` runs the iterations ``done`` to ``upto``.  Returns how many were run.
    """
    think(0, 1)  # loads the machine code: not part of the time
    done, step, spent, begun = 1, 1, 0.0, time.perf_counter()
    while done < wanted and spent < limit:
        step = min(step, wanted - done)
        think(done, done + step)
        done += step
        spent = time.perf_counter() - begun
        left = min(SLICE, limit - spent)
        step = max(1, min(2 * step, int(left * done / spent)))
    return done
