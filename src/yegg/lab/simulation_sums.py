"""Sums of a simulation: all that its report tells, in the same memory for any number of games.

All of it is counted in whole numbers, so it does not matter in which pieces games were played, by
whom, or in which order the pieces are added.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from yegg.stats.sums import Histogram, Tallied
from yegg.stats.won_by_deal import WonByDeal

from .batch import Batch, Matchup
from .failures import Failure


@dataclass(frozen=True)
class Sums:
    """Sums over the games of a setting; those of two lots of games are added by ``+``."""

    games: int
    events: int
    """Of all games; what follows is of those that ended, but for failures."""
    ties: int
    lengths: Histogram
    totals: Tallied
    """What the report of the game's tally is made of."""
    won: WonByDeal
    """By side, then by bot in the order of `bots`: what a game brought, in parts of a win."""
    failed: NDArray[Any]
    """By place in the line-up: decisions that a player failed to make."""
    failures: Mapping[str, Failure] = field(default_factory=dict)
    """By player: where it failed the first time."""

    @classmethod
    def of(cls, setting: Matchup, first: int, batch: Batch) -> Self:
        """Those of a batch, whose games are ``first`` and those after it."""
        results = batch.results
        done = slice(None) if batch.over.all() else batch.over  # no copy without need
        counts = np.asarray(batch.counts)[done]
        won = np.concatenate([batch.won, *_by_bot(setting, batch)], axis=1)
        failed = np.bincount(batch.seating.ravel(), batch.failed.ravel(), len(setting.lineup))
        return cls(
            games=len(batch.lengths),
            events=int(batch.lengths.sum(dtype=np.int64)),
            ties=int((results.won.max(axis=1, initial=0) < results.whole).sum()),
            lengths=Histogram.of(results.lengths),
            totals=Tallied.of(setting.game.part("tally"), counts, results),
            won=WonByDeal.of(len(setting.seatings), first, batch.over, won),
            failed=failed.astype(np.int64).astype(object),
            failures=batch.failures,
        )

    def __add__(self, other: Self) -> Self:
        return replace(
            self,
            games=self.games + other.games,
            events=self.events + other.events,
            ties=self.ties + other.ties,
            lengths=self.lengths + other.lengths,
            totals=self.totals + other.totals,
            won=self.won + other.won,
            failed=self.failed + other.failed,
            failures={**other.failures, **self.failures},
        )

    @property
    def finished(self) -> int:
        """How many games ended."""
        return self.totals.games

    @property
    def sides(self) -> int:
        """How many sides have a place in the end."""
        return len(self.totals.scores)


def bots(setting: Matchup) -> list[str]:
    """Everybody in the line-up, once."""
    return sorted(set(setting.lineup))


def seats_in(setting: Matchup, bot: str) -> int:
    """In how many parts a win is counted that is shared by a bot's seats, beside `whole_win`."""
    seats = np.array([name == bot for name in setting.lineup])[setting.seatings].sum(axis=1)
    return math.lcm(*seats.tolist())


def _by_bot(setting: Matchup, batch: Batch) -> Iterator[NDArray[np.int64]]:
    """(games, 1): what each bot won for one seat of its own, in parts."""
    for bot in bots(setting):
        mine = np.array([name == bot for name in setting.lineup])[batch.seating]
        own = (batch.won[:, : setting.players] * mine).sum(axis=1)
        yield (own * (seats_in(setting, bot) // mine.sum(axis=1)))[:, None]
