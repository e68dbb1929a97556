"""The verbs that every game has, as the kernels call them.

The functions here say what each verb does; ``Compiler`` puts a game's own functions in their place.
Those with a body are the defaults for games that have none of their own.
"""

import math

import numpy as np
from numpy.typing import NDArray

from . import renamed
from .record import Ints, Record, States

Dice = NDArray[np.uint64]
"""A random generator: its state, shape (1,)."""
Logits = NDArray[np.float32]
"""Of each choice its log probability in nats, but for a constant that all of them share."""


def deal(s: Record) -> None:
    """Set up the game.  ``players`` and the options are already in the state."""
    raise NotImplementedError


def actor(s: Record) -> int:
    """The current player: a seat from 0, CHANCE, or NOBODY once the game is over."""
    raise NotImplementedError


def legal(s: Record, out: Ints) -> int:
    """Write the actor's legal choices to ``out``, ascending; return how many there are."""
    raise NotImplementedError


def n_legal(s: Record, out: Ints) -> int:
    """How many choices the actor has; with `nth_legal` one is drawn faster than by `legal`."""
    return legal(s, out)


def nth_legal(s: Record, out: Ints, i: int) -> int:
    """The i-th choice in the order of `legal`; ``out`` is as `n_legal` left it."""
    return int(out[i])


def special(s: Record, out: Ints) -> int:
    """Write to ``out`` what nobody may choose, but a record may hold; return how many there are.

    Such are an adjudicator's orders.  If nothing else can follow, `legal` writes them too.
    """
    return 0


def play(s: Record, choice: int) -> None:
    """Carry out one legal choice of the actor.  It is not checked."""
    raise NotImplementedError


def hide(s: Record, seat: int) -> None:
    """Hide what a seat cannot know: chance deals it again, or its owner chooses it again.

    ``seat`` -1: a spectator, once all has been hidden that any seat cannot know.
    """
    raise NotImplementedError


def score(s: Record, seat: int) -> int:
    """The game's headline number for a seat."""
    raise NotImplementedError


def standing(s: Record, seat: int) -> int:
    """The number by which seats are placed, tie-breaks included: more is better, equal is a tie."""
    raise NotImplementedError


def sides(s: Record) -> int:
    """How many sides have a place and a score; usually as many as there are players."""
    return s.players


def evaluate(s: Record, seat: int) -> float:
    """Lore: how good the position is for a seat, on any scale; more is better."""
    best = 0
    for other in range(sides(s)):
        if other != seat:
            best = max(best, standing(s, other))
    return float(standing(s, seat) - best)


def evaluate_all(s: Record, every: NDArray[np.float64]) -> None:
    """Lore: write the `evaluate` for every side to ``every``; all at once may be faster."""
    for seat in range(sides(s)):
        every[seat] = evaluate(s, seat)


def value_scale(s: Record) -> float:
    """Lore: the lead in `evaluate` that makes a win e times as likely as the other's."""
    return 1.0


def easy_temperature(s: Record) -> float:
    """Lore: what `easy` divides the log probabilities of a policy net by before it draws."""
    return 4.0


def chances(s: Record, shares: NDArray[np.float64]) -> None:
    """Lore: write each side's expected share of the win; by default by `evaluate_all`."""
    scale, top, total = value_scale(s), -np.inf, 0.0
    evaluate_all(s, shares)
    n = sides(s)
    for q in range(n):
        shares[q] /= scale
        top = max(top, shares[q])
    for q in range(n):
        shares[q] = math.exp(shares[q] - top)
        total += shares[q]
    for q in range(n):
        shares[q] /= total


def sample_choice(s: Record, seat: int, out: Ints, k: int, dice: Dice) -> int:
    """Lore for secret orders: draw one of the seat's k choices in ``out`` at random.

    ``s`` is what the seat knows.  Returns the index of the choice, or -1 if orders are not
    secret, so that the best choice will do.
    """
    return -1


def policy(s: Record, seat: int, out: Ints, k: int, logits: Logits) -> bool:
    """A policy net: write to ``logits`` how likely each of the seat's k choices in ``out`` is.

    ``s`` is what the seat may know.  Returns False, and writes nothing, where no net has learned
    a game of so many players with these options.
    """
    return False


def draws(s: Record) -> bool:
    """A policy net: whether its choice is drawn, since others could guess the likeliest one."""
    return False


def win_share(s: Record, seat: int) -> float:
    """A policy net: the share of the win, 0 … 1, that a seat expects who knows ``s``.

    It is asked only where `policy` has an answer; the even share here is for the compiler.
    """
    return 1.0 / sides(s)


def expects(s: Record, shares: NDArray[np.float64]) -> bool:
    """A policy net: write the share of the win that each side expects by what it knows.

    They add up to one.  The game is not over.  Returns False, and writes nothing, where no net has
    learned a game of so many players with these options: there `chances` tells.
    """
    return False


def reckon(s: Record, seat: int, x: NDArray[np.float64]) -> None:
    """Reasons: write to ``x`` what a player at the seat would speak of in a position.

    ``x`` comes as zeros.  Of each number more is better; the game's ``reasons.toml`` has the words.
    The last of ``x`` is no reason, but how much of the game is still to come: 1 … 0.
    """


def count_event(s: Record, choice: int, count: Ints) -> None:
    """Tally: count what is to be counted of an event that is about to happen."""


def count_end(s: Record, count: Ints) -> None:
    """Tally: count what is to be counted of a finished game."""


def prefer(s: Record, seat: int, choice: int, numbers: NDArray[np.float64]) -> int:
    """A plan of one's own: the rank of a seat's choice, to which that of its words is added.

    ``s`` is what the seat may know, ``numbers`` what the plan goes by.  Of the legal choices only
    those of the highest rank are put to the player who has this plan.
    """
    return 0


def choose(views: States, seat: int, out: Ints, k: int, dice: Dice) -> int:
    """A player: the index of the choice that a seat makes among the k choices in ``out``.

    ``views[0]`` is what the seat may know.  The rest of ``views``, as many states as the player's
    ``ROOM``, is room to think in.  ``out`` must not be changed.
    """
    raise NotImplementedError


def more(s: Record, seat: int, m: Record) -> None:
    """Columns: write to ``m`` what follows from a view and is tiresome to count.

    ``s`` is what the seat may know, ``m`` a record of the game's own, see `yegg.engine.columns`.
    """


__getattr__ = renamed.by_old_names(__name__, renamed.VERBS)
