"""The costliest choices of a game that is on disk."""

import sys

import yegg

game = yegg.read(sys.argv[1] if len(sys.argv) > 1 else "duel.game")
for slip in yegg.review(game, seconds=0.2).slips:  # by seat, the costliest first
    print(slip)
