"""Why one choice is better than another, in a game's words: its *reasons*.

A game's ``reckon`` writes down some numbers that a player would speak of, and ``reasons.toml``
beside it has the words, and what one more of each is worth in wins.  Both choices were tried in
the same futures.  What speaks most for the better one is told, and the price where it is large.
"""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from yegg.engine import Game
from yegg.players.thinking.plan import Reckoned
from yegg.text.phrases import counted, listing, number

WORDS = "reasons.toml"
STAGES = 0.1, 0.4, 0.8
"""How much of the game is still to come where reasons were weighed: late, halfway, early."""
CLEAR = 3  # standard errors: a dozen reasons are looked at, and chance would like to speak too
LEAST = 0.3  # of anything that is worth a word
TOLD = 2  # reasons that are told for a choice, at most
BESIDE = 0.5  # the second must be worth so much of the first
GAMES = 100  # in which something is counted that may be or not
PART = re.compile(r"\d\.\d")  # of a thing: so it is a mean
PRICE = 0.4  # the same of what speaks against it, by what it is worth when it is worth most


@dataclass(frozen=True)
class Reason:
    """Something that a player would speak of."""

    unit: str
    """What it counts, as ``token``."""
    more: str
    """What is said where there is more of it; ``{}`` stands for how much."""
    less: str
    worth: Sequence[float]
    """What one more brings, as a share of the win: late in the game, halfway, early (`STAGES`)."""
    units: str = ""
    """The plural, by default with an s."""
    scale: float = 1.0
    """What is told for one: 100 for the share of 100 games."""

    def brings(self, left: float) -> float:
        """What one more brings where so much of the game is to come."""
        return float(np.interp(left, STAGES, self.worth))

    def phrase(self, much: float) -> str:
        """How much more of it there is, or less; "" where that is next to nothing.

        Of a hundred games parts are not told.

        >>> coin = Reason("token", "{} more to spend", "{} fewer to spend", [0.1, 0.1, 0.1])
        >>> coin.phrase(2.94), coin.phrase(-1.0), coin.phrase(0.02)
        ('2.9 tokens more to spend', 'one token fewer to spend', '')
        """
        much *= self.scale
        figure = amount(abs(much if self.scale < GAMES else round(much)), self.unit, self.units)
        return (self.more if much > 0 else self.less).format(figure) if figure else ""


def amount(much: float, one: str, many: str = "") -> str:
    """So much of a thing as a sentence has it; "" for next to nothing.

    >>> amount(0.61, "token"), amount(3.04, "token"), amount(14.8, "point"), amount(0.04, "card")
    ('0.6 tokens', 'three tokens', '15 points', '')
    """
    rounded = round(much, 1) if much < 9.95 else round(much)
    if rounded < LEAST:
        return ""
    if rounded != int(rounded):
        return f"{rounded:.1f} {many or one + 's'}"
    return f"{number(int(rounded))} {counted(int(rounded), one, many).partition(' ')[2]}"


@cache
def reasons(game: Game) -> tuple[Reason, ...]:
    """The reasons of a game in the order of its ``reckon``; none where it declares none."""
    path = game.folder / WORDS
    if not path.exists():
        return ()
    return tuple(Reason(**one) for one in tomllib.loads(path.read_text())["reason"])


def speaks_for(game: Game, reckoned: Reckoned | None, better: int, worse: int) -> str | None:
    """What speaks for the better of two choices, by their indices; "" where nothing stands out.

    None where that is not known.
    """
    if reckoned is None or not reasons(game):
        return None
    return in_words(reasons(game), *reckoned.between(better, worse), reckoned.left)


def in_words(
    known: tuple[Reason, ...],
    more: NDArray[np.float64],
    doubts: NDArray[np.float64],
    left: float,
) -> str:
    """What speaks for a choice that brings so much ``more`` of each reason, and its price.

    >>> coin = Reason("token", "{} more to spend", "{} fewer to spend", [0.0, 0.02, 0.04])
    >>> land = Reason("district", "{} more led", "{} fewer led", [0.2, 0.04, 0.01])
    >>> in_words((coin, land), np.array([2.9, -1.0]), np.array([0.2, 0.1]), 0.4)
    'on average one district fewer led, but 2.9 tokens more to spend'
    >>> in_words((coin, land), np.array([2.0, 0.05]), np.array([0.2, 0.1]), 0.4)
    'two tokens more to spend'
    """
    told = clear(known, more, doubts, left)
    gains = sorted((one for one in told if one.gain > 0), reverse=True)
    if not gains:
        return ""
    most = gains[0].gain
    said = listing([one.words for one in gains[:TOLD] if one.gain >= BESIDE * most])
    worst = min(told, key=lambda one: one.at_most)
    if -worst.at_most >= PRICE * most:
        said = f"{worst.words}, but {said}"
    return f"on average {said}" if PART.search(said) else said


class Clear(NamedTuple):
    """A reason that stands out between two choices."""

    gain: float
    """What its difference is worth now, as a share of the win; below 0 it speaks against."""
    at_most: float
    """What it is worth when it is worth most."""
    words: str
    which: int
    """Its place among the game's reasons."""
    much: float
    """How much more of it the one choice brings."""


def clear(
    known: tuple[Reason, ...],
    more: NDArray[np.float64],
    doubts: NDArray[np.float64],
    left: float,
) -> list[Clear]:
    """The reasons of which one choice brings more or less, beyond what may be chance."""
    return [
        Clear(reason.brings(left) * much, max(reason.worth) * much, reason.phrase(much), i, much)
        for i, (reason, much, doubt) in enumerate(
            zip(known, more.tolist(), doubts.tolist(), strict=False)
        )
        if abs(much) > CLEAR * doubt and reason.phrase(much)
    ]


def strongest(
    game: Game, reckoned: Reckoned | None, better: int, worse: int
) -> tuple[int, float] | None:
    """What speaks most for the better of two choices: a reason's place, and how much more of it.

    None where nothing stands out, or that is not known.
    """
    if reckoned is None or not reasons(game):
        return None
    told = clear(reasons(game), *reckoned.between(better, worse), reckoned.left)
    best = max(told, default=None)
    return (best.which, best.much) if best and best.gain > 0 else None
