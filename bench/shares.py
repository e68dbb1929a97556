"""Where the time of random play goes: nanoseconds an event, by part and by game, on one core.

    python bench/shares.py           all games
    python bench/shares.py --json    the same, for programs

Positions are drawn from random games.  Kernels then go through them and copy them, ask for the
choices, or play one; what is measured is the processor time of this thread.  The parts are an
estimate: in a whole game the processor does some of it at the same time.
"""

import argparse
import statistics
import time

import numpy as np
import parts

from yegg import games
from yegg.engine import kernels
from yegg.engine.dice import seeds
from yegg.lab import bench
from yegg.text.json_writer import as_json

PARTS = {
    "chance": "chance's events",
    "rules": "players' choices, carried out",
    "legal": "legal choices",
    "bots": "drawing a choice, and the loop",
    "copy": "copying a position",
}
POSITIONS, EVERY = 4096, 97  # too many for the processor to learn what comes; far enough apart
ROUNDS = 0.02  # seconds that a measurement takes


def main():
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    asked = parser.parse_args()
    found = {name: shares(games.find(name)) for name in games.names()}
    if asked.json:
        print(as_json(found, indent=2))
        return
    print("nanoseconds an event".ljust(34), *(name.rjust(14) for name in found))
    for part, says in PARTS.items():
        medians = (statistics.median(found[name][part]) for name in found)
        print(says.ljust(34), *(f"{value:14.1f}" for value in medians))


def shares(game):
    """By part, the nanoseconds of each repeat.

    The first four add up to what an event of random play takes; a position is copied only by bots
    that look ahead.
    """
    rates, _ = bench.playouts(game, game.usual, "compiled")
    whole = 1e9 / statistics.median(rates)
    states, choices, places, chance = positions(game)
    all_, by_chance, others = (
        measure(game, states[some], choices[some], places[some])
        for some in (np.ones_like(chance), chance, ~chance)
    )
    part = float(chance.mean())
    rows = {
        "chance": [part * ns for ns in by_chance["play"]],
        "rules": [(1 - part) * ns for ns in others["play"]],
        "legal": all_["ask"],
    }
    known = zip(*rows.values(), strict=True)
    return {**rows, "bots": [max(0.0, whole - sum(ns)) for ns in known], "copy": all_["copy"]}


def positions(game):
    """Positions of random games, the choices made there, their places, and where chance acts."""
    engine, players = game.engine(parts), game.usual
    out, dice = np.zeros(game.choices, np.int32), seeds(1, 0, 1, 1)[0, 0]
    begun = game.blank(players, {}, POSITIONS * EVERY // 20)
    engine.kernel(kernels.begin)(begun, out)
    kept = game.blank(players, {}, POSITIONS)
    found = kept, *np.zeros((2, POSITIONS), np.int32), np.zeros(POSITIONS, np.bool_)
    n = engine.kernel(parts.sample)(begun, dice, out, EVERY, *found)
    return [column[:n] for column in found]


def measure(game, states, choices, places):
    """Nanoseconds a position of copying, of playing beside that, and of asking, by repeat."""
    engine = game.engine(parts)
    scratch, out = states[:1].copy(), np.zeros(game.choices, np.int32)
    wanted = (
        (parts.copying, (states, scratch)),
        (parts.playing, (states, scratch, choices)),
        (parts.asking, (states, places, out)),
    )
    if not len(states):
        return {part: [0.0] * bench.REPEATS for part in ("copy", "play", "ask")}

    def spent(run, told, rounds):
        begun = time.thread_time()
        run(*told, rounds)
        return time.thread_time() - begun

    found = []
    for part, told in wanted:
        run = engine.kernel(part)
        spent(run, told, 1)  # compiled or loaded
        rounds = max(1, int(20 * ROUNDS / max(spent(run, told, 20), 1e-6)))
        each = 1e9 / (rounds * len(states))
        found.append([each * spent(run, told, rounds) for _ in range(bench.REPEATS)])
    copy, play, ask = found
    beside = [max(0.0, ns - statistics.median(copy)) for ns in play]
    return {"copy": copy, "play": beside, "ask": ask}


if __name__ == "__main__":
    main()
