"""Are the chances beside choices true?  What advice says of the choice made, and who won.

    python bench/advice.py magnate                  judged by the policy net, and by lore
    python bench/advice.py secrets -n 100 --json    the same, for programs

Games between `medium` players; one decision in EVERY is advised, before it is made.  Both judges
advise at the same decisions.
"""

import argparse
import random

import drawn
import numpy as np

from yegg import games
from yegg.coach.advice import in_rollouts, in_tree, thought
from yegg.lab.calibration import compared, joined, summed
from yegg.players.policy_net import policy_function
from yegg.players.thinking.plan import Plan
from yegg.text.json_writer import as_json

EVERY = 6
FUTURES = 50
LINES = 1500  # of a tree, or in which secret orders are learnt
COVERED = policy_function.covered


def main():
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("game")
    parser.add_argument("-n", type=int, default=200, help="games")
    parser.add_argument("-p", type=int, help="players")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    asked = parser.parse_args()
    game = games.find(asked.game)
    players = asked.p or game.usual
    judges = {"policy": COVERED} if COVERED(game, players, {}) else {}
    judges["lore"] = lambda *_: False
    sums = {name: [] for name in judges}
    for seed in range(asked.n):
        for name, one in advised(game, players, seed, judges).items():
            sums[name].append(one)
    found = {name: compared(joined(of)) for name, of in sums.items()}
    if asked.json:
        print(as_json({name: to_dict(one) for name, one in found.items()}, indent=2))
        return
    for name, one in found.items():
        print(f"{name:8} {one.positions} choices in {one.games} games")
        print("   said ", " ".join(f"{100 * bin_.said:3.0f}" for bin_ in one.bins))
        print("   came ", " ".join(f"{100 * bin_.came.value:3.0f}" for bin_ in one.bins))
        print("   times", " ".join(f"{bin_.seats:3}" for bin_ in one.bins))
        print(f"   mean gap {one.mean_gap}, by chance {100 * one.chance_gap:.1f} %")
        print(f"   brier {one.brier.value:.4f} (always the mean: {one.brier_of_mean:.4f})")


def to_dict(found):
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


def advised(game, players, seed, judges):
    """One game: by judge, what was said of the choices made and what came."""
    dice, said, seats = random.Random(seed), {name: [] for name in judges}, []
    for match, choice in drawn.decisions(game, players, {}, seed):
        if dice.random() < 1 / EVERY:
            seats.append(match.actor)
            for name, judge in judges.items():
                said[name].append(chance_of(match, choice, judge, seed))
    came = shares_of(match)[seats][:, None]
    return {name: summed(np.array(one).reshape(-1, 1), came) for name, one in said.items()}


def chance_of(match, choice, judge, seed):
    """What advice says of a choice, by a judge.

    In futures the choice is tried alone, since trying others there changes nothing for it.
    """
    policy_function.covered = judge
    how = thought(match)
    if how.way == "tree":
        found = in_tree(match, how.root, Plan(iterations=LINES), seed)
        value = found.values[match.choices.index(choice)]
    else:
        plan = Plan(iterations=FUTURES if how.way == "futures" else LINES)
        (value,) = in_rollouts(match, [choice], plan, seed, how).values
    policy_function.covered = COVERED
    return min(1.0, max(0.0, float(value)))


def shares_of(match):
    """Everybody's share of the win of a finished game."""
    _, standings = match.game.engine().result(match.states)
    best = np.array(standings) == max(standings)
    return best / best.sum()


if __name__ == "__main__":
    main()
