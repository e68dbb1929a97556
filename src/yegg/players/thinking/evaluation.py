"""What choices and positions are worth, as shares of the win.

`weigh` tries all choices of a decision in the same futures, as long as there is time; `glance` is
what is thought of each at first sight, and needs no compiler; `prospects` tells everybody's chances
in a position, hidden things included: the coach's curve is made of them.  All is told by what the
game has learned, and by its lore if it has learned nothing.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from yegg.engine import Game, States, kernels
from yegg.engine.dice import seeds
from yegg.engine.record import SIDES, Ints
from yegg.engine.verbs import chances, play, reckon

from .iterations import foresee, workspace
from .knowledge import judged, reasoned, sides_of
from .mixtures import Sealed, attempt_sealed
from .plan import Evaluation, Plan, Reckoned, apart, in_pairs, in_slices
from .rollouts import REASONS, attempt, rollouts
from .tree import Numbers

TURNS = 3
"""A future is judged after each player has had this many turns."""
DARING = 0.005
"""A choice whose share of the win is greater by this much is played e times as often."""
SLICES = 8
"""From so many slices of the futures on, what differs between them tells how sure values are."""


class Sheets(NamedTuple):
    """A round of secret orders, of which everybody's mixtures were learnt."""

    learnt: Sealed
    root: States
    """What the seat knew at its first order of the round."""
    shares: NDArray[np.float64]
    """How often it gives each of the orders that are weighed."""


def weigh(
    game: Game,
    view: States,
    seat: int,
    choices: Sequence[int],
    plan: Plan,
    seed: int,
    turns: int = TURNS,
    sheets: Sheets | None = None,
) -> Evaluation:
    """Value every choice of a seat by rollouts of so many turns of each player.

    One rollout of one choice is an iteration.  ``sheets``: of a round of secret orders.
    """
    k, swaps = len(choices), float(turns * view[0]["players"])
    on, out = rollouts(game.state.dtype, game.choices), np.zeros(game.choices, np.int32)
    on.views[0], out[:k], on.order[:k] = view[0], choices, range(k)
    begin = seeds(seed, 0, 1, 1)[0, 0, 0]
    run = reasoned(game).kernel(attempt_sealed if sheets else attempt)
    learnt = (sheets.learnt, sheets.root.view(np.uint64)) if sheets else ()
    futures = max(1, plan.iterations // k) if plan.iterations else 1 << 31
    ends, totals, told = [0], [np.zeros(k)], [np.zeros((k, REASONS))]

    def think(done: int, upto: int) -> None:
        run(on, *learnt, seat, out, k, begin, done, upto, swaps)
        ends.append(upto)
        totals.append(on.total[:k, seat].copy())
        told.append(on.told[:k].copy())

    done = in_slices(think, futures, plan.seconds or float("inf"))
    means = on.total[:k, : sides_of(game, view)] / done
    values = means[:, seat]
    spread = on.squares[:k] / done - values**2
    alike = values * (1 - values) / np.maximum(spread, 1e-9)  # won-or-lost games in a future
    shares = sheets.shares if sheets else np.exp((values - values.max()) / DARING)
    sample, best = done * np.maximum(alike, 1.0), int(np.argmax(shares))
    slices, gains = np.diff(ends), np.diff(totals, axis=0)
    paired = len(slices) >= SLICES
    doubts = in_pairs(slices, gains, best) if paired else apart(values, sample, best)
    return Evaluation(
        shares=shares,
        values=values,
        tries=np.full(k, done),
        sample=sample,
        doubts=doubts,
        worth=means[best],
        iterations=done * k,
        reckoned=Reckoned(slices, np.diff(told, axis=0)) if paired else None,
    )


def judge(views: States, seat: int, out: Ints, shares: Numbers, told: Numbers) -> None:
    """Look at the position after each choice in ``out``.

    Everybody's share of the win goes to ``shares`` (k, sides), what the seat may speak of to
    ``told`` (k, reasons).  ``views[0]`` is the position, and ``views[1]`` is room.
    """
    for j in range(out.size):
        views[1] = views[0]
        play(views[1], out[j])
        chances(views[1], shares[j])
        reckon(views[1], seat, told[j])


def reckoned(views: States, every: Numbers) -> None:
    """Write what each seat may speak of in the position ``views[0]`` to ``every`` (seats, …)."""
    for seat in range(every.shape[0]):
        reckon(views[0], seat, every[seat])


def glance(game: Game, view: States, seat: int, choices: Sequence[int]) -> Evaluation:
    """Value every choice of a seat by the position right after it.

    What the seat cannot know is dealt once, the same for all choices.
    """
    made, k = reasoned(game, "plain"), len(choices)
    views = np.zeros(2, game.state.dtype)
    views[0] = view[0]
    shares, told = np.zeros((k, SIDES)), np.zeros((k, REASONS))
    with np.errstate(over="ignore"):  # the plain generator's sums overflow on purpose
        dice, room = np.zeros(1, np.uint64), np.zeros(game.choices, np.int32)
        made.kernel(kernels.settle)(views[:1], dice, room)
        made.kernel(judge)(views, seat, np.array(choices, np.int32), shares, told)
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
        reckoned=Reckoned(once[:1], told[None]),
    )


def prospects(
    game: Game, sides: int, times: int = 1
) -> Callable[[States, int], NDArray[np.float64]]:
    """A function of a position, shape (1,), and a seed: each side's expected share of the win.

    Where chance acts it goes on to the next decision ``times`` times, and takes the mean.  Where
    a player acts, once is enough.
    """
    room = np.zeros(2, game.state.dtype)
    on = workspace(room, game.choices, sides)
    run = judged(game).kernel(foresee)

    def judge(states: States, seed: int) -> NDArray[np.float64]:
        total = np.zeros(sides)
        run(states.view(np.uint64), on, times, seeds(seed, 0, 1, 1)[0, 0], total)
        return total / times

    return judge
