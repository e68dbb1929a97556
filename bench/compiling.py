"""Processor seconds that compiling takes, by game: what a table's other process does.

    python bench/compiling.py              medium and hard of every game, nothing compiled before
    python bench/compiling.py --json       the same, for programs

Another process is started for each game, as by the table and the terminal.
"""

import argparse
import os
import tempfile

from yegg import games
from yegg.coach.preparation import CompileProcess
from yegg.text.json_writer import as_json

BOTS = ("medium", "hard")


def main():
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    asked = parser.parse_args()
    found = {name: round(seconds(games.find(name)), 1) for name in games.names()}
    if asked.json:
        print(as_json({"bots": BOTS, "seconds": found}, indent=2))
    else:
        for name, took in found.items():
            print(f"{name:15} {took:5.1f} s of a processor")


def seconds(game):
    """Processor seconds for a game's bots."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["YEGG_CACHE"] = folder
        before, process = os.times(), CompileProcess()
        for bot in BOTS:
            process.compile(game, bot)
        process.close()
        after = os.times()
    return sum(after[2:4]) - sum(before[2:4])


if __name__ == "__main__":
    main()
