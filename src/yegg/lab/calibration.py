"""Calibration of the coach: its win probabilities compared with the results of many games.

Positions of one game belong together, since all of them end with one result.  So the games are
what is drawn again for the intervals (a cluster bootstrap), and not the positions.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from yegg.engine import Match, Refused, notation
from yegg.players.judges import by_net_or_lore
from yegg.players.thinking.evaluation import prospects
from yegg.stats.bootstrap import drawn_again
from yegg.stats.intervals import Figure, like, proportion

from .batch import Batch, Setting, logs
from .simulation import Processor, simulate

BINS = 10
DRAWS = 2000  # how often the games are drawn again

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Sums:
    """Sums of predicted chances and of results, one row for each game that ended."""

    count: Numbers
    """(games, bins): how often a chance within the bin was said, each side for itself."""
    said: Numbers
    """(games, bins): these chances."""
    came: Numbers
    """(games, bins): the shares of the win that came."""
    squares: Numbers
    """(games,): the squares of the differences between said and came."""
    came_squares: Numbers
    """(games,): the squares of the shares that came."""
    positions: NDArray[np.int64]
    """(games,): how many decisions were judged."""


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


def calibrate(
    setting: Setting,
    games: int,
    *,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Calibration:
    """Play games, and compare what the curve of a review says at every decision with what came.

    Games that do not end are left out.  Raises Refused for a setting that cannot be.
    """
    sums: list[Sums] = []
    simulate(
        setting,
        games,
        progress=progress,
        batches=lambda _, batch: sums.extend(judged(setting, batch)),
        by=Processor(setting, threads, log=True),
    )
    return compared(joined(sums))


def judged(setting: Setting, batch: Batch) -> list[Sums]:
    """The predictions of the curve for each game of a batch that ended."""
    shares = iter(batch.results.shares)
    return [
        summed(chances_along(setting, choices), next(shares))
        for choices, over in zip(logs(batch), batch.over, strict=True)
        if over
    ]


def chances_along(setting: Setting, choices: list[int]) -> Numbers:
    """The predicted chances at every decision of a game: (decisions, sides)."""
    match = Match(setting.game, setting.players, setting.options)
    match.follow(choices)
    sides = len(match.scores)
    judge = prospects(setting.game, sides)
    points = [
        judge(before.states, event)
        for event, (before, choice) in enumerate(zip(notation.steps(match), choices, strict=False))
        if before.decides(choice)
    ]
    return np.array(points).reshape(-1, sides)


def summed(said: Numbers, came: Numbers) -> Sums:
    """The sums of one game; ``said`` (positions, sides), ``came`` (sides,)."""
    came = np.broadcast_to(came, said.shape)
    place = np.minimum((said * BINS).astype(int), BINS - 1).ravel()

    def by_bin(weights: Numbers) -> Numbers:
        return np.bincount(place, weights.ravel(), BINS)[None].astype(float)

    return Sums(
        count=by_bin(np.ones(said.shape)),
        said=by_bin(said),
        came=by_bin(came),
        squares=np.array([((said - came) ** 2).sum()]),
        came_squares=np.array([(came**2).sum()]),
        positions=np.array([len(said)]),
    )


def joined(sums: list[Sums]) -> Sums:
    """The sums of all games.  Raises Refused if there are none."""
    if not sums:
        raise Refused("no game came to its end, so nothing can be compared")
    return Sums(*map(np.concatenate, zip(*(vars(one).values() for one in sums), strict=True)))


def compared(sums: Sums, seed: int = 0) -> Calibration:
    """The calibration from the sums, with 95 % intervals; ``seed`` draws the games again."""
    games = len(sums.positions)
    weights = drawn_again(games, DRAWS, seed)
    count, said, came = weights @ sums.count, weights @ sums.said, weights @ sums.came
    total = count.sum(axis=1)
    with np.errstate(invalid="ignore"):
        means, shares = said[0] / count[0], came / count
    gaps = (said - came) / total[:, None]
    games_said = (sums.count > 0).sum(axis=0)
    bins = [
        Bin(
            at / BINS,
            (at + 1) / BINS,
            int(count[0, at]),
            float(means[at]),
            share_of(shares[:, at], int(games_said[at])),
        )
        for at in range(BINS)
    ]
    return Calibration(
        games,
        int(sums.positions.sum()),
        bins,
        around(weights @ sums.squares / total),
        float(sums.came_squares.sum() / total[0] - (came[0].sum() / total[0]) ** 2),
        around(np.abs(gaps).sum(axis=1), percent=True),
        float(np.abs(gaps[1:] - gaps[0]).sum(axis=1).mean()),
    )


def around(values: Numbers, *, percent: bool = False) -> Figure:
    """The first value, with an interval by the others, which games drawn again gave.

    It is the basic bootstrap (Davison & Hinkley 1997, 5.2): drawing again moves a gap up as much
    as chance had moved it up already.
    """
    value = float(values[0])
    low, high = (2 * value - np.quantile(values[1:], (0.975, 0.025))).tolist()
    return Figure(value, max(0.0, min(low, value)), min(1.0, max(high, value)), percent)


def share_of(values: Numbers, games: int) -> Figure:
    """As `around`, for a share that comes from ``games`` games; NaN if from none."""
    if not games:
        return proportion(0, 0)
    return like(float(values[0]), float(np.nanvar(values[1:])), games)


def as_data(setting: Setting, found: Calibration) -> dict[str, Any]:
    """The comparison for `yegg calibrate --json`; null where nothing was said."""
    return {
        "game": setting.game.name,
        "players": setting.players,
        "options": setting.game.chosen(setting.players, setting.options),
        "bots": list(setting.lineup),
        "judge": by_net_or_lore(setting.game, setting.players, setting.options),
        "seed": setting.seed,
        "games": found.games,
        "positions": found.positions,
        "bins": [
            {
                "low": one.low,
                "high": one.high,
                "seats": one.seats,
                "said": rounded(one.said),
                "came": rounded(one.came.value),
                "interval": interval(one.came),
            }
            for one in found.bins
        ],
        "brier": rounded(found.brier.value),
        "brier_interval": interval(found.brier),
        "brier_of_mean": rounded(found.brier_of_mean),
        "mean_gap": rounded(found.mean_gap.value),
        "mean_gap_interval": interval(found.mean_gap),
        "mean_gap_by_chance": rounded(found.chance_gap),
    }


def interval(figure: Figure) -> list[float | None]:
    """The two ends of an interval."""
    return [rounded(figure.low), rounded(figure.high)]


def rounded(value: float) -> float | None:
    """A number to four digits; None for NaN."""
    return None if math.isnan(value) else round(value, 4)
