"""The costliest choices of a game that is on disk."""

import sys

import yegg

game = yegg.read(sys.argv[1] if len(sys.argv) > 1 else "duel.game")
for slips in yegg.review(game, seconds=0.2).slips:  # by seat, the costliest first
    for slip in slips:
        name, cost = game.names[slip.seat], 100 * slip.cost
        print(f"{slip.event}. {name}: {slip.chosen} cost {cost:.1f} %, {slip.better} was better")
