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


AREAS = {
    "secrecy": Area(
        "src/yegg/engine/secrecy.py",
        ["tests/test_secrecy.py", "tests/table/test_secrecy.py", "tests/table/test_steps.py",
         "tests/table/test_event_kinds.py", "tests/test_records.py", "tests/post", "tests/envs"],
    ),
    "storage": Area(
        "src/yegg/table/storage/*",
        ["tests/table/test_games_file.py", "tests/table/test_waiting_writes.py",
         "tests/table/test_contacts.py", "tests/table/test_devices.py",
         "tests/table/test_tokens.py", "tests/table/test_backups.py",
         "tests/table/test_blocking.py", "tests/table/test_lobby.py",
         "tests/table/test_clock_tables.py", "tests/table/test_older_rules_results.py"],
    ),
    "domain": Area(
        "src/yegg/table/domain/*",
        ["tests/table/test_clock.py", "tests/table/test_clock_sentences.py",
         "tests/table/test_clock_tables.py", "tests/table/test_names_in_sentences.py",
         "tests/table/test_event_kinds.py", "tests/table/test_long_histories.py",
         "tests/table/test_phrases.py", "tests/table/test_promised_dice.py",
         "tests/table/test_rematch.py", "tests/table/test_sealed_orders.py",
         "tests/table/test_seats.py", "tests/table/test_steps.py"],
    ),
    "stats": Area(
        "src/yegg/stats/*",
        ["tests/lab/test_stats.py", "tests/lab/test_figures.py", "tests/lab/test_one_interval.py",
         "tests/lab/test_honest_intervals.py", "tests/lab/test_sequential_tests.py",
         "tests/lab/test_power.py", "tests/lab/test_seat_balance.py",
         "tests/lab/test_paired_deals.py", "tests/lab/test_kinds.py", "tests/test_compare.py"],
    ),
    "experiment": Area(
        "src/yegg/lab/experiment/*",
        ["tests/lab/test_experiments.py", "tests/lab/test_damaged_runs.py",
         "tests/lab/test_findings.py", "tests/lab/test_kinds.py", "tests/lab/test_planted.py",
         "tests/lab/test_wrong_questions.py", "tests/lab/test_early_stopping.py",
         "tests/lab/test_claims_while_played.py", "tests/lab/test_plans.py",
         "tests/lab/test_games_counted.py", "tests/lab/test_seats.py"],
    ),
    "arena": Area(
        "src/yegg/lab/arena.py",
        ["tests/lab/test_arena.py", "tests/lab/test_arena_table.py", "tests/lab/test_forfeits.py"],
    ),
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
