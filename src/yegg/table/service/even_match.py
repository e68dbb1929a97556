"""Which level would be an even match for somebody, by the games that they have finished.

One number says how well somebody plays a game: on a scale of natural log odds, on which each level
stands `STEP` above the one below.  Among n players who play equally well each wins 1/n (Luce 1959).
What is most likely is taken, by the games and by what is expected before them: that somebody plays
like the bots that they chose first, as if `PRIOR` games had been even there.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from yegg.engine.voice import Handicap
from yegg.players import LEVELS
from yegg.stats.intervals import Figure, proportion
from yegg.text.phrases import counted, percent

STEP = 1.0  # a level wins 73 games of 100 against the one below; `docs/pictures/ladders.csv`
PRIOR = 10  # games
RECENT = 40  # games that count, since people learn
ROUNDS = 50  # of Newton's method; a dozen are enough


class Result(NamedTuple):
    """A finished game against bots of one level, or alone."""

    level: str
    """Of the bots."""
    share: float
    """Of the win, 0 to 1."""
    players: int
    handicap: Handicap | None = None

    @property
    def against(self) -> str:
        """Whom it was played against, in words."""
        return named(self.handicap, self.level) if self.handicap else self.level

    @property
    def known(self) -> bool:
        """Whether it is known how well the other side plays."""
        return self.level in LEVELS or bool(self.handicap and self.handicap.alone)

    @property
    def stands(self) -> float:
        """How well the other side plays, in levels."""
        return place(self.handicap, self.level) if self.handicap else LEVELS.index(self.level)


def named(handicap: Handicap, level: str) -> str:
    """A handicap, with the level of the bots."""
    return handicap.named if handicap.alone else f"{level} with {handicap.named}"


def place(handicap: Handicap, level: str) -> float:
    """How well the other side plays with a handicap, in levels."""
    return handicap.stands + (0 if handicap.alone else LEVELS.index(level))


class EvenMatch(NamedTuple):
    """A level to play against, and why."""

    level: str
    beside: str
    """Whom one has played against, whose figure is told."""
    games: int
    """How many there were against that one."""
    won: Figure
    """The share of the win there."""
    closer: tuple[Handicap, str] | None = None
    """A handicap, and a level, with which the match would be nearer to even."""

    @property
    def closer_named(self) -> str:
        """What is closer, in words; "" if nothing is."""
        return named(*self.closer) if self.closer else ""

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
    here = known = results[-1].stands * STEP
    for _ in range(ROUNDS):
        slope, bend = -(here - known) * PRIOR / 4, PRIOR / 4
        for result in results:
            others = (result.players - 1) * math.exp(result.stands * STEP - here)
            expected = 1 / (1 + others)
            slope += result.share - expected
            bend += expected * (1 - expected)
        here += max(-1.0, min(1.0, slope / bend))
    return here / STEP


def even_match(results: Sequence[Result], handicaps: Sequence[Handicap] = ()) -> EvenMatch | None:
    """The level nearest to how somebody plays, at most one above the highest that they have met.

    ``results``: the newest first; ``handicaps``: of the game, of which one may be closer.
    None without a game against somebody whose strength is known.
    """
    recent = [result for result in results if result.known][:RECENT]
    if not recent:
        return None
    here, met = skill(recent), {result.against: result for result in recent}
    most = min(max(math.ceil(result.stands) for result in recent) + 1, len(LEVELS) - 1)
    wanted = max(0, min(round(here), most))
    beside = min(met, key=lambda one: (abs(met[one].stands - wanted), -met[one].stands))
    there = [result for result in recent if result.against == beside]
    won = proportion(sum(result.share for result in there), len(there))
    near = LEVELS[wanted : min(wanted + 1, most) + 1]
    pairs = [(one, level) for one in handicaps for level in near]
    closer = min(pairs, key=lambda pair: abs(place(*pair) - here), default=None)
    if closer and abs(place(*closer) - here) >= abs(wanted - here):
        closer = None
    return EvenMatch(LEVELS[wanted], beside, len(there), won, closer)
