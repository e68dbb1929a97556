"""Who of a line-up sits where: every arrangement that differs, over the same deal."""

import hashlib
import itertools
from collections.abc import Hashable, Sequence

MANY = 24  # arrangements; of more, a fixed draw is played


def seatings(lineup: Sequence[Hashable]) -> list[tuple[int, ...]]:
    """By seat, the place in the line-up of who sits there; equal players are not told apart.

    >>> seatings(["greedy", "easy", "easy"])
    [(0, 1, 2), (1, 0, 2), (1, 2, 0)]
    """
    kinds = list(dict.fromkeys(lineup))
    order = [kinds.index(player) for player in lineup]
    every = list(dict.fromkeys(itertools.permutations(order)))
    ranked = sorted(every, key=lambda row: hashlib.sha256(repr(row).encode()).digest())
    chosen = set(ranked[:MANY])
    return [_places(row, order) for row in every if row in chosen]


def _places(kinds: Sequence[int], order: Sequence[int]) -> tuple[int, ...]:
    """The first free place of the line-up for each kind of player, seat by seat."""
    free: dict[int, list[int]] = {}
    for at, kind in enumerate(order):
        free.setdefault(kind, []).append(at)
    return tuple(free[kind].pop(0) for kind in kinds)


def against(players: int) -> list[tuple[int, ...]]:
    """Two players, 0 and 1: one has one seat, each in turn, and the other all others.

    Each is the one and the other equally often, so both have equally many seats.
    """
    alone = [
        tuple(one if seat == at else 1 - one for seat in range(players))
        for one in (0, 1)
        for at in range(players)
    ]
    return list(dict.fromkeys(alone))
