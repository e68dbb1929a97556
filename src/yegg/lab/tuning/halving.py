"""Successive halving: all settings play a few deals, the better half about twice as many.

Every setting of a round meets the same deals, and each round has others: a setting that was only
lucky in one round must do well again in the next (Karnin, Koren and Somekh 2013, "Almost optimal
exploration in multi-armed bandits").
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

S = TypeVar("S")

FEWEST = 2  # deals of a setting in a round, even if that is more than was asked for


@dataclass(frozen=True)
class Tried(Generic[S]):
    """The result of a setting in a round."""

    setting: S
    loss: float
    """How far it missed all targets together; infinite where games did not end."""
    means: tuple[float, ...]
    """What was measured, target by target."""


@dataclass(frozen=True)
class Round(Generic[S]):
    """The results of a round: its settings over the same deals, the best first."""

    deals: range
    tried: tuple[Tried[S], ...]


Play = Callable[[Sequence[S], range], Sequence[Tried[S]]]
"""Lets settings play some deals."""


def planned(settings: int, games: int, arrangements: int) -> list[tuple[int, int]]:
    """The rounds of a search of so many games: how many settings play, and how many deals each.

    Each round has an equal part of the games; every deal is played in all ``arrangements``.
    """
    rounds = max(1, math.ceil(math.log2(max(settings, 1))))
    rounds_planned, left = [], settings
    while left > 1:
        rounds_planned.append((left, max(FEWEST, games // rounds // (left * arrangements))))
        left = (left + 1) // 2
    return rounds_planned


def halve(
    settings: Sequence[S], play: Play[S], games: int, arrangements: int, first: int = 0
) -> Iterator[Round[S]]:
    """The rounds of a search, from the deal ``first`` on."""
    left = list(settings)
    for many, deals in planned(len(left), games, arrangements):
        played = ranked(play(left, range(first, first + deals)), range(first, first + deals))
        yield played
        first += deals
        left = [one.setting for one in played.tried[: (many + 1) // 2]]


def ranked(tried: Sequence[Tried[S]], deals: range) -> Round[S]:
    """A round from its results; of equals, the one that was listed first stands first."""
    return Round(deals, tuple(sorted(tried, key=lambda one: one.loss)))


def order(rounds: Sequence[Round[S]]) -> list[S]:
    """All settings, the best first: who stayed longer, and then who did better in that round."""
    every = (one.setting for played in reversed(rounds) for one in played.tried)
    return list(dict.fromkeys(every))
