"""Random games of Second Story, by yegg's rules and by two programs in C: all speeds.

    python bench/beside_c.py            million events a second of one core, and the ratios
    python bench/beside_c.py --json     the same, for programs

Both are compiled by cc with -O3 for this processor.  `second_story.c` has our rules line by line:
it plays the same games by the same dice; if it does not make as many events, that is an error.
`second_story_tight.c` plays the basic game alone, as fast as we can write it, with dice of its own;
its games must be as long on average.  All play in turn.
"""

import argparse
import ctypes
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
from yegg.text.json_writer import as_json

GAMES, PLAYERS, CHIPS, SEED = 3000, 3, 10, 1
APART = 0.03  # what the mean lengths of so many other games may differ by
TABLES = ("KIND", "RANK", "SUIT_COUNT", "SUITS")


def main():
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        players = {
            "yegg": by_yegg(),
            "c": by_c(Path(folder), "second_story"),
            "tight_c": by_c(Path(folder), "second_story_tight"),
        }
        found = {name: [] for name in players}
        for _ in range(asked.rounds):
            events = {name: timed(play, found[name]) for name, play in players.items()}
            if events["yegg"] != events["c"] or abs(events["tight_c"] / events["c"] - 1) > APART:
                sys.exit(f"they do not play the same games: {events} events")
    speeds = {name: statistics.median(of) for name, of in found.items()}
    ratio, tight = (
        statistics.median(a / b for a, b in zip(found["yegg"], found[name], strict=True))
        for name in ("c", "tight_c")
    )
    if asked.json:
        ratios = {"ratio": ratio, "ratio_tight": tight}
        print(as_json({"million_events_per_second": speeds, **ratios}, indent=2))
        return
    print(f"yegg {speeds['yegg']:.1f} million events/s")
    print(f"the same rules in C {speeds['c']:.1f}: {ratio:.2f} of it")
    print(f"tight C, the basic game alone {speeds['tight_c']:.1f}: {tight:.2f} of it")


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


def by_c(folder, name):
    """The same by a C program, which is compiled in a folder."""
    define = [f"#define CARDS {decktet.N_CARDS}"]
    for known in TABLES:
        table = getattr(decktet, known)
        shape = "".join(f"[{n}]" for n in table.shape)
        numbers = ", ".join(map(str, table.ravel()))
        define.append(f"static const int {known}{shape} = {{{numbers}}};")
    (folder / "deck.h").write_text("\n".join(define), encoding="utf-8")
    source, made = Path(__file__).with_name(f"{name}.c"), folder / f"{name}.so"
    how = ["-O3", "-march=native", "-shared", "-fPIC", "-include", str(folder / "deck.h")]
    subprocess.run(["cc", *how, str(source), "-o", str(made)], check=True)
    run = ctypes.CDLL(str(made)).playouts
    run.restype = ctypes.c_int64
    return lambda: run(GAMES, PLAYERS, CHIPS, ctypes.c_uint64(SEED))


if __name__ == "__main__":
    main()
