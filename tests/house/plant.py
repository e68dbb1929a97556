"""Plant each fault of `faults.toml` in the running house, and see which the model names.

python tests/house/plant.py -n 40            all faults: the scripts, then at most 40 evenings each
python tests/house/plant.py -n 40 -k undo    those whose names hold a word

What came out is kept in `planted.json`.
"""

import argparse
import gc
import json
import os
import subprocess
import sys
import tomllib
from contextlib import contextmanager, nullcontext
from pathlib import Path
from types import CodeType, FunctionType

from structlog.testing import capture_logs

sys.path.insert(0, str(Path(__file__).parents[1]))

from house import server as servers
from house.runs import Failed, read, replay, run

HERE = Path(__file__).parent
SOURCE = HERE.parents[1] / "src/yegg"
KEPT = HERE / "planted.json"
NOTHING = {"name": "nothing is planted"}
SOON = 15  # seconds after which a house has come to a stop
LONG = 150  # seconds for a fault, if no more are asked for


def faults():
    """The list."""
    return tomllib.loads((HERE / "faults.toml").read_text(encoding="utf-8"))["fault"]


def codes(code):
    """The code of every function in a module's code, by name."""
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield inner.co_qualname, inner
            yield from codes(inner)


@contextmanager
def planted(fault):
    """The functions of a file do as its changed text says; then again as before."""
    path = SOURCE / fault["file"]
    text = path.read_text(encoding="utf-8")
    if text.count(fault["old"]) != 1:
        sys.exit(f"{fault['name']}: not once in {fault['file']}: {fault['old']!r}")
    before = dict(codes(compile(text, str(path), "exec")))
    after = dict(codes(compile(text.replace(fault["old"], fault["new"]), str(path), "exec")))
    changed = {name for name in before if before[name] != after.get(name)}
    gc.unfreeze()  # as tests keep it: what is frozen is listed nowhere
    was = [
        (one, one.__code__)
        for one in gc.get_objects()
        if type(one) is FunctionType  # of a weak proxy `isinstance` asks what is gone
        and one.__code__.co_filename == str(path)
        and one.__code__.co_qualname in changed
    ]
    if not was:
        sys.exit(f"{fault['name']}: no function of {fault['file']} changes by it")
    try:
        for one, _ in was:
            one.__code__ = after[one.__code__.co_qualname]
        yield
    finally:
        for one, code in was:
            one.__code__ = code


def row_of(server, fault, evenings, seed):
    """Whether the model names a fault, by which script or after how many evenings, and how."""
    done = 0

    def told(counts):
        nonlocal done
        done = counts["evenings"]

    with planted(fault) if fault != NOTHING else nullcontext():
        for script in sorted((HERE / "scripts").glob("*.txt")):
            if why := replay(server, read(script)):
                return {"name": fault["name"], "by": script.stem, "says": why[:200]}
        try:
            if evenings:
                run(server, evenings, seed, shrink=False, told=told)
        except Failed as failed:
            return {"name": fault["name"], "by": f"evening {done}", "says": str(failed.why)[:200]}
    return {"name": fault["name"], "by": None, "evenings": evenings}


def alone(fault, asked):
    """Print the row of one fault, and end at once: a house that stands still cannot be closed."""
    servers.SOON = SOON
    with capture_logs() as log:
        server = servers.Server(log)
        row = row_of(server, fault, asked.n, asked.seed)
    print(json.dumps(row), flush=True)  # noqa: T201
    server.folder.cleanup()
    os._exit(0)


def row(fault, asked):
    """The row of a fault, tried in a process of its own; None if that took too long."""
    how = ["--one", fault["name"], "-n", str(asked.n), "--seed", str(asked.seed)]
    try:
        done = subprocess.run(
            [sys.executable, __file__, *how],
            stdout=subprocess.PIPE,
            timeout=asked.seconds,
            check=True,
        )
    except subprocess.TimeoutExpired:
        return None
    return json.loads(done.stdout)


def tried(row, evenings):
    """Whether a fault was named, or missed by as many evenings."""
    return row is not None and (row["by"] or row["evenings"] >= evenings)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("-n", type=int, default=40, help="evenings for each fault (40)")
    parser.add_argument("-k", default="", help="only faults whose names hold this")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=int, default=LONG, help=f"for each fault ({LONG})")
    parser.add_argument(
        "--untried", action="store_true", help="only faults that nothing named so far"
    )
    parser.add_argument("--one", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.one:
        alone(next(one for one in [NOTHING, *faults()] if one["name"] == asked.one), asked)
    if (found := row(NOTHING, asked)) is None or found["by"]:
        sys.exit(f"without a fault: {found}")
    kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else []
    rows = {one["name"]: one for one in kept}
    for fault in faults():
        name = fault["name"]
        if asked.k not in name or (asked.untried and tried(rows.get(name), asked.n)):
            continue
        if (found := row(fault, asked)) is None:
            print(f"{name}: no end after {asked.seconds} seconds", flush=True)  # noqa: T201
            continue
        rows[name] = found
        KEPT.write_text(json.dumps(list(rows.values()), indent=1) + "\n", encoding="utf-8")
        print(f"{found['by'] or 'missed'}: {name}", flush=True)  # noqa: T201
    named = sum(one["by"] is not None for one in rows.values())
    print(f"{named} of {len(rows)} faults named")  # noqa: T201


if __name__ == "__main__":
    main()
