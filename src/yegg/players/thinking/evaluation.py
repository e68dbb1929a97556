"""What choices and positions are worth, as shares of the win.

`weigh` tries all choices of a decision in the same futures, as long as there is time; `glance` is
what is thought of each at first sight, and needs no compiler; `prospects` tells everybody's chances
in a position, hidden things included: the coach's curve is made of them.  All is told by the policy
net where it covers the game, and by lore elsewhere.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from yegg.engine import Game, States, kernels
from yegg.engine.curve import gain
from yegg.engine.dice import seeds
from yegg.engine.record import NOBODY, SIDES, Ints
from yegg.engine.verbs import actor, chances, draws, policy, reckon
from yegg.players.policy_net import first_sight
from yegg.players.policy_net.shares import add_up

from .foresight import foresee, foresight
from .knowledge import by_policy, reasoned, sides_of, turns_wanted
from .mixtures import Sealed, attempt_sealed
from .plan import Evaluation, Plan, Reckoned, apart, in_pairs, in_slices
from .rollouts import REASONS, Rollouts, attempt, rollouts
from .tree import Numbers

TURNS = 3
"""A future is judged after each player has had this many turns."""
DARING = 0.005
"""A choice whose share of the win is greater by this much is played e times as often."""
TIMES = 32
"""Futures that everybody's chances are the mean of."""
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

    One rollout of one choice is an iteration.  ``sheets``: of a round of secret orders, where no
    policy net has learned them.
    """
    k, players = len(choices), int(view[0]["players"])
    on, out = rollouts(game.state.dtype, game.choices), np.zeros(game.choices, np.int32)
    on.views[0], out[:k], on.order[:k] = view[0], choices, range(k)
    begin = seeds(seed, 0, 1, 1)[0, 0, 0]
    run = reasoned(game).kernel(attempt_sealed if sheets else attempt)
    swaps, mixed = float(turns * players), sheets.shares if sheets else None
    if not sheets and by_policy(game, view):
        secret = reasoned(game).kernel(ask_policy)(on, seat, out, k)
        turns = 1 if secret else turns_wanted(game) or turns
        swaps = float(turns)  # its own
        mixed = np.exp(on.logits[:k].astype(np.float64)) if secret else None
    learnt = (sheets.learnt, sheets.root.view(np.uint64)) if sheets else ()
    futures = max(1, plan.iterations // k) if plan.iterations else 1 << 31
    ends, totals, told = [0], [np.zeros(k)], [np.zeros((k, REASONS))]

    def think(done: int, upto: int) -> None:
        run(on, *learnt, seat, out, k, begin, done, upto, swaps)
        ends.append(upto)
        totals.append(on.total[:k, seat].copy())
        told.append(on.reasons[:k].copy())

    done = in_slices(think, futures, plan.seconds or float("inf"))
    means = on.total[:k, : sides_of(game, view)] / done
    values = means[:, seat]
    spread = on.squares[:k] / done - values**2
    alike = values * (1 - values) / np.maximum(spread, 1e-9)  # won-or-lost games in a future
    shares = np.exp((values - values.max()) / DARING) if mixed is None else mixed
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


def ask_policy(on: Rollouts, seat: int, out: Ints, k: int) -> bool:
    """Have the policy net play the futures, and write to ``on.logits`` how likely it is to choose.

    Returns whether its choice is drawn, since orders are secret.
    """
    on.by_policy[0] = policy(on.views[0], seat, out, k, on.logits)
    top = on.logits[0]
    for j in range(k):
        top = max(top, on.logits[j])
    for j in range(k):
        on.logits[j] -= top
    return draws(on.views[0])


def evaluate_views(views: States, seat: int, shares: Numbers, told: Numbers) -> None:
    """Look at positions, by lore.

    Everybody's share of the win goes to ``shares`` (n, sides), what the seat may speak of to
    ``told`` (n, reasons).
    """
    for j in range(views.size):
        if actor(views[j]) == NOBODY:
            gain(views[j], shares[j])
        else:
            chances(views[j], shares[j])
        reckon(views[j], seat, told[j])


def reckoned(views: States, every: Numbers) -> None:
    """Write what each seat may speak of in the position ``views[0]`` to ``every`` (seats, …)."""
    for seat in range(every.shape[0]):
        reckon(views[0], seat, every[seat])


def glance(game: Game, view: States, seat: int, choices: Sequence[int]) -> Evaluation:
    """Value every choice of a seat by the position right after it.

    What the seat cannot know is dealt once, the same for all choices.
    """
    plain, k, players = reasoned(game, "plain"), len(choices), int(view[0]["players"])
    run, sides = plain.kernel, len(plain.result(view)[0])
    views = np.zeros(k + 1, game.state.dtype)  # the last is the position before the choices
    views[k] = view[0]
    shares, told = np.zeros((k + 1, SIDES)), np.zeros((k + 1, REASONS))
    with np.errstate(over="ignore"):  # the plain generator's sums overflow on purpose
        dice, room = np.zeros(1, np.uint64), np.zeros(game.choices, np.int32)
        run(kernels.settle)(views[k:], dice, room)
        views[:k] = views[k]
        for j, choice in enumerate(choices):
            run(kernels.make)(views[j : j + 1], choice)
        run(evaluate_views)(views, seat, shares, told)
    values, worth = shares[:k, seat].copy(), shares[int(np.argmax(shares[:k, seat])), :sides]
    if by_policy(game, view):
        asked = [j for j in range(k) if game.rules.actor(views[j]) != NOBODY]
        mine, everybody = np.full(len(asked), seat, np.int32), np.arange(players, dtype=np.int32)
        values[asked] = first_sight.expected(game, views[asked], mine)
        worth[:players] = first_sight.expected(game, views[k].repeat(players), everybody)
        add_up(worth, players, sides)
    once = np.ones(k, np.int64)
    return Evaluation(
        shares=np.exp((values - values.max()) / DARING),
        values=values,
        doubts=np.zeros(k),
        tries=once,
        sample=once.astype(float),
        worth=worth,
        iterations=k,
        reckoned=Reckoned(once[:1], told[None, :k]),
    )


def prospects(
    game: Game, sides: int, times: int = TIMES
) -> Callable[[States, int], NDArray[np.float64]]:
    """A function of a position, shape (1,), and a seed: each side's expected share of the win.

    It is the mean of so many futures.
    """
    on, run = foresight(game.state.dtype, game.choices), reasoned(game).kernel(foresee)

    def shares(states: States, seed: int) -> NDArray[np.float64]:
        total = np.zeros(sides)
        run(states, on, times, seeds(seed, 0, 1, 1)[0, 0], total)
        return total / times

    return shares
