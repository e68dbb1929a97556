"""How many games a second the search plays out, next to OpenSpiel's C++ search.

    python bench/search.py

Ours thinks about the first decision of Second Story with three players, theirs about the first of
Pig with three players (a smaller game); both play every game out to its end, on one core.  In turn,
several times: the median of the ratios is what counts.  Needs the package open-spiel.
"""

import random
import statistics
import time

import pyspiel

from yegg import games
from yegg.engine import CHANCE, Match
from yegg.players.thinking.plan import Plan
from yegg.players.thinking.tree.mind import Mind

GAMES, REPEATS = 20_000, 7
TO_THE_END = 1_000_000  # decisions; a game has fewer


def ours(match, seed):
    """Games a second of ours."""
    mind = Mind(match.game, Plan(iterations=GAMES, playout=TO_THE_END), seed)
    view, choices = match.known_to(match.actor), match.choices
    start = time.thread_time()
    mind.choose(view, match.actor, choices)
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
    match, dice = Match(games.find("second-story"), 3), random.Random(1)
    while match.actor == CHANCE or len(match.choices) == 1:
        match.play(dice.choice(match.choices))
    pig = pyspiel.load_game("pig(players=3)")
    ours(match, 0)  # compiled or loaded
    pairs = [(ours(match, n), theirs(pig, n)) for n in range(1, 1 + REPEATS)]
    mine, other = (statistics.median(rates) for rates in zip(*pairs, strict=True))
    ratio = statistics.median(one / two for one, two in pairs)
    print(f"Second Story, 3 players, search: {mine:,.0f} games played out a second")
    print(f"OpenSpiel (C++), Pig, 3 players, MCTS: {other:,.0f}; ours is {ratio:.2f} times that")


if __name__ == "__main__":
    main()
