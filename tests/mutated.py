"""Changes positions of a game at random and lets bots play those that are taken: a program.

Compiled code that meets what it must not ends a process by a signal, so tests run this in one.
"""

import random
import sys

import numpy as np

from yegg.client import playing
from yegg.contract.cases import ALL, wander
from yegg.engine import Refused, kernels
from yegg.engine.dice import seeds
from yegg.engine.record import copied
from yegg.players import Bot


def changed(states, dice):
    """A state with a few numbers that are other ones, from near, from far, or from elsewhere."""
    twin = copied(states)
    words = twin.view(np.int32)
    for _ in range(dice.choice([1, 1, 2, 3])):
        at, other = dice.randrange(words.size), dice.randrange(words.size)
        far = dice.randint(-(2**31), 2**31 - 1)
        near = int(words[at]) + dice.choice([-1, 1])
        words[at] = dice.choice([near, near, far, -1, 0, int(words[other]), dice.randint(0, 60)])
    return twin


def sane(game, states):
    """Whether options and players go together."""
    try:
        game.options_of(states)
    except (Refused, LookupError):
        return False
    return True


def told(match, states):
    """A table of the seat that acts, as a server tells it."""
    fields = {name: states[0][name].tolist() for name in states.dtype.names if name != "_pad"}

    class Seen:
        game, position, seat = match.game.name, fields, match.actor + 1
        seats, choices = [None] * match.players, []
        options = match.game.options_of(states) if sane(match.game, states) else {}

    return Seen


def main(name, wanted, bots):
    """Change so many positions; print how many were taken."""
    dice, taken = random.Random(name), 0
    sitting = [Bot(bot, 1) for bot in bots]
    positions = []
    for case in [case for case in ALL if case.name == name]:
        for match in wander(case.match(), 1):
            if match.actor >= 0 and len(match.choices) > 1 and dice.random() < 0.1:
                positions.append(match.fork())  # noqa: PERF401  a loop reads better
    for number in range(wanted):
        match = dice.choice(positions)
        try:
            view = playing.view_of(told(match, changed(match.known_to(match.actor), dice)))
        except Refused as error:
            if "\n" in str(error) or len(str(error)) > 300:
                raise
            continue
        taken += 1
        choices = playing.choices_of(view.game, view.states, view.seat)
        if len(choices) > 1:
            view._choices = choices
            for bot in sitting:
                bot.choose(view)
        out = np.zeros(view.game.choices, np.int32)
        play = view.game.engine().kernel(kernels.playouts)
        play(np.repeat(view.states, 5), seeds(number, 0, 1, 1)[0, 0], 20_000, out)
    sys.stdout.write(f"taken {taken}\n")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3:])
