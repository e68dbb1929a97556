"""Whether a player in Secrets can be seen through.

    python bench/counter.py [games]

One player at a table of four sees all orders that the others ever gave, and always answers the
last ones.  Its share of the wins (an equal one is 25 %) against three `hard` players, and against
three who order at random: whoever can be seen through fares worse than these.
"""

import os
import sys
from concurrent.futures import ThreadPoolExecutor

from rich.progress import track

from yegg.games.secrets.tests.countering import share
from yegg.stats.intervals import average


def main():
    """Measure and print."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    for others in ("uniform", "hard"):
        share(others, 0)  # compiled or loaded
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            each = pool.map(lambda number, who=others: share(who, number), range(games))
            shares = list(track(each, f"against {others}", total=games, disable=None))
        print(f"against three of {others}: {average(shares, percent=True)} of {games} games")


if __name__ == "__main__":
    main()
