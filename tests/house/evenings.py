"""Play many evenings by a model of the house; keep the script of the first that differs.

make evenings N=200 SEED=7
"""

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from house.runs import Failed, run, served

BATCH = 20  # evenings of one seed
SCRIPT = Path("build/evening.txt")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("-n", type=int, default=100, help="how many evenings (100)")
    parser.add_argument("--seed", type=int, help="of the first evenings; by default another")
    parser.add_argument("--out", type=Path, default=SCRIPT, help=f"for a script ({SCRIPT})")
    parser.add_argument("--no-shrink", action="store_true", help="keep the script as it was")
    asked = parser.parse_args()
    seed = int(time.time()) % 100_000 if asked.seed is None else asked.seed
    begun = time.process_time()
    with served() as server:
        done = {}
        while (played := done.get("evenings", 0)) < asked.n:
            many = min(BATCH, asked.n - played)
            say(f"{played} of {asked.n} evenings; {many} more by seed {seed}")
            try:
                counts = run(server, many, seed, shrink=not asked.no_shrink)
            except Failed as failed:
                say("")
                end(failed, seed, played, asked.out)
            done = {k: done.get(k, 0) + counts[k] for k in done.keys() | counts.keys()}
            seed += 1
    say("")
    each = (time.process_time() - begun) / max(1, done["evenings"])
    print(f"{told(done)}\n{each:.2f} seconds of a processor for each")  # noqa: T201


def say(line):
    """The line of progress, on a terminal in place."""
    end = "" if line and sys.stderr.isatty() else "\n"
    sys.stderr.write(f"\r{line:<70}{end}" if sys.stderr.isatty() else f"{line}{end}" * bool(line))


def end(failed, seed, played, out):
    """Keep the script, and say how it is carried out again."""
    out.parent.mkdir(parents=True, exist_ok=True)
    why = str(failed.why).replace("\n", " ")
    out.write_text("\n".join([f"# seed {seed}: {why}", *failed.lines, ""]), encoding="utf-8")
    sys.exit(
        f"The house and the model differ, by seed {seed} after {played} evenings: {why}\n"
        + "\n".join(f"  {line}" for line in failed.lines)
        + f"\nCarry it out again: python tests/house/replay.py {out}"
    )


WHOLE = ("evenings", "tables", "games over", "done", "refused")


def told(done):
    """What was done, in two lines."""
    lines = sum(many for what, many in done.items() if what not in WHOLE)
    verbs = ", ".join(f"{what} {many}" for what, many in sorted(done.items()) if what not in WHOLE)
    return (
        f"{done['evenings']} evenings, {done['tables']} tables, {done.get('games over', 0)} games "
        f"over; {lines} lines, {done['done']} done and {done['refused']} refused\n{verbs}"
    )


if __name__ == "__main__":
    main()
