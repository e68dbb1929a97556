"""The laboratory's random number generator: splitmix64 (Steele, Lea & Flood 2014).

A generator is an array of one uint64, so its state is plain data.  The same seed gives the same
game on any machine and on any number of threads.
"""

import numpy as np

from .verbs import Dice

# Numba makes a float64 of uint64 and int64 together: so constants are typed and results cast
GOLD = np.uint64(0x9E3779B97F4A7C15)
MIX1, MIX2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
S27, S30, S31, S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)


def stir(x: np.uint64) -> np.uint64:
    """Mix 64 bits: the finalizer of splitmix64."""
    x = (x ^ (x >> S30)) * MIX1
    x = (x ^ (x >> S27)) * MIX2
    return x ^ (x >> S31)


def draw(dice: Dice) -> np.uint64:
    """The next 64 random bits."""
    dice[0] += GOLD
    return stir(dice[0])


def pick(bits: np.uint64, k: int) -> int:
    """Random bits as a number 0 … k-1.  Its probability is off by less than k / 2**32."""
    return np.int64(((bits >> S32) * np.uint64(k)) >> S32)  # type: ignore[return-value]


def roll(dice: Dice, k: int) -> int:
    """A number 0 … k-1, all equally likely."""
    return pick(draw(dice), k)


def fraction(dice: Dice) -> float:
    """A random number from 0 up to, but not including, 1."""
    dice[0] += GOLD
    return np.float64(stir(dice[0]) >> np.uint64(11)) * 2.0**-53


def seeds(seed: int, first: int, games: int, streams: int) -> Dice:
    """Generators for the games ``first``, ``first`` + 1 …, shape (games, streams, 1).

    Each game has ``streams`` generators of its own.
    """
    start = np.uint64(seed % 2**64)
    game = np.arange(first + 1, first + games + 1, dtype=np.uint64).reshape(-1, 1, 1)
    stream = np.arange(streams, dtype=np.uint64).reshape(1, -1, 1)
    with np.errstate(over="ignore"):
        mixed: Dice = stir(stir(stir(start + GOLD) + game * GOLD) + stream)  # type: ignore[assignment,arg-type]
    return mixed
