"""How many steps a second environments play at random, beside those of others, in turn.

    python bench/envs.py                      all that can be had, some minutes
    python bench/envs.py --rounds 3 --json    fewer rounds; for programs

Everything runs on one core of this machine, one after the other, in several rounds; told are
medians of steps per second of processor.  A step is a decision of an agent.  In ours chance and
moves without a choice are played inside and not counted; the others count as they do.

The peers have an environment of their own, build/peers, made by `--install`: fastcatan needs
Python 3.12.  One that cannot be had is left out, and the reason is told.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from envs_drawing import drawer
from envs_peers import GAMES, PEERS, agents, paced

from yegg import envs, games
from yegg.text.json_writer import as_json

PEERS_HOME = Path(__file__).parents[1] / "build" / "peers"
WANTED = ["fastcatan", "numba", "numpy", "open-spiel", "pettingzoo[classic]", "pgx"]
ROUNDS = 256
MANY = 4096, 16_384, 65_536  # games, to see how two threads share them
NEW_ENOUGH = ("python3.13", "python3.12", "python3")


def main():
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0, help="for each in a round")
    parser.add_argument("--install", action="store_true", help="get the peers, where they install")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    asked = parser.parse_args()
    if asked.install:
        install()
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    ours, theirs = contestants(), {}
    left_out = {}
    for name in PEERS:
        peer = Peer(name)
        if peer.trouble:
            left_out[name] = peer.trouble
        else:
            theirs[name] = peer
    found = {name: [] for name in (*theirs, *ours)}
    for _ in range(asked.rounds):
        for name, peer in theirs.items():
            found[name].append(peer.speed(asked.seconds))
        for name, play in ours.items():
            steps, spent = paced(play, asked.seconds)
            found[name].append(steps / spent)
    for peer in theirs.values():
        peer.end()
    speeds = {name: statistics.median(of) for name, of in found.items()}
    os.sched_setaffinity(0, cores)
    gain = threads(asked.rounds) if len(cores) > 1 else None
    if asked.json:
        print(as_json({"speeds": speeds, "left_out": left_out, "two_threads": gain}, indent=2))
    else:
        tell(speeds, left_out, gain)


def contestants():
    """Our own batches: what is played, and a function that plays a round of it."""
    made = {}
    for name in games.names():
        for observe in (None, "int8", "float32"):
            told = observe or "no observations"
            batch = started(envs.batch(name, games=GAMES, observe=observe, masks="bits"))
            made[f"{name}, {told}, drawn inside"] = inside(batch)
            batch = started(envs.batch(name, games=GAMES, observe=observe, masks="bits"))
            made[f"{name}, {told}, drawn by the caller"] = by_caller(batch)
        made[f"{name}, {ROUNDS} steps drawn inside at once"] = at_once(plain(name))
        made[f"{name}, PettingZoo's AEC"] = agents(envs.aec(name))
        made[f"{name}, Gymnasium's vector, uniform bots"] = vector(name)
        for play in made.values():
            play()  # compiled
    return made


def started(batch):
    """The batch, with its games at all stages."""
    batch.play_at_random(300)
    return batch


def inside(batch):
    """A step with the actions that the kernel has drawn."""

    def play():
        batch.step()
        return GAMES

    return play


def plain(name):
    """A batch that shows nothing but masks."""
    return started(envs.batch(name, games=GAMES, observe=None, masks="bits"))


def at_once(batch):
    """Several steps at random in one call, of which the last is told."""

    def play():
        batch.play_at_random(ROUNDS)
        return GAMES * ROUNDS

    return play


def vector(name):
    """Gymnasium's vector of one seat against bots: a step is a decision of that seat."""
    from yegg.envs.gymnasium import OneSeatVector

    env = OneSeatVector(name, num_envs=GAMES, bot="uniform")
    env.reset(seed=0)
    draw, dice, actions = drawer(), np.ones(1, np.uint64), np.zeros(GAMES, np.int32)

    def play():
        draw(env.batch.bits, dice, actions)
        env.step(actions)
        return GAMES

    return play


def by_caller(batch):
    """Legal actions are drawn from the masks here, and then a step is made."""
    draw, dice, actions = drawer(), np.ones(1, np.uint64), np.zeros(GAMES, np.int32)

    def play():
        draw(batch.masks, dice, actions)
        batch.step(actions)
        return GAMES

    return play


def threads(rounds):
    """How much faster two threads are than one, by the clock and by how many games there are."""
    found = {}
    for together in MANY:
        batches = [
            envs.batch("second-story", games=together, masks="bits", observe="int8", threads=many)
            for many in (1, 2)
        ]
        seconds = [[clocked(batch) for batch in batches] for _ in range(rounds)]
        one, two = map(statistics.median, zip(*seconds, strict=True))
        found[together] = one / two
    return found


def clocked(batch):
    """Seconds of two million decisions."""
    begun = time.perf_counter()
    for _ in range(2_000_000 // len(batch.actor)):
        batch.step()
    return time.perf_counter() - begun


def tell(speeds, left_out, gain):
    """Print a table; fastcatan's speed is 1 in the last column, if it was measured."""
    unit = speeds.get("fastcatan")
    for name, speed in speeds.items():
        ratio = f"{speed / unit:8.2f}" if unit else ""
        print(f"{name:48} {speed / 1e6:8.3f} M/s {ratio}")
    for name, why in left_out.items():
        print(f"{name:48} left out: {why}")
    for many, ratio in (gain or {}).items():
        print(f"two threads: {ratio:.2f} times as fast as one (second-story, {many:,} games, int8)")


class Peer:
    """Somebody else's environment, in a process of its own."""

    def __init__(self, name):
        """Start it; `trouble` says why it does not play."""
        python = PEERS_HOME / "bin" / "python"
        here = Path(__file__).with_name("envs_peers.py")
        command = [python if python.exists() else sys.executable, str(here), name]
        env = os.environ | {"OMP_NUM_THREADS": "1", "JAX_PLATFORMS": "cpu", "PYTHONPATH": ""}
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=env,
        )
        said = self._line()
        self.trouble = "" if said == "ready" else said or "it could not be started"

    def _line(self):
        """What it prints next; greetings of libraries are passed over."""
        while line := self.process.stdout.readline():
            if line.startswith("ready") or ":" in line or line[0].isdigit():
                return line.strip()
        return ""

    def end(self):
        """Let it end."""
        self.process.stdin.close()
        self.process.wait()

    def speed(self, seconds):
        """Steps per second of processor."""
        print(seconds, file=self.process.stdin, flush=True)
        steps, spent = self._line().split()
        return float(steps) / float(spent)


def install():
    """Make build/peers with the newest Python there is, and install what can be installed."""
    for name in NEW_ENOUGH:
        python = shutil.which(name)
        newer = "import sys; sys.exit(sys.version_info < (3, 12))"
        said = python and subprocess.run([python, "-c", newer], check=False, capture_output=True)
        if said and said.returncode == 0:
            break
    else:
        print("no Python 3.12 was found: some peers are left out", file=sys.stderr)
        python = sys.executable
    if not PEERS_HOME.exists():
        subprocess.run([python, "-m", "venv", PEERS_HOME], check=True)
    for package in WANTED:
        pip = [PEERS_HOME / "bin" / "python", "-m", "pip", "--quiet", "install", package]
        subprocess.run(pip, check=False)


if __name__ == "__main__":
    main()
