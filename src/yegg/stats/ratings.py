"""One rating for many players, from how often each won against each other (Bradley and Terry 1952).

Player i wins against player j with probability w_i / (w_i + w_j).  A rating is 400 log10 w, as
Elo's (1978), so that ten to one are 400 points; the mean of all is 0.
"""

import numpy as np

from .p_values import Floats

PRIOR = 0.5
"""Wins that every player has over every other one that it met beside those that were played.

So a player that has won all its games has a rating, too.
"""
ROUNDS = 10_000
CLOSE = 1e-9
"""A round that changes no strength by more than this part of it is the last."""


def ratings(won: Floats) -> Floats:
    """The ratings of players, shape (…, k).

    ``won``, shape (…, k, k): the games that each won over each, in a row its own.  Who met in one
    of several tables met in all.  The ratings are found by the MM algorithm (Hunter 2004); those of
    players who are not connected by games cannot be compared.

    >>> ratings(np.array([[0, 90], [9, 0]])).round().tolist()
    [196.0, -196.0]
    """
    every = won.reshape(-1, *won.shape[-2:]).sum(axis=0)
    met = every + every.T > 0
    won = np.where(met, won + PRIOR, 0.0)
    games, total = won + np.swapaxes(won, -1, -2), won.sum(axis=-1)
    strength = np.ones(won.shape[:-1])
    for _ in range(ROUNDS):
        both = strength[..., :, None] + strength[..., None, :]
        better = total / np.maximum((games / both).sum(axis=-1), 1e-300)
        better /= np.exp(np.log(better).mean(axis=-1, keepdims=True))
        done = np.abs(better / strength - 1).max() < CLOSE
        strength = better
        if done:
            break
    return 400 * np.log10(strength)
