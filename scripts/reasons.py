"""Find what each of a game's reasons is worth in wins, and write it to its ``reasons.toml``.

    python scripts/reasons.py magnate
    python scripts/reasons.py secrets --games 500

Medium bots play, at every number of players that the game knows.  Of positions that they come by
it is written down what each seat could speak of, and who won.  What one seat has more than the
mean of all seats is set against what it won more (least squares, no worth below zero, a little
shrunk: reasons that go together share what they are worth).
"""

import argparse
import re

import numpy as np

from yegg import games
from yegg.coach.reasons import STAGES, WORDS, reasons
from yegg.engine import CHANCE, Match
from yegg.players import Bot
from yegg.players.thinking.evaluation import reckoned
from yegg.players.thinking.knowledge import reasoned
from yegg.players.thinking.rollouts import REASONS

EVERY = 5  # decisions between two positions that are looked at
SHRUNK = 0.2  # of the weight of the data: what is added to the diagonal
ROUNDS = 2000


def collected(game, many):
    """What seats could speak of, and what they won, each less the mean of its table."""
    x, won = [], []
    for seed in range(many):
        seats = game.seats({})
        match = Match(game, seats[seed % len(seats)], seed=seed)
        bots = [Bot("medium", seed=1000 * seed + seat) for seat in range(match.players)]
        rows, decisions = [], 0
        while not match.over:
            decisions += match.actor != CHANCE
            if decisions % EVERY == 1:
                rows.append(spoken(match))
                decisions += 1
            match.play(bots[match.actor].choose(match.view()))
        first = np.array(match.places[: match.players]) == 1
        share = first / first.sum() if first.any() else first * 0.0
        for every in rows:
            left = every[:, -1:]
            x.append(np.hstack([every[:, :-1] - every[:, :-1].mean(axis=0), left]))
            won.append(share - share.mean())
    return np.concatenate(x), np.concatenate(won)


def spoken(match):
    """What every seat could speak of now."""
    every = np.zeros((match.players, REASONS))
    reasoned(match.game).kernel(reckoned)(match.states, every)
    return every


def worths(x, won):
    """What one more of each is worth: no less than nothing."""
    size = np.sqrt((x**2).mean(axis=0)) + 1e-9
    x = x / size
    square, pull = x.T @ x, x.T @ won
    square += np.eye(len(pull)) * SHRUNK * len(x)
    found = np.zeros(len(pull))
    for _ in range(ROUNDS):
        for i in range(len(pull)):
            rest = pull[i] - square[i] @ found + square[i, i] * found[i]
            found[i] = max(0.0, rest / square[i, i])
    return found / size


def main():
    """Print what was found, and write it down."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("game", choices=games.names())
    parser.add_argument("--games", type=int, default=1000)
    asked = parser.parse_args()
    game = games.find(asked.game)
    x, won = collected(game, asked.games)
    left, x = x[:, -1], x[:, :-1]
    stage = np.digitize(left, np.array(STAGES[1:]) / 2 + np.array(STAGES[:-1]) / 2)
    found = np.stack([worths(x[stage == at], won[stage == at]) for at in range(len(STAGES))])
    pairs = [f"worth = [{', '.join(f'{part:.4f}' for part in parts)}]" for parts in found.T]
    for reason, pair in zip(reasons(game), pairs, strict=False):
        print(pair, reason.more)
    path, each = game.folder / WORDS, iter(pairs)
    path.write_text(re.sub(r"(?m)^worth = .*$", lambda _: next(each), path.read_text()))


if __name__ == "__main__":
    main()
