"""Works out everything that can still happen; only for the end of games where nothing is hidden.

It needs to see the whole position, and at most a million positions may follow, as is so towards
the end of a game.  The other players are measured by it.
"""

import random
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from yegg.engine import Game, Match, Refused, States

from .thinking.knowledge import engine, known_to_all
from .thinking.solve import EVENTS, SOLVED, TOO_LONG, book, solve

BLIND = True  # to lore: it knows
POSITIONS = 1_000_000
PROBES = 20  # random games that estimate how much can happen


class Reckoner:
    """A player that knows the exact value of every choice, or refuses to play."""

    def __init__(self, game: Game) -> None:
        """One player serves any match of a game."""
        self.game = game

    def choose(self, view: States, seat: int, choices: Sequence[int]) -> int:
        """The best of the choices, the first of equal ones.  Raises Refused."""
        if len(choices) == 1:
            return choices[0]
        return choices[int(np.argmax(values(self.game, view, len(choices))[:, seat]))]


def sit(game: Game, _budget: str, _seed: int) -> Reckoner:
    """An exact player, for one seat of one match."""
    return Reckoner(game)


def objection(game: Game, players: int, options: Mapping[str, str]) -> str | None:
    """Why it cannot play such games from start to end; None if it can."""
    lines = 0.0
    for seed in range(PROBES):
        hidden, ways = probed(Match(game, players, options, how="plain"), seed)
        if hidden:
            return f"it needs to see everything, and in {game.title} something is hidden"
        lines += ways / PROBES
        if lines > POSITIONS:
            return f"in {game.title} more can happen than it can work out"
    return None


def probed(match: Match, seed: int) -> tuple[bool, float]:
    """Play at random; return whether something is hidden, and how many ways there are to play on.

    The product of the numbers of choices along a random line is an unbiased estimate (Knuth 1975,
    Estimating the efficiency of backtrack programs).  There are no more positions than ways.
    """
    dice, ways = random.Random(seed), 1.0  # noqa: S311
    hidden = match.game.secret
    while not (match.over or hidden or ways > POSITIONS * PROBES):
        hidden = match.actor >= 0 and match.known_to(-1).tobytes() != match.states.tobytes()
        choices = match.choices
        ways *= len(choices)
        match.play(dice.choice(choices))
    return hidden, ways


def values(game: Game, view: States, k: int, positions: int = POSITIONS) -> NDArray[np.float64]:
    """Everybody's exact share of the win after each of k choices, shape (k, sides).

    Raises Refused where something is hidden or too much can happen.
    """
    made = engine(game)
    if known_to_all(game, view) != view.tobytes():
        raise Refused(f"exact needs to see everything, and in {game.title} something is hidden")
    sides = len(made.result(view)[0])
    result = np.zeros((k, sides))
    on = book(positions, view.dtype, game.choices, sides)
    said = made.kernel(solve)(view.view(np.uint64), on, result)
    if said == TOO_LONG:
        raise Refused(f"exact gives up: the game can go on for more than {EVENTS} events")
    if said != SOLVED:
        raise Refused(f"exact gives up: more than {positions:,} positions may follow")
    return result
