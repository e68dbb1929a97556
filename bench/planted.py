"""Planted faults: whether the pre-flight names them, and keeps quiet where there is none.

    python bench/planted.py check bench/preflight/first         applies each, and plays some games
    python bench/planted.py run bench/preflight/first           the pre-flight on each
    python bench/planted.py run bench/preflight/first -k crown --minutes 2
    python bench/planted.py run bench/preflight/first --games 600     the same on any machine

A file of a folder is one fault or one clean variant; docs/preflight.md says what stands in it.
What came out is kept in FOLDER/results.json, a row for each, and told at the end.
"""

import argparse
import csv
import hashlib
import json
import shutil
import sys
import tempfile
import time
import tomllib
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import ModuleType

from yegg import games
from yegg.lab.batch import Matchup
from yegg.lab.preflight.run import preflight
from yegg.lab.preflight.sample import Question
from yegg.lab.simulation import simulate

LEFT_OUT = shutil.ignore_patterns("tests", "records", "policy.npz", "__pycache__")
CLEAN = "clean"


class Planted:
    """One file: a game with a fault, or a clean variant of it."""

    def __init__(self, path):
        """Read it."""
        given = tomllib.loads(path.read_text(encoding="utf-8"))
        self.name, self.game, self.kind = path.stem, given["game"], given["kind"]
        self.says, self.names = given["says"], given.get("names", "")
        self.options, self.cards = given.get("options", {}), given.get("cards", {})
        self.patches = given.get("patch", [])
        self.made = self._made()
        self.players = given.get("players") or self.made.usual_players(self.options)

    def _made(self):
        game = self._patched() if self.patches else games.find(self.game)
        if not self.cards:
            return game
        return game.with_cards(dealt(game, self.name, self.cards))

    def _patched(self):
        """The game of a copied folder, in which the patches were made."""
        digest = hashlib.sha256(json.dumps(self.patches).encode()).hexdigest()[:8]
        package = f"yegg_planted_{self.name.replace('-', '_')}_{digest}"
        around = ModuleType(package)
        around.__path__ = [tempfile.mkdtemp(prefix="planted-")]
        module = self.game.replace("-", "_")
        folder = Path(around.__path__[0]) / module
        shutil.copytree(games.find(self.game).folder, folder, ignore=LEFT_OUT)
        for patch in self.patches:
            file = folder / patch["file"]
            text = file.read_text(encoding="utf-8")
            if text.count(patch["old"]) != 1:
                sys.exit(f"{self.name}: not once in {patch['file']}: {patch['old']!r}")
            file.write_text(text.replace(patch["old"], patch["new"]), encoding="utf-8")
        sys.modules[package] = around
        return import_module(f"{package}.{module}").GAME


def dealt(game, name, cards):
    """The file of a deck in which some cells differ."""
    with (game.folder / "cards.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for slug, cells in cards.items():
        row = next(row for row in rows if row["slug"] == slug)
        row.update(cells)
    path = Path(tempfile.mkdtemp(prefix="planted-")) / f"{name}.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    return path


def check(planted):
    """Play some games at random."""
    made = planted.made
    setting = Matchup(made, planted.players, planted.options, ["uniform"] * planted.players, 0)
    sums, _ = simulate(setting, 20)
    print(f"{planted.name}: {sums.finished} of 20 games ended", flush=True)


def row_of(planted, minutes, games):
    """What the pre-flight says of one, by so many games or else in so many minutes."""
    begun = time.perf_counter()
    question = Question(planted.made, planted.players, planted.options)
    if games:
        question, minutes = replace(question, games=games), None
    flight = preflight(question, minutes)
    said = {line.key: line.verdict for line in flight.lines}
    faults = [line for line in flight.lines if line.verdict == "fault"]
    named = any(
        line.key == planted.kind and planted.names in " ".join(line.names) for line in faults
    )
    return {
        "name": planted.name,
        "game": planted.game,
        "kind": planted.kind,
        "named": named,
        "faults": [line.key for line in faults],
        "verdicts": said,
        "says": [line.says for line in faults],
        "games": flight.question.games,
        "seconds": round(time.perf_counter() - begun),
    }


def report(rows):
    """Print how many faults were named, and how many clean variants were called faulty."""
    faults = [row for row in rows if row["kind"] != CLEAN]
    clean = [row for row in rows if row["kind"] == CLEAN]
    named, alarms = sum(row["named"] for row in faults), sum(bool(row["faults"]) for row in clean)
    print(
        f"{named} of {len(faults)} faults named; {alarms} false alarms in {len(clean)} clean ones"
    )


def read(kept):
    """The rows that are kept; another run may have added some."""
    return json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else []


def main():
    """Read the folder, and do as asked."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", choices=["check", "run"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("-k", default="", help="only files whose names hold this")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--games", type=int, help="of the main sample, instead of minutes")
    asked = parser.parse_args()
    kept = asked.folder / "results.json"
    for path in sorted(asked.folder.glob("*.toml")):
        if asked.k not in path.stem:
            continue
        planted = Planted(path)
        if asked.what == "check":
            check(planted)
            continue
        row, rows = row_of(planted, asked.minutes, asked.games), read(kept)
        rows = sorted(
            [*(one for one in rows if one["name"] != path.stem), row], key=lambda one: one["name"]
        )
        kept.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
        print(f"{path.stem} ({planted.kind}): {', '.join(row['faults']) or 'nothing'}", flush=True)
    if asked.what == "run":
        report(read(kept))


if __name__ == "__main__":
    main()
