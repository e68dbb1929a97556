"""Are the chances beside choices true?  What advice says of the choice made, and who won.

    python bench/advice.py magnate
    python bench/advice.py secrets -n 100 --json    for programs

Games between `medium` players; one decision in EVERY is advised, before it is made.
"""

import argparse
import random

import drawn
import numpy as np

from yegg import games
from yegg.coach.advice import in_rollouts, in_tree, thought
from yegg.lab.calibration import compared, joined, summed
from yegg.players.thinking.plan import Plan
from yegg.text.json_writer import as_json

EVERY = 6
FUTURES = 50
LINES = 1500  # of a tree, or in which secret orders are learnt


def main():
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("game")
    parser.add_argument("-n", type=int, default=200, help="games")
    parser.add_argument("-p", type=int, help="players")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    asked = parser.parse_args()
    game = games.find(asked.game)
    sums = [advised(game, asked.p or game.usual, seed) for seed in range(asked.n)]
    found = compared(joined(sums))
    if asked.json:
        print(as_json(as_data(found), indent=2))
        return
    print(f"{found.positions} choices in {found.games} games")
    print("   said ", " ".join(f"{100 * one.said:3.0f}" for one in found.bins))
    print("   came ", " ".join(f"{100 * one.came.value:3.0f}" for one in found.bins))
    print("   times", " ".join(f"{one.seats:3}" for one in found.bins))
    print(f"   mean gap {found.mean_gap}, by chance {100 * found.chance_gap:.1f} %")
    print(f"   brier {found.brier.value:.4f} (always the mean: {found.brier_of_mean:.4f})")


def as_data(found):
    """What `main` prints, for programs."""
    return {
        "games": found.games,
        "choices": found.positions,
        "said": [bin_.said for bin_ in found.bins],
        "came": [bin_.came.value for bin_ in found.bins],
        "times": [bin_.seats for bin_ in found.bins],
        "mean_gap": [found.mean_gap.value, found.mean_gap.low, found.mean_gap.high],
        "mean_gap_by_chance": found.chance_gap,
        "brier": [found.brier.value, found.brier.low, found.brier.high],
    }


def advised(game, players, seed):
    """One game: what was said of the choices made, and what came."""
    dice, said, seats = random.Random(seed), [], []
    for match, choice in drawn.decisions(game, players, {}, seed):
        if dice.random() < 1 / EVERY:
            seats.append(match.actor)
            said.append(chance_of(match, choice, seed))
    came = shares_of(match)[seats][:, None]
    return summed(np.array(said).reshape(-1, 1), came)


def chance_of(match, choice, seed):
    """What advice says of a choice.

    In futures the choice is tried alone, since trying others there changes nothing for it.
    """
    how, root, _ = thought(match)
    if how == "tree":
        found = in_tree(match, root, Plan(iterations=LINES), seed)
        value = found.values[match.choices.index(choice)]
    else:
        plan = Plan(iterations=FUTURES if how == "futures" else LINES)
        (value,) = in_rollouts(match, [choice], plan, seed).values
    return min(1.0, max(0.0, float(value)))


def shares_of(match):
    """Everybody's share of the win of a finished game."""
    _, standings = match.game.engine().result(match.states)
    best = np.array(standings) == max(standings)
    return best / best.sum()


if __name__ == "__main__":
    main()
