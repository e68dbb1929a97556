"""How many games a second the search plays out, next to OpenSpiel's C++ search.

    python bench/search.py

Ours thinks about the first decision of Second Story with three players, theirs about the first of
Pig with three players (a smaller game); both play every game out to its end, on one core.  In turn,
several times: the median of the ratios is what counts.  Needs the package open-spiel.
"""

import statistics
import time

import numpy as np
import pyspiel

from yegg import games
from yegg.engine import Match
from yegg.players.search import EDGES, NODES
from yegg.players.thinking.iterations import think, workspace
from yegg.players.thinking.knowledge import engine
from yegg.players.thinking.tree import plant

GAMES, REPEATS = 20_000, 7
TO_THE_END = 1_000_000  # decisions; a game has fewer


def ours(match, seed):
    """Games a second of ours."""
    game, root = match.game, match.known_to(match.actor).view(np.uint64)
    run, dice = engine(game).kernel(think), np.array([seed], np.uint64)
    on = workspace(np.zeros(2, game.state.dtype), game.choices, match.players)
    tree = plant(NODES, EDGES, match.players)
    start = time.thread_time()
    run(root, on, tree, GAMES, TO_THE_END, dice)
    return GAMES / (time.thread_time() - start)


def theirs(pig, seed):
    """Games a second of OpenSpiel's."""
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    bot = pyspiel.MCTSBot(pig, evaluator, 1.4, GAMES, 1000, False, seed, False)  # noqa: FBT003
    state = pig.new_initial_state()
    start = time.thread_time()
    bot.step(state)
    return GAMES / (time.thread_time() - start)


def main():
    """Measure and print."""
    match = Match(games.find("second-story"), 3).to_decision(1)
    pig = pyspiel.load_game("pig(players=3)")
    ours(match, 0)  # compiled or loaded
    pairs = [(ours(match, n), theirs(pig, n)) for n in range(1, 1 + REPEATS)]
    mine, other = (statistics.median(rates) for rates in zip(*pairs, strict=True))
    ratio = statistics.median(one / two for one, two in pairs)
    print(f"Second Story, 3 players, search: {mine:,.0f} games played out a second")
    print(f"OpenSpiel (C++), Pig, 3 players, MCTS: {other:,.0f}; ours is {ratio:.2f} times that")


if __name__ == "__main__":
    main()
