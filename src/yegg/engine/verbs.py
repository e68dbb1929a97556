"""The verbs every game has, as the kernels call them.

These bodies only document the contract: ``Forge`` puts a game's own functions in
their place.  Those with a real body are defaults for games that need no other.
"""

import math

import numpy as np
from numpy.typing import NDArray

from .record import Ints, Record, States

Dice = NDArray[np.uint64]
"""A generator's state, shape (1,)."""
Sensed = NDArray[np.float32]
"""What a seat senses of a position, shape (SENSES,)."""


def deal(s: Record) -> None:
    """Set up the game; ``players`` and the options are already in the state."""
    raise NotImplementedError


def actor(s: Record) -> int:
    """The current player: a seat from 0, CHANCE, or NOBODY once the game is over."""
    raise NotImplementedError


def legal(s: Record, out: Ints) -> int:
    """Write the actor's legal choices to ``out``, ascending; return how many."""
    raise NotImplementedError


def ways(s: Record, out: Ints) -> int:
    """How many choices the actor has.  With `way`, a short cut past `legal`, for one at random."""
    return legal(s, out)


def way(s: Record, out: Ints, i: int) -> int:
    """The i-th of them, in the order of `legal`; ``out`` is as `ways` left it."""
    return int(out[i])


def special(s: Record, out: Ints) -> int:
    """Write what nobody may choose, but a record may hold (an adjudicator's orders).

    Where nothing else may follow, `legal` writes it too.
    """
    return 0


def play(s: Record, choice: int) -> None:
    """Carry out one legal choice of the actor.  Does not check it."""
    raise NotImplementedError


def hide(s: Record, seat: int) -> None:
    """Put back to chance, or to its owner, all that a seat cannot know."""
    raise NotImplementedError


def score(s: Record, seat: int) -> int:
    """The game's headline number for a seat."""
    raise NotImplementedError


def standing(s: Record, seat: int) -> int:
    """Orders the seats, tie-breaks included: more is better, equal is a tie."""
    raise NotImplementedError


def sides(s: Record) -> int:
    """How many have a place and a score in the end; usually the players."""
    return s.players


def worth(s: Record, seat: int) -> float:
    """Lore: how good the position looks to a seat, any scale, more is better."""
    best = 0
    for other in range(sides(s)):
        if other != seat:
            best = max(best, standing(s, other))
    return float(standing(s, seat) - best)


def worths(s: Record, every: NDArray[np.float64]) -> None:
    """Lore: the `worth` to every side; a short cut where all at once is quicker."""
    for seat in range(sides(s)):
        every[seat] = worth(s, seat)


def spread(s: Record) -> float:
    """Lore: how much more worth than another's makes a win e times as likely as theirs."""
    return 1.0


def chances(s: Record, shares: NDArray[np.float64]) -> None:
    """Lore: likely shares of the win of an unfinished game, by side; else told by `worths`."""
    scale, top, total = spread(s), -np.inf, 0.0
    worths(s, shares)
    n = sides(s)
    for q in range(n):
        shares[q] /= scale
        top = max(top, shares[q])
    for q in range(n):
        shares[q] = math.exp(shares[q] - top)
        total += shares[q]
    for q in range(n):
        shares[q] /= total


def foresees(s: Record) -> bool:
    """Lore: whether `worth` judges a position as well while chance is still to act."""
    return False


def sense(s: Record, seat: int, x: Sensed) -> None:
    """Senses: what a seat may know as numbers about as big as one, into ``x``, which is zeros.

    Without a module ``senses`` a game is sensed from its declared record.
    """
    raise NotImplementedError


def mix(s: Record, seat: int, out: Ints, k: int, dice: Dice) -> int:
    """Lore for secret orders: one of the seat's k choices in ``out``, drawn at random.

    ``s`` is what the seat knows.  An index; -1: orders are not secret, the best will do.
    """
    return -1


def note(s: Record, choice: int, count: Ints) -> None:
    """Tally: what the lab counts of an event about to happen."""


def close(s: Record, count: Ints) -> None:
    """Tally: what the lab counts of a finished game."""


def choose(views: States, seat: int, out: Ints, k: int, dice: Dice) -> int:
    """A player: which of the k choices in ``out`` a seat takes, as an index.

    ``views[0]`` is what the seat may know; the rest of ``views`` is room to think
    (as many states as the player's ``ROOM``).  ``out`` must be left as it is.
    """
    raise NotImplementedError
