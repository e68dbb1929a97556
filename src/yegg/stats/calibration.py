"""Calibration: predicted chances compared with what came, tenth by tenth.

Positions of one game belong together, since all of them end with one result.  So the games are
what is drawn again for the intervals (a cluster bootstrap), and not the positions.
"""

from dataclasses import dataclass

import numpy as np

from .bootstrap import around, around_share, drawn_again
from .intervals import Figure
from .p_values import Floats

TENTHS = 10
DRAWS = 2000  # how often the games are drawn again


@dataclass(frozen=True)
class Bin:
    """The chances from ``low`` to ``high``."""

    low: float
    high: float
    seats: int
    """How often one was said; every side of a position counts."""
    said: float
    """Their mean; NaN if there was none."""
    came: Figure
    """The mean share of the win that came."""


@dataclass(frozen=True)
class Calibration:
    """The calibration of predicted chances.  Shares of the win are from 0 to 1."""

    games: int
    positions: int
    bins: list[Bin]
    brier: Figure
    """The mean square of the difference between said and came: 0 is knowing."""
    brier_of_mean: float
    """The same for always saying the mean."""
    mean_gap: Figure
    """The mean distance between said and came, each bin as often as it was said."""
    chance_gap: float
    """The mean gap that so few games would show even if every chance were true."""


def by_tenth(said: Floats, came: Floats) -> Floats:
    """(3, tenths): how often a chance within each was said, these chances, and what came of them.

    ``said`` are (positions, sides), each side for itself; ``came`` (sides,) is what it won.
    """
    place = np.minimum((said * TENTHS).astype(int), TENTHS - 1).ravel()
    every = np.ones(said.shape), said, np.broadcast_to(came, said.shape)
    return np.stack([np.bincount(place, one.ravel(), TENTHS) for one in every])


def summed(said: Floats, came: Floats) -> Floats:
    """The sums of one game, as `compared` takes them: those of `by_tenth`, then three more.

    They are the squares of the differences between said and came, the squares of what came, and
    how many decisions were judged.
    """
    apart, squares = ((said - came) ** 2).sum(), (came**2).sum() * len(said)
    return np.array([*by_tenth(said, came).ravel(), apart, squares, len(said)])


def compared(sums: Floats, seed: int = 0) -> Calibration:
    """The calibration from the `summed` of each game, with 95 % intervals.

    ``seed`` draws the games again.
    """
    games = len(sums)
    drawn = drawn_again(games, DRAWS, seed) @ sums
    count, said, came = np.moveaxis(drawn[:, : 3 * TENTHS].reshape(-1, 3, TENTHS), 1, 0)
    squares, came_squares, positions = drawn[:, 3 * TENTHS :].T
    total = count.sum(axis=1)
    with np.errstate(invalid="ignore"):
        means, shares = said[0] / count[0], came / count
    gaps = (said - came) / total[:, None]
    games_said = (sums[:, :TENTHS] > 0).sum(axis=0)
    bins = [
        Bin(
            at / TENTHS,
            (at + 1) / TENTHS,
            int(count[0, at]),
            float(means[at]),
            around_share(shares[:, at], int(games_said[at])),
        )
        for at in range(TENTHS)
    ]
    return Calibration(
        games,
        int(positions[0]),
        bins,
        around(squares / total),
        float(came_squares[0] / total[0] - (came[0].sum() / total[0]) ** 2),
        around(np.abs(gaps).sum(axis=1), percent=True),
        float(np.abs(gaps[1:] - gaps[0]).sum(axis=1).mean()),
    )
