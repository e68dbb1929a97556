"""How many steps a second a graphics card plays, beside this machine's processor on all cores.

    make bench-gpu                     all four games, a few minutes
    python bench/gpu.py --rounds 3     fewer rounds

Told are medians, in millions a second by the clock, all of one run.  A step is a decision of an
agent, the actions those that were sampled.  Random play counts every event, chance's too.  Pgx is
measured where it is installed and JAX sees the card: `pip install pgx "jax[cuda13]"`.
"""

import argparse
import os
import statistics
import time

from envs_peers import pgx

from yegg import envs, games
from yegg.engine import cuda
from yegg.lab.bench import on_a_card

GAMES = 4096, 65_536
INSIDE = 64  # steps drawn inside at once
SECONDS = 0.5
PEERS = "backgammon", "tic_tac_toe", "kuhn_poker"


def main():
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=7)
    rounds = parser.parse_args().rounds
    print(f"on one {cuda.name()} and {len(os.sched_getaffinity(0))} cores; millions a second")
    for name in games.names():
        print(name)
        rate = on_a_card(games.find(name))
        tell("random play, events", rate["events_per_second"])
        for many in GAMES:
            for what, batch, steps in contestants(name, many):
                tell(f"{many:,} games, {what}", speed(batch, steps, rounds))
    for peer in PEERS:
        beside(peer, rounds)


def tell(what, rate):
    """Print one figure."""
    print(f"  {what:<62} {rate / 1e6:10,.1f}", flush=True)


def contestants(name, many):
    """What is measured, a batch, and how many steps it plays at once."""
    cores = len(os.sched_getaffinity(0))
    for layout in ("rows", "columns"):
        for observe in ("float32", "int8"):
            wishes = {"observe": observe, "layout": layout, "device": "cuda"}
            yield f"card, {observe}, {layout}", envs.batch(name, many, **wishes), 1
    bare = envs.batch(name, many, observe=None, device="cuda")
    yield "card, no observations", bare, 1
    yield f"card, no observations, {INSIDE} at once", bare, INSIDE
    yield "processor, float32", envs.batch(name, many, threads=cores), 1


def speed(batch, steps, rounds):
    """The median of steps a second."""
    done = getattr(batch, "synchronize", lambda: None)
    batch.play_at_random(300)
    done()
    rates = []
    for _ in range(rounds):
        played, begun = 0, time.perf_counter()
        while time.perf_counter() - begun < SECONDS:
            for _ in range(20):
                batch.play_at_random(steps)
            done()
            played += 20 * steps
        rates.append(played * batch.wishes.games / (time.perf_counter() - begun))
    return statistics.median(rates)


def beside(peer, rounds):
    """Measure a game of Pgx, if it can be had here."""
    try:
        play = pgx(peer)
        play()
    except Exception as error:  # noqa: BLE001  # whatever keeps it from playing is told
        print(f"pgx {peer} is left out: {error!r}")
        return
    rates = []
    for _ in range(rounds):
        played, begun = 0, time.perf_counter()
        while time.perf_counter() - begun < SECONDS:
            played += play()
        rates.append(played / (time.perf_counter() - begun))
    print(f"pgx {peer}")
    tell("as many games as bench/envs_peers.py says", statistics.median(rates))


if __name__ == "__main__":
    main()
