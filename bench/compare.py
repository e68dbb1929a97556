"""What became slower or faster between two runs of bench/all.py.

    python bench/compare.py before.json after.json

For each figure: the ratio of the medians, in which more than 1 is slower, and its 99 % interval by
the bootstrap (Efron 1979).  Slower or faster is said only if the whole interval is more than 5 %
away from 1.  The exit status is 1 if anything is slower, 2 if the files do not fit.

The interval tells what varies within a run.  What differs from one run to the next, such as other
work on the machine, it cannot know: so run both in turn on a quiet machine.
"""

import argparse
import json
import sys
from pathlib import Path

import numpy as np

MARGIN = 0.05
FEWEST = 5  # repeats of both runs, below which nothing is said
DRAWS = 10_000
SAME = ("machine.model", "machine.processor", "machine.cores", "machine.python", "quick")


class Misfit(Exception):
    """Why two files cannot be compared."""


def main(words=None):
    """Compare and print; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("--margin", type=float, default=MARGIN, help="a part of 1; default 0.05")
    parser.add_argument("--anyway", action="store_true", help="even if the machines differ")
    asked = parser.parse_args(words)
    try:
        before, after = read(asked.before), read(asked.after)
        if not asked.anyway:
            fit(before, after)
        rows, alone = compared(before, after, asked.margin)
    except Misfit as why:
        print(why, file=sys.stderr)
        return 2
    for name, verdict, ratio, low, high in rows:
        interval = f"[{low:.3f}, {high:.3f}]" if verdict != "too few repeats" else ""
        print(f"{verdict:16} {ratio:7.3f} {interval:16} {name}")
    for name in alone:
        print(f"{'only in one':16} {'':24} {name}")
    return int(any(row[1] == "slower" for row in rows))


def read(path):
    """A file that bench/all.py has written.  Raises Misfit."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        figures = {one["name"]: one for one in found["figures"]}
        for one in figures.values():
            whole = one["better"] in {"larger", "smaller"} and one["unit"]
            if not whole or not np.asarray(one["repeats"], float).size:
                raise ValueError(one["name"])
    except OSError as error:
        raise Misfit(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, KeyError, TypeError) as error:
        raise Misfit(f"{path} was not written by bench/all.py --json: {error!r}") from None
    return {**found, "figures": figures}


def fit(before, after):
    """Raise Misfit if the runs are not from the same kind of machine, or differ in size."""
    for path in SAME:
        mine, theirs = (_at(run, path) for run in (before, after))
        if mine != theirs:
            raise Misfit(
                f"{path.rpartition('.')[2]} differs: {mine} before, {theirs} after; "
                "--anyway compares nevertheless"
            )


def _at(run, path):
    for key in path.split("."):
        run = run.get(key, {}) if isinstance(run, dict) else None
    return run


def compared(before, after, margin=MARGIN):
    """(name, verdict, ratio, low, high) of figures in both runs; and those of only one.

    Raises Misfit if there is none in both, or one has another unit.
    """
    old, new = before["figures"], after["figures"]
    rows = []
    for name in [name for name in old if name in new]:
        if any(old[name][key] != new[name][key] for key in ("unit", "better")):
            raise Misfit(f"{name} is not the same figure in both files: its unit differs")
        if old[name]["better"] == "smaller":
            ratio, low, high = slower(new[name]["repeats"], old[name]["repeats"])
        else:
            ratio, low, high = slower(old[name]["repeats"], new[name]["repeats"])
        few = min(len(run[name]["repeats"]) for run in (old, new)) < FEWEST
        verdict = "too few repeats" if few else said(low, high, margin)
        rows.append((name, verdict, ratio, low, high))
    if not rows:
        raise Misfit("the files have no figure in common")
    return rows, sorted(old.keys() ^ new.keys())


def said(low, high, margin):
    """What an interval says; one that is not a number says nothing."""
    if np.isnan(low):
        return "cannot be told"
    if low > 1 + margin:
        return "slower"
    return "faster" if high < 1 / (1 + margin) else "as fast"


def slower(above, below):
    """The ratio of two medians, and its 99 % interval.  NaN where what is below may be 0."""
    draw = np.random.default_rng(0)
    above, below = (np.asarray(values, float) for values in (above, below))
    medians = (
        np.median(draw.choice(values, (DRAWS, len(values))), axis=1) for values in (above, below)
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.divide(*medians)
        ratio = np.median(above) / np.median(below)
    known = np.isfinite(ratios).all()
    low, high = np.percentile(ratios, [0.5, 99.5]) if known else (np.nan, np.nan)
    return float(ratio), float(low), float(high)


if __name__ == "__main__":
    sys.exit(main())
