"""Lets a net of yours meet the one that comes with Thief's Market: `python meet.py mine.npz`.

Each game has one seat for yours, each seat in turn, and both play their likeliest actions.
Without a file the game's own net meets itself.
"""

import sys

import numpy as np

from yegg import envs

GAMES, PLAYERS = 300, 3
theirs = envs.baseline("thiefs-market", PLAYERS)
mine = envs.baseline("thiefs-market", PLAYERS, net=sys.argv[1] if sys.argv[1:] else theirs.path)
batch = envs.batch("thiefs-market", GAMES, PLAYERS, seed=9, autoreset="disabled")
games, seats = np.arange(GAMES), np.arange(GAMES) % PLAYERS
while not batch.terminated.all():
    best = [net(batch.observations, batch.masks)[0].argmax(1) for net in (mine, theirs)]
    batch.step(np.where(batch.actor == seats, *best))
won = ((PLAYERS - 1) * batch.rewards[games, seats] + 1) / PLAYERS  # a reward as a share of the win
error = 1.96 * won.std() / GAMES**0.5
print(f"mine wins {won.mean():.1%} ± {error:.1%} of {GAMES} games; even is {1 / PLAYERS:.1%}")
