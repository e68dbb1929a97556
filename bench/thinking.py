"""How long the levels think about a decision: milliseconds by game, of a wall clock and of a core.

    python bench/thinking.py               medium, hard and expert in every game
    python bench/thinking.py --json        the same, for programs

The decisions are drawn from games between `medium` players; those with one choice are passed over,
and so are a turn's later orders, which a bot that thinks drew with the first one.
"""

import argparse
import random
import statistics
import time

import drawn

from yegg import games
from yegg.players import Bot
from yegg.text.json_writer import as_json

GAMES = (
    ("second-story", 3, {}),
    ("second-story", 5, {}),
    ("thiefs-market", 3, {}),
    ("thiefs-market", 5, {"promos": "yes"}),
    ("magnate", 2, {}),
    ("magnate", 1, {"automa": "hard"}),
    ("secrets", 4, {}),
    ("secrets", 6, {}),
)
DECISIONS = {"medium": 400, "hard": 25, "expert": 9}


def main():
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    asked = parser.parse_args()
    rows = [
        {
            "game": name,
            "players": players,
            "level": level,
            **measured(level, name, players, options),
        }
        for name, players, options in GAMES
        for level in DECISIONS
    ]
    if asked.json:
        print(as_json(rows, indent=2))
        return
    for row in rows:
        print(
            f"{row['game']:14} {row['players']} {row['level']:7} median {row['median']:8.3f} ms "
            f"(core {row['core']:8.3f})   worst {row['worst']:8.3f} ms"
        )


def measured(level, name, players, options):
    """The median and the worst time of a level's decisions in milliseconds."""
    game = games.find(name)
    wall, core = [], []
    Bot(level).warm(game)
    for seed in range(10_000):
        for view in decisions(game, players, options, seed):
            bot = Bot(level, seed=seed)
            began, busy = time.perf_counter(), time.process_time()
            bot.choose(view)
            wall.append(1000 * (time.perf_counter() - began))
            core.append(1000 * (time.process_time() - busy))
            if len(wall) == DECISIONS[level]:
                return {
                    "median": statistics.median(wall),
                    "core": statistics.median(core),
                    "worst": max(wall),
                    "decisions": len(wall),
                }
    message = f"{name} has too few decisions"
    raise RuntimeError(message)


def decisions(game, players, options, seed):
    """A few views of one game with more than one choice; of orders, the first ones of a turn."""
    dice, acted = random.Random(seed), None
    for match, _ in drawn.decisions(game, players, options, seed):
        first, acted = acted != match.actor, match.actor
        if first and len(match.choices) > 1 and dice.random() < 0.1:
            yield match.view()


if __name__ == "__main__":
    main()
