"""Hidden information in a position, and whether a tree, rollouts or mixed orders suit it."""

from typing import Literal

import numpy as np

from yegg.engine import Game, States, kernels
from yegg.engine.compiler import How
from yegg.engine.engine import Engine
from yegg.players.policy_net import policy_function

Way = Literal["tree", "futures", "secret"]
"""How a decision is thought about.

``tree``: by a search tree.  ``futures``: by rollouts, where a tree would visit each node about
once.
``secret``: the choice stays secret from somebody, so a mixture of choices is needed.
"""


def engine(game: Game) -> Engine:
    """The kernels over a game's rules and lore."""
    return game.engine("lore")


def judged(game: Game, how: How = "compiled") -> Engine:
    """The kernels with the policy net of the game, if it has one."""
    return game.engine(*policy_function.learned(game).parts, "lore", how=how)


def reasoned(game: Game, how: How = "compiled") -> Engine:
    """The coach's kernels: over the policy net, lore, and the reasons that are given."""
    return game.engine(*policy_function.learned(game).parts, "lore", "reasons", how=how)


def by_policy(game: Game, view: States) -> bool:
    """Whether a policy net covers the players and options of a position."""
    return policy_function.covered(game, int(view[0]["players"]), game.options_of(view))


def sides_of(game: Game, state: States) -> int:
    """How many sides share the win."""
    return len(engine(game).result(state)[0])


def known_to_all(game: Game, view: States) -> bytes:
    """The common knowledge in a view: it is hidden from each seat in turn."""
    public = view.copy()
    for seat in range(int(view[0]["players"])):
        engine(game).kernel(kernels.veil)(public, seat)
    return public.tobytes()


def secret(game: Game, view: States, seat: int, choice: int) -> bool:
    """Whether somebody else knows no more after a choice than before it."""
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
    """How many rollouts the game's lore asks for at a decision; 0 if it does not say."""
    return int(getattr(game.part("lore"), "FUTURES", 0))


def turns_wanted(game: Game) -> int:
    """After how many turns of each player the game's lore has `hard` judge; 0: as usual."""
    return int(getattr(game.part("lore"), "TURNS", 0))


def thin(game: Game, view: States) -> bool:
    """Whether a search tree would visit each of its nodes about once.

    So it is where cards are hidden, and where the game's lore says so by ``FUTURES``.
    """
    return bool(futures_wanted(game)) or known_to_all(game, view) != view.tobytes()


def method(game: Game, view: States, root: States, seat: int, choice: int) -> Way:
    """How to think about a decision; ``choice`` is any of its choices.

    ``root`` is what the seat knew before its first secret order of the round; it is ``view``
    itself if the seat has given none.
    """
    if root.tobytes() != view.tobytes() or secret(game, view, seat, choice):
        return "secret"
    return "futures" if thin(game, view) else "tree"
