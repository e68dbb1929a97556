"""What a position tells whom, and which way of thinking fits it."""

from typing import Literal

import numpy as np

from yegg.engine import Game, States, kernels
from yegg.engine.engine import Engine

Way = Literal["tree", "futures", "secret"]
"""A search tree; futures, where a tree would be thin; secret orders, which need a mixture."""


def engine(game: Game) -> Engine:
    """A game's kernels with its lore in them."""
    return game.engine("lore")


def sides_of(game: Game, state: States) -> int:
    """How many have a share of the win."""
    return len(engine(game).result(state)[0])


def known_to_all(game: Game, view: States) -> bytes:
    """What of a view everybody knows."""
    public = view.copy()
    for seat in range(int(view[0]["players"])):
        engine(game).kernel(kernels.veil)(public, seat)
    return public.tobytes()


def secret(game: Game, view: States, seat: int, choice: int) -> bool:
    """Whether a choice leaves somebody else knowing just what they knew."""
    run, out = engine(game).kernel, np.zeros(game.choices, np.int32)
    before = view.copy()
    run(kernels.settle)(before, np.zeros(1, np.uint64), out)
    after = before.copy()
    run(kernels.make)(after, choice)
    for other in range(int(view[0]["players"])):
        if other != seat:
            then, now = before.copy(), after.copy()
            run(kernels.veil)(then, other)
            run(kernels.veil)(now, other)
            if then.tobytes() == now.tobytes():
                return True
    return False


def futures_wanted(game: Game) -> int:
    """How many futures the game's lore asks for at a decision; 0 where it leaves that open."""
    return int(getattr(game.part("lore"), "FUTURES", 0))


def thin(game: Game, view: States) -> bool:
    """Whether a search tree would visit its nodes once: something is hidden, or lore says so."""
    return bool(futures_wanted(game)) or known_to_all(game, view) != view.tobytes()


def way(game: Game, view: States, root: States, seat: int, choice: int) -> Way:
    """How to think about a decision between choices like this one.

    ``root`` is what the seat knew before the first secret order of the round, if there was one.
    """
    if root.tobytes() != view.tobytes() or secret(game, view, seat, choice):
        return "secret"
    return "futures" if thin(game, view) else "tree"
