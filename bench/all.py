"""All figures of docs/performance.md in one go, in less than half an hour on two quiet cores.

    python bench/all.py                      a table, with the commit and the machine
    python bench/all.py --json > a.json      the same for programs: bench/compare.py reads it
    python bench/all.py --only rules         some of it; may be given several times
    python bench/all.py --quick              smaller samples, a few minutes: to see that all runs

Ctrl-C ends it; what was measured until then is printed.
"""

import argparse
import datetime as dt
import os
import platform
import statistics
import subprocess
import sys
import time
from pathlib import Path

from figures import GROUPS, Left

from yegg.machine import machine, versions
from yegg.text.json_writer import as_json

ROOT = Path(__file__).parents[1]


def main():
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--only", action="append", metavar="NAME", choices=GROUPS, help=", ".join(GROUPS)
    )
    parser.add_argument("--quick", action="store_true", help="smaller samples")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    asked = parser.parse_args()
    found = {**about(), "quick": asked.quick, "complete": False, "figures": [], "left_out": {}}
    try:
        run(asked.only or list(GROUPS), asked.quick, found)
        found["complete"] = True
    except KeyboardInterrupt:
        print("ended early; this is what there is", file=sys.stderr)
    print(as_json(found, indent=1) if asked.json else as_text(found))
    sys.exit(0 if found["complete"] else 130)


def run(names, quick, found):
    """Measure some groups; the figures of each are kept as soon as they are there."""
    expected = {name: GROUPS[name][1 + quick] for name in names}
    begun, done = time.monotonic(), 0
    for name in names:
        spent, left = time.monotonic() - begun, sum(expected.values()) - done
        pace = spent / done if done else 1.0
        minutes = max(1, round(left * pace / 60))
        print(f"{name} …  about {minutes} min left", file=sys.stderr, flush=True)
        try:
            for figure in GROUPS[name][0](quick):
                median = statistics.median(figure.repeats)
                found["figures"].append({"group": name, **vars(figure), "median": median})
        except Left as reason:
            found["left_out"][name] = str(reason)
        except Exception as error:  # noqa: BLE001  # one group's fault does not cost the others' figures
            found["left_out"][name] = f"it failed: {type(error).__name__}: {error}"
        done += expected[name]


def about():
    """What the figures depend on."""
    return {
        "commit": commit(),
        "date": dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
        "machine": {
            **machine(),
            "model": model(),
            "cores": os.cpu_count(),
            "load": round(os.getloadavg()[0], 2),
        },
        "versions": versions(),
    }


def commit():
    """The commit, with a plus sign if files differ from it; empty outside a checkout."""
    words = ["git", "-C", str(ROOT), "describe", "--always", "--dirty=+", "--abbrev=12"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return done.stdout.strip()


def model():
    """What the processor calls itself."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor())


def as_text(found):
    """The figures as a table in Markdown, with what they depend on."""
    has, of = found["machine"], found["versions"]
    where = (
        f"commit {found['commit']}, {found['date']}: {has['model']} ({has['processor']}), "
        f"{has['cores']} cores, load {has['load']} at the start; Python {has['python']}, "
        f"NumPy {of['numpy']}, Numba {of['numba']}{'; quick' if found['quick'] else ''}"
    )
    head = "| figure | median | least to most | unit | better |", "|---|---:|---:|---|---|"
    lines = [where, "", *head]
    for one in found["figures"]:
        least, most = number(min(one["repeats"])), number(max(one["repeats"]))
        cells = one["name"], number(one["median"]), f"{least} to {most}", one["unit"]
        lines.append(f"| {' | '.join(cells)} | {one['better']} |")
    lines += [f"left out: {name}: {why}" for name, why in found["left_out"].items()]
    return "\n".join(lines)


def number(value):
    """Three digits that count; thousands apart."""
    return f"{float(f'{value:.3g}'):,.0f}" if abs(value) >= 100 else f"{value:.3g}"


if __name__ == "__main__":
    main()
