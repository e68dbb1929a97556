"""The search of a tuning and its folder: results of all settings, and the last measurement.

``tries.jsonl`` has a line for each setting and some deals; ``final`` is an ordinary run of the
settings that are left, over deals that none of them has met.
"""

import hashlib
import json
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from yegg.engine import Refused
from yegg.files import write_atomic as write
from yegg.lab.analyses.measures import by_deal
from yegg.lab.cells import Variant
from yegg.lab.executors.threads import Executor, Lost, Work
from yegg.lab.experiment.checksums import checksum
from yegg.lab.experiment.runs import Run, enter
from yegg.lab.experiment.schema import Experiment
from yegg.lab.experiment.shards import Piece, parts
from yegg.stats.claims import UNFINISHED
from yegg.text.json_writer import as_json
from yegg.text.phrases import counted

from .halving import Round, Tried, halve, order, planned
from .optuna_search import DEALS, GOOD, proposals, propose
from .schema import Tuning, loss

LEFT = 8  # settings that are measured in the end
PIECE = 250  # deals of a setting that are played at once

Key = tuple[str, int, int]
"""A piece by its setting, its first deal, and how many there are."""


@dataclass(frozen=True)
class News:
    """The progress of a search, for whoever waits."""

    done: int
    """Games."""
    total: int
    says: str


class Search:
    """A search and the folder in which it is kept."""

    def __init__(self, tuning: Tuning, folder: Path) -> None:
        """Nothing is read or written yet."""
        self.tuning, self.folder = tuning, folder
        self.rounds: list[Round[Variant]] = []
        self._tries: dict[Key, dict[str, Any]] = {}
        self._done = 0
        cells = map(tuning.cell, tuning.experiment.variants)
        self.arrangements = max(len(cell.seatings) for cell in cells)

    def begin(self) -> None:
        """Make the folder, or find that it holds a search that can go on.  Raises Refused."""
        experiment = self.tuning.experiment
        asked = repr((experiment.lineups, self.tuning.players, sorted(experiment.measures.items())))
        digest = hashlib.sha256(asked.encode()).hexdigest()[:16]
        head = Run(experiment, self.folder).head | {"players and measures": digest}
        enter(self.folder, head, "search")
        manifest = as_json({"made_by": head}, indent=1)
        write(self.folder / "manifest.json", manifest.encode() + b"\n")
        write(self.folder / "experiment.toml", self.tuning.source.encode())
        self._tries = dict(_kept(self.folder / "tries.jsonl", self.folder / "checksums.txt"))

    def play(self, executor: Executor, heard: Callable[[News], None]) -> None:
        """Search.  Raises Refused if a setting could not be played."""
        tuning, self.rounds, self._done = self.tuning, [], 0

        def play(variants: Sequence[Variant], deals: range) -> list[Tried[Variant]]:
            return self._round(executor, heard, variants, deals)

        if tuning.search == "optuna":
            rounds = propose(tuning, play, self.arrangements)
        else:
            rounds = halve(self.settings, play, tuning.games, self.arrangements)
        for played in rounds:
            self.rounds.append(played)
        lines = [as_json(_line(*one)) for one in sorted(self._tries.items())]  # in one order
        write(self.folder / "tries.jsonl", "".join(f"{line}\n" for line in lines).encode())

    def final(self) -> Run:
        """The run of the settings that are left, the search's choice first; it has begun."""
        left = order(self.rounds)[:LEFT] or self.settings
        run = Run(self.tuning.last(left), self.folder / "final")
        run.begin()
        return run

    @cached_property
    def settings(self) -> list[Variant]:
        """All settings, if they are listed."""
        return self.tuning.settings()

    def _round(
        self,
        executor: Executor,
        heard: Callable[[News], None],
        variants: Sequence[Variant],
        deals: range,
    ) -> list[Tried[Variant]]:
        """Let settings play what they have not yet played of some deals."""
        by_setting = {
            variant: [
                Piece(self.tuning.cell(variant), at // PIECE, deals[at : at + PIECE])
                for at in range(0, len(deals), PIECE)
            ]
            for variant in variants
        }
        pieces = [piece for row in zip(*by_setting.values(), strict=True) for piece in row]
        missing = [piece for piece in pieces if _key(piece) not in self._tries]
        news = self._news(len(variants), deals)

        def advance(some: Sequence[Piece]) -> None:
            self._done += sum(len(piece.deals) * len(piece.cell.seatings) for piece in some)
            heard(News(self._done, max(self.total, self._done), news))

        advance([piece for piece in pieces if _key(piece) in self._tries])
        with (
            (self.folder / "tries.jsonl").open("a", encoding="utf-8") as file,
            (self.folder / "checksums.txt").open("a", encoding="utf-8") as checksums,
        ):
            for done in executor.play(Work(tried, self.tuning.experiment, missing)):
                if isinstance(done.result, Lost):
                    _give_up(done.piece, done.result)
                    continue
                key = _key(done.piece)
                self._tries[key] = done.result
                line = as_json(_line(key, done.result))
                file.write(f"{line}\n")
                file.flush()
                checksums.write(f"{checksum(line.encode())}\n")
                checksums.flush()
                advance([done.piece])
        return [self._tried(*played) for played in by_setting.items()]

    def _tried(self, variant: Variant, pieces: Sequence[Piece]) -> Tried[Variant]:
        """How a setting did, from all its pieces of a round."""
        tries = [self._tries[_key(piece)] for piece in pieces]
        targets = self.tuning.targets
        values = np.array(
            [[v for one in tries for v in one["values"][target.name]] for target in targets], float
        )
        games, finished = (sum(one[key] for one in tries) for key in ("games", "finished"))
        known = ~np.isnan(values).any(axis=0)
        if games - finished > UNFINISHED * games or not known.any():
            return Tried(variant, math.inf, (math.nan,) * len(targets))
        means = values[:, known].mean(axis=1)
        return Tried(variant, float(loss(targets, means)), tuple(means.tolist()))

    @cached_property
    def total(self) -> int:
        """How many games the search plays, in all; nearly, where settings are proposed."""
        tuning, many = self.tuning, self.arrangements
        if tuning.search == "optuna":
            left, wanted = GOOD, tuning.games // 2
            games = proposals(tuning, many) * max(1, DEALS // many) * many
        else:
            left, wanted, games = len(self.settings), tuning.games, 0
        return games + sum(n * deals * many for n, deals in planned(left, wanted, many))

    def _news(self, settings: int, deals: range) -> str:
        """What is going on, and what leads so far."""
        now = f"round {len(self.rounds) + 1}: {counted(settings, 'setting')}, {len(deals)} deals"
        if not self.rounds:
            return now
        best = self.rounds[-1].tried[0]
        return f"{now} each; {best.setting.name} leads, off by {best.loss:.1f}"


def tried(experiment: Experiment, piece: Piece) -> dict[str, Any]:
    """Play a piece: every measure of every deal, and how many games ended."""
    games = parts(experiment, piece.cell, piece.deals)[""]
    rows = by_deal(games, experiment.measures, experiment.shown)
    return {
        "games": int(rows["games"].sum()),
        "finished": int(rows["finished"].sum()),
        "values": {name: rows[name].to_list() for name in experiment.measures},
    }


def _give_up(piece: Piece, lost: Lost) -> None:
    """Raise Refused once a piece was tried often enough."""
    if lost.last:
        deals = f"deals {piece.deals[0]} to {piece.deals[-1]}"
        raise Refused(
            f"{piece.cell.variant.name}, {deals}, could not be played in {lost.times} tries "
            f"({lost.why}); the same command tries again"
        )


def _key(piece: Piece) -> Key:
    return piece.cell.variant.name, piece.deals[0], len(piece.deals)


def _line(key: Key, result: dict[str, Any]) -> dict[str, Any]:
    name, first, deals = key
    return {"setting": name, "first": first, "deals": deals, **result}


def _kept(path: Path, checksums: Path) -> Iterator[tuple[Key, dict[str, Any]]]:
    """What was tried before; what is not as it was written is played again."""
    noted = set(checksums.read_bytes().split()) if checksums.is_file() else set[bytes]()
    lines = path.read_bytes().splitlines() if path.is_file() else []
    whole = [line for line in lines if checksum(line).encode() in noted]
    if whole != lines:
        write(path, b"".join(line + b"\n" for line in whole))
    for line in whole:
        result = json.loads(line)
        yield (result.pop("setting"), result.pop("first"), result.pop("deals")), result
