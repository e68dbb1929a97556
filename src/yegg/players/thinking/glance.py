"""What is thought of each choice at first sight; plain, so that it needs no compiler."""

from collections.abc import Sequence

import numpy as np

from yegg.engine import Game, States, kernels
from yegg.engine.fields import quick
from yegg.engine.record import SIDES, Ints
from yegg.engine.verbs import chances, play

from .futures.weighing import DARING
from .knowledge import judged
from .plan import Evaluation
from .tree.regret import Numbers


def judge(views: States, out: Ints, shares: Numbers) -> None:
    """Write everybody's share of the win after each choice in ``out`` to ``shares`` (k, sides).

    ``views[0]`` is the position, and ``views[1]`` is room.
    """
    for j in range(out.size):
        views[1] = views[0]
        play(views[1], out[j])
        chances(views[1], shares[j])


def glance(game: Game, view: States, seat: int, choices: Sequence[int]) -> Evaluation:
    """Value every choice of a seat by the position right after it.

    What the seat cannot know is dealt once, the same for all choices.
    """
    made, k = judged(game, "plain"), len(choices)
    views = np.zeros(2, quick(np.dtype(game.state.dtype)))
    views[0] = view[0]
    shares = np.zeros((k, SIDES))
    with np.errstate(over="ignore"):  # the plain generator's sums overflow on purpose
        dice, room = np.zeros(1, np.uint64), np.zeros(game.choices, np.int32)
        made.kernel(kernels.settle)(views[:1], dice, room)
        made.kernel(judge)(views, np.array(choices, np.int32), shares)
    sides = len(made.result(view)[0])
    values = shares[:, seat].copy()
    once = np.ones(k, np.int64)
    return Evaluation(
        shares=np.exp((values - values.max()) / DARING),
        values=values,
        doubts=np.zeros(k),
        tries=once,
        sample=once.astype(float),
        worth=shares[int(np.argmax(values)), :sides],
        iterations=k,
    )
