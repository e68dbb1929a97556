"""Plant small faults in the code and see which of them a test notices: `make mutants AREA=stats`.

mutmut changes one operator, number, argument or text at a time and runs the tests of `make test`
that reach the changed function.  What no test notices is listed with its change, so that it gets a
test, or is named as equal: the program does the same with it.  The tree is copied first, and
nothing of the checkout is changed.
"""

import argparse
import random
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parents[1]
NOTICED = {"killed", "timeout", "suspicious", "segfault", "caught by type check"}
BROWSER = "--ignore-glob=*_browser.py"


class Area(NamedTuple):
    """Where faults are planted, and which tests are run."""

    planted: str
    tests: list[str]


def those(folder: str, names: str) -> list[str]:
    """Files of tests, by their names in a folder."""
    return [f"tests/{folder}/test_{name}.py" for name in names.split()]


AREAS = {
    "secrecy": Area(
        "src/yegg/engine/secrecy.py",
        [*those("table", "secrecy steps event_kinds"), "tests/test_secrecy.py",
         "tests/test_teller.py", "tests/test_records.py", "tests/post", "tests/envs",
         "src/yegg/games/secrets/tests/test_face.py"],
    ),
    "storage": Area(
        "src/yegg/table/storage/*",
        those("table", "databases store migrations uptime games_file waiting_writes event_kinds"
              " older_rules_results choices_fast_path"),
    ),
    "domain": Area(
        "src/yegg/table/domain/*",
        those("table", "table_state automatic_events orders_under_seal seat_events clock"
              " clock_sentences event_kinds lobby_order promised_dice rematch sealed_orders seats"
              " blocking"),
    ),
    "stats": Area(
        "src/yegg/stats/*",
        [*those("lab", "stats figures one_interval honest_intervals sequential_tests power"
                " seat_balance paired_deals kinds calibrate deal_sums exact_sums"
                " experiment_claims"), "tests/test_compare.py"],
    ),
    "experiment": Area(
        "src/yegg/lab/experiment/*",
        those("lab", "experiment_schema experiment_claims experiment_figures deal_sums power"
              " paired_deals experiments damaged_runs kinds early_stopping claims_while_played"
              " games_counted seats runs habits findings"),
    ),
    "arena": Area("src/yegg/lab/arena.py", those("lab", "arena arena_table forfeits")),
}  # fmt: skip


def config(area: Area) -> str:
    """What mutmut is told, as a section of pyproject.toml."""
    beside = sorted(
        path.name
        for path in HERE.iterdir()
        if path.name not in {"src", "tests", "build", "dist"} and not path.name.startswith(".")
    )
    options = ["-m", "not wide", "-p", "no:cacheprovider", "--hypothesis-profile=ci", BROWSER]
    # Polars hangs in a fork of a process that has used it, so one is forked that has not.
    return f"""
[tool.mutmut]
process_isolation = "forkserver"
source_paths = ["src/"]
only_mutate = ["{area.planted}"]
also_copy = {beside}
pytest_add_cli_args = {options}
pytest_add_cli_args_test_selection = {area.tests}
"""


def copied(name: str, area: Area) -> Path:
    """A copy of the tree in which faults may be planted."""
    folder = HERE / "build" / "mutants" / name
    shutil.rmtree(folder, ignore_errors=True)
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"],
        cwd=HERE, check=True, capture_output=True, text=True,
    )  # fmt: skip
    for line in listed.stdout.splitlines():
        if (HERE / line).is_file():
            (folder / line).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(HERE / line, folder / line)
    with (folder / "pyproject.toml").open("a", encoding="utf-8") as file:
        file.write(config(area))
    return folder


def mutmut(folder: Path, *words: str, ends: tuple[int, ...] = (0,)) -> str:
    """Run mutmut, which may end with these statuses; what it printed."""
    done = subprocess.run(
        [sys.executable, "-m", "mutmut", *words],
        cwd=folder, check=False, capture_output=True, text=True,
    )  # fmt: skip
    if done.returncode not in ends:
        said = done.stdout.splitlines()[-20:] + done.stderr.splitlines()[-20:]
        sys.exit("\n".join([f"mutmut {words[0]} ended with status {done.returncode}:", *said]))
    return done.stdout


def results(folder: Path) -> dict[str, str]:
    """What became of each planted fault, by its name."""
    lines = mutmut(folder, "results", "--all", "true").splitlines()
    return dict(line.strip().split(": ", 1) for line in lines if ": " in line)


def report(folder: Path, found: dict[str, str]) -> None:
    """Print the share that was noticed, and what was not."""
    looked = {name: end for name, end in found.items() if end != "not checked"}
    counts = Counter(looked.values())
    noticed = sum(counts[end] for end in NOTICED)
    for name, end in looked.items():
        if end not in NOTICED:
            print(f"{name}: {end}")
            print(mutmut(folder, "show", name))
    said = ", ".join(f"{many} {end}" for end, many in counts.most_common())
    print(f"noticed: {noticed} of {len(looked)}, {noticed / max(len(looked), 1):.1%} ({said})")


def main() -> None:
    """Read the command line, and plant."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("area", choices=AREAS)
    parser.add_argument("--sample", type=int, help="only so many faults, drawn by a seed")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    folder = copied(given.area, AREAS[given.area])
    names = []
    if given.sample:
        mutmut(folder, "run", "--max-children", "2", "none", ends=(1,))  # which only lists them
        every = sorted(results(folder))
        names = random.Random(given.seed).sample(every, min(given.sample, len(every)))
    mutmut(folder, "run", "--max-children", "2", *names)
    report(folder, results(folder))


if __name__ == "__main__":
    main()
