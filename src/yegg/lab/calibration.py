"""Calibration of the coach: its win probabilities compared with the results of many games."""

import math
from collections.abc import Callable
from itertools import compress, islice
from typing import Any

import numpy as np

from yegg.engine import Match, Refused, notation
from yegg.players.judges import by_net_or_lore
from yegg.players.thinking.evaluation import prospects
from yegg.stats.calibration import Calibration, compared, summed
from yegg.stats.intervals import Figure
from yegg.stats.p_values import Floats

from .batch import Batch, Matchup, logs
from .simulation import Processor, simulate


def calibrate(
    setting: Matchup,
    games: int,
    *,
    every: int = 1,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Calibration:
    """Play games, and compare what the curve of a review says at every decision with what came.

    ``every``: 3 looks at every third decision, since those of one game are much alike.  Games that
    do not end are left out.  Raises Refused for a setting that cannot be.
    """
    sums: list[Floats] = []
    simulate(
        setting,
        games,
        progress=progress,
        batches=lambda _, batch: sums.extend(judged(setting, batch, every)),
        by=Processor(setting, threads, log=True),
    )
    if not sums:
        raise Refused("no game came to its end, so nothing can be compared")
    return compared(np.array(sums))


def judged(setting: Matchup, batch: Batch, every: int = 1) -> list[Floats]:
    """The predictions of the curve for each game of a batch that ended."""
    ended = compress(logs(batch), batch.over)
    return [
        summed(chances_along(setting, choices, every), shares)
        for choices, shares in zip(ended, batch.results.shares, strict=True)
    ]


def chances_along(setting: Matchup, choices: list[int], every: int = 1) -> Floats:
    """The predicted chances at the decisions that are looked at: (decisions, sides)."""
    match = Match(setting.game, setting.players, setting.options)
    match.follow(choices)
    judge = prospects(setting.game, len(match.scores))
    decisions = (
        (event, before)
        for event, (before, choice) in enumerate(zip(notation.steps(match), choices, strict=False))
        if before.decides(choice)
    )
    points = [judge(before.states, event) for event, before in islice(decisions, 0, None, every)]
    return np.array(points).reshape(-1, len(match.scores))


def to_dict(setting: Matchup, found: Calibration) -> dict[str, Any]:
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
