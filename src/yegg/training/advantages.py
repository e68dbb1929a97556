"""By how much decisions turned out better than expected."""

from typing import Any


def advantages(
    xp: Any, value: Any, actor: Any, over: Any, rewards: Any, lam: float
) -> tuple[Any, Any]:
    """Generalized advantage estimation (GAE, Schulman et al. 2016), and where it is known, (T, B).

    Of T decisions of B games: the ``value`` that the acting seat expected, ``actor`` the seat,
    whether the game was ``over`` with it, all (T, B), and the ``rewards`` (T, B, P).  The nearer
    ``lam`` is to 0 the more it believes the values, to 1 the more how games ended.

    What follows a seat's decision is its own next one, whatever others do in between, or the end
    of the game with its reward.  What became of a seat's last decision is not known yet.
    """
    steps, many, players = rewards.shape
    better, known = xp.zeros((steps, many), value.dtype), xp.zeros((steps, many), bool)
    reward, expected, trace = (xp.zeros((many, players), value.dtype) for _ in range(3))
    later, games = xp.zeros((many, players), bool), xp.arange(many)
    for t in reversed(range(steps)):
        ended, at = over[t][:, None], (games, actor[t])
        reward = xp.where(ended, rewards[t], reward)
        later |= ended
        expected *= ~ended
        trace *= ~ended
        known[t] = later[at]
        found = reward[at] + expected[at] - value[t] + lam * trace[at]
        better[t] = found * known[t]
        reward[at], expected[at], trace[at], later[at] = 0, value[t], better[t], True
    return better, known
