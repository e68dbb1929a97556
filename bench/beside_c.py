"""Random games of Second Story, by yegg's rules and by the same rules written in C: both speeds.

    python bench/beside_c.py            million events a second of one core, and the ratio
    python bench/beside_c.py --json     the same, for programs

The C is `second_story.c`, compiled by cc with -O3 for this processor.  Both play the same games by
the same dice, in turn; if they do not make as many events, that is an error.
"""

import argparse
import ctypes
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from yegg import games
from yegg.engine import kernels
from yegg.parts import decktet

GAMES, PLAYERS, CHIPS, SEED = 3000, 3, 10, 1
TABLES = ("KIND", "RANK", "SUIT_COUNT", "SUITS")


def main():
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        players = {"yegg": by_yegg(), "c": by_c(Path(folder))}
        found = {name: [] for name in players}
        for _ in range(asked.rounds):
            events = {name: timed(play, found[name]) for name, play in players.items()}
            if len(set(events.values())) > 1:
                sys.exit(f"they do not play the same games: {events} events")
    speeds = {name: statistics.median(of) for name, of in found.items()}
    ratio = statistics.median(a / b for a, b in zip(found["yegg"], found["c"], strict=True))
    if asked.json:
        print(json.dumps({"million_events_per_second": speeds, "ratio": ratio}, indent=2))
    else:
        print(f"yegg {speeds['yegg']:.1f}, C {speeds['c']:.1f} million events/s: {ratio:.2f} of C")


def timed(play, found):
    """Play once; keep million events a second of the processor, and return the events."""
    begun = time.process_time()
    events = play()
    found.append(events / (time.process_time() - begun) / 1e6)
    return events


def by_yegg():
    """Deals games and plays them at random by the compiled rules."""
    game = games.find("second-story")
    engine = game.engine()
    begin, run = engine.kernel(kernels.begin), engine.kernel(kernels.playouts)
    first, out = game.blank(PLAYERS, {"chips": str(CHIPS)}), np.zeros(engine.choices, np.int32)

    def play():
        states = np.repeat(first, GAMES)
        begin(states, out)
        return int(run(states, np.array([SEED], np.uint64), 1 << 30, out))

    play()
    return play


def by_c(folder):
    """The same by the C program, which is compiled in a folder."""
    define = [f"#define CARDS {decktet.N_CARDS}"]
    for name in TABLES:
        table = getattr(decktet, name)
        shape = "".join(f"[{n}]" for n in table.shape)
        numbers = ", ".join(map(str, table.ravel()))
        define.append(f"static const int {name}{shape} = {{{numbers}}};")
    (folder / "deck.h").write_text("\n".join(define), encoding="utf-8")
    source, made = Path(__file__).with_name("second_story.c"), folder / "second_story.so"
    how = ["-O3", "-march=native", "-shared", "-fPIC", "-include", str(folder / "deck.h")]
    subprocess.run(["cc", *how, str(source), "-o", str(made)], check=True)
    run = ctypes.CDLL(str(made)).playouts
    run.restype = ctypes.c_int64
    return lambda: run(GAMES, PLAYERS, CHIPS, ctypes.c_uint64(SEED))


if __name__ == "__main__":
    main()
