"""How often a net wins against a bot that has all other seats."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from yegg.envs.batches import Batch
from yegg.observations.setting import Setting
from yegg.players.policy_net.forward import for_setting, forward
from yegg.players.policy_net.weights import PolicyWeights
from yegg.stats.intervals import Figure, share

from .opponents import Opponents

SEED = 10**6
"""Of the first part's games: the same deals each time, apart from those that are learned from."""
PARTS = 4
Each = Callable[[Callable[[int], Any], Iterable[int]], Sequence[Any]]


def duel(net: PolicyWeights, setting: Setting, bot: str, games: int, each: Each) -> Figure:
    """The net's share of wins, with its likeliest actions; it sits in each seat equally often.

    ``net``: NumPy's arrays, for columns as they are in float32 observations.  ``each`` does
    something with each of some parts, as `device.Processor.each`.
    """
    ends = np.linspace(0, games, PARTS + 1).astype(int)

    def some(i: int) -> Any:
        mine = np.arange(ends[i], ends[i + 1]) % setting.players
        return _shares(net, setting, bot, mine, SEED + i * games) if mine.size else np.zeros(0)

    return share(np.concatenate(list(each(some, range(PARTS)))), games)


def _shares(net: PolicyWeights, one: Setting, bot: str, mine: Any, seed: int) -> Any:
    """The net's share of the win of each game, in which it sits in these seats."""
    games, own, opponents = np.arange(len(mine)), for_setting(net, one), Opponents(bot)
    wanted = {"games": games.size, "autoreset": "disabled", "sample": False} | opponents.wishes
    batch = Batch(one, seats=opponents.seats(mine), seed=seed, **wanted)
    thinkers = opponents.thinkers(one)
    given, left = np.zeros(games.size, np.int32), games
    while left.size:
        asked = batch.actor[left] == mine[left]
        ours, theirs = left[asked], left[~asked]
        seen, legal = batch.observations[ours], batch.masks[ours] > 0  # type: ignore[index]
        given[ours] = forward(np, own, seen, legal)[0].argmax(1)
        if thinkers:
            given[theirs] = thinkers.answers(batch, theirs)
        batch.step(given)
        left = np.flatnonzero(~(batch.terminated | batch.truncated))
    return (batch.rewards[games, mine] * (one.sides - 1) + 1) / one.sides
