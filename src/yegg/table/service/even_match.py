"""Which level would be an even match for somebody, by the games that they have finished.

One number says how well somebody plays a game: on a scale of natural log odds, on which each level
stands `STEP` above the one below.  Among n players who play equally well each wins 1/n (Luce 1959).
What is most likely is taken, by the games and by what is expected before them: that somebody plays
like the bots that they chose first, as if `PRIOR` games had been even there.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from yegg.players import LEVELS
from yegg.stats.intervals import Figure, proportion
from yegg.text.phrases import counted, percent

STEP = 1.0  # a level wins 73 games of 100 against the one below; `docs/pictures/ladders.csv`
PRIOR = 10  # games
RECENT = 40  # games that count, since people learn
ROUNDS = 50  # of Newton's method; a dozen are enough


class Result(NamedTuple):
    """A finished game against bots of one level."""

    level: str
    share: float
    """Of the win, 0 to 1."""
    players: int


class EvenMatch(NamedTuple):
    """A level to play against, and why."""

    level: str
    beside: str
    """The level that one has played whose figure is told."""
    games: int
    """How many there were against that one."""
    won: Figure
    """The share of the win there."""

    @property
    def says(self) -> str:
        """Why, in a sentence.

        >>> EvenMatch("hard", "medium", 21, proportion(13, 21)).says
        'You win 62 % against medium in 21 games: try hard.'
        """
        then = f"stay with {self.level}" if self.level == self.beside else f"try {self.level}"
        games = counted(self.games, "game") if self.games > 1 else "one game"
        return f"You win {percent(self.won.value)} against {self.beside} in {games}: {then}."


def skill(results: Sequence[Result]) -> float:
    """How well somebody plays, in levels: 0 like the lowest, 1 like the next; the newest first.

    >>> round(skill([Result("medium", 1.0, 2)] * 4), 2)
    1.58
    """
    here = known = LEVELS.index(results[-1].level) * STEP
    for _ in range(ROUNDS):
        slope, bend = -(here - known) * PRIOR / 4, PRIOR / 4
        for result in results:
            others = (result.players - 1) * math.exp(LEVELS.index(result.level) * STEP - here)
            expected = 1 / (1 + others)
            slope += result.share - expected
            bend += expected * (1 - expected)
        here += max(-1.0, min(1.0, slope / bend))
    return here / STEP


def even_match(results: Sequence[Result]) -> EvenMatch | None:
    """The level nearest to how somebody plays, at most one above the highest that they have met.

    ``results``: the newest first.  None without a game against a level.
    """
    recent = [result for result in results if result.level in LEVELS][:RECENT]
    if not recent:
        return None
    met = sorted({LEVELS.index(result.level) for result in recent})
    wanted = max(0, min(round(skill(recent)), met[-1] + 1, len(LEVELS) - 1))
    beside = min(met, key=lambda level: (abs(level - wanted), -level))
    there = [result for result in recent if LEVELS.index(result.level) == beside]
    won = proportion(sum(result.share for result in there), len(there))
    return EvenMatch(LEVELS[wanted], LEVELS[beside], len(there), won)
