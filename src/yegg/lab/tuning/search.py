"""A search and its folder: what every setting did, kept line by line, and the last measurement.

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
from yegg.lab.analyses.measures import by_deal
from yegg.lab.cells import Cell, Variant
from yegg.lab.executors.threads import Crew, Lost, Piece, Work
from yegg.lab.experiment.runs import Run, enter, write
from yegg.lab.experiment.schema import Experiment
from yegg.lab.experiment.shards import parts
from yegg.text.phrases import counted

from .halving import Round, Tried, halve, order, planned
from .optuna_search import DEALS, GOOD, proposals, propose
from .schema import Tuning, loss

LEFT = 8  # settings that are measured in the end
PIECE = 250  # deals of a setting that are played at once
UNFINISHED = 0.01  # above this share of its games a setting is out


@dataclass(frozen=True)
class News:
    """How far a search is."""

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
        self._tries: dict[tuple[str, int, int], dict[str, Any]] = {}
        self._done = 0
        cells = map(tuning.cell, tuning.experiment.variants)
        self.arrangements = max(len(cell.seatings) for cell in cells)

    def begin(self) -> None:
        """Make the folder, or find that it holds a search that can go on.  Raises Refused."""
        experiment = self.tuning.experiment
        asked = repr((experiment.lineups, self.tuning.players, sorted(experiment.measures.items())))
        head = Run(experiment, self.folder).head()
        head["players and measures"] = hashlib.sha256(asked.encode()).hexdigest()[:16]
        enter(self.folder, head, "search")
        write(self.folder / "experiment.toml", self.tuning.source.encode())
        manifest = json.dumps({"made_by": head}, indent=1)
        write(self.folder / "manifest.json", manifest.encode() + b"\n")
        self._tries = dict(_kept(self.folder / "tries.jsonl"))

    def play(self, crew: Crew, heard: Callable[[News], None]) -> Run:
        """Search, and measure what is left in the end; return the run of that.  Raises Refused."""
        tuning, self.rounds, self._done = self.tuning, [], 0

        def play(variants: Sequence[Variant], deals: range) -> list[Tried[Variant]]:
            return self._round(crew, heard, variants, deals)

        if tuning.search == "optuna":
            searched = propose(tuning, play, self.arrangements)
        else:
            searched = halve(self.settings, play, tuning.games, self.arrangements)
        for made in searched:
            self.rounds.append(made)
        self._tidy()
        return self._measured(crew, heard)

    @property
    def left(self) -> list[Variant]:
        """The settings that are measured in the end, the search's choice first."""
        return order(self.rounds)[:LEFT] or self.settings

    @cached_property
    def settings(self) -> list[Variant]:
        """All settings, if they are listed."""
        return self.tuning.settings()

    def _round(
        self,
        crew: Crew,
        heard: Callable[[News], None],
        variants: Sequence[Variant],
        deals: range,
    ) -> list[Tried[Variant]]:
        """Let settings play what they have not yet played of some deals."""
        tuning = self.tuning
        pieces = [
            Piece(tuning.cell(one), at // PIECE, deals[at : at + PIECE])
            for at in range(0, len(deals), PIECE)
            for one in variants
        ]
        missing = [piece for piece in pieces if _key(piece) not in self._tries]
        self._done += sum(map(_games, pieces)) - sum(map(_games, missing))
        said = self._says(len(variants), deals)
        heard(News(self._done, max(self.total, self._done), said))
        with (self.folder / "tries.jsonl").open("a", encoding="utf-8") as file:
            for done in crew.play(Work(tried, tuning.experiment, missing)):
                piece = done.piece
                if isinstance(done.result, Lost):
                    _give_up(piece, done.result)
                    continue
                self._tries[_key(piece)] = done.result
                file.write(json.dumps(_line(piece, done.result)) + "\n")
                file.flush()
                self._done += _games(piece)
                heard(News(self._done, max(self.total, self._done), said))
        mine: dict[Variant, list[Piece]] = {}
        for piece in pieces:
            mine.setdefault(piece.cell.variant, []).append(piece)
        return [self._tried(one, mine[one]) for one in variants]

    def _tried(self, variant: Variant, pieces: Sequence[Piece]) -> Tried[Variant]:
        """How a setting did, from all its pieces of a round."""
        made = [self._tries[_key(piece)] for piece in pieces]
        targets = self.tuning.targets
        values = np.array(
            [[v for one in made for v in one["values"][target.name]] for target in targets], float
        )
        games, finished = (sum(one[key] for one in made) for key in ("games", "finished"))
        known = ~np.isnan(values).any(axis=0)
        if games - finished > UNFINISHED * games or not known.any():
            return Tried(variant, math.inf, (math.nan,) * len(targets))
        means = values[:, known].mean(axis=1)
        return Tried(variant, float(loss(targets, means)), tuple(means.tolist()))

    @cached_property
    def total(self) -> int:
        """How many games are played, in all; nearly, where settings are proposed."""
        tuning, many = self.tuning, self.arrangements
        if tuning.search == "optuna":
            left, wanted = GOOD, tuning.games // 2
            games = proposals(tuning, many) * max(1, DEALS // many) * many
        else:
            left, wanted, games = len(self.settings), tuning.games, 0
        games += sum(settings * deals * many for settings, deals in planned(left, wanted, many))
        return games + min(LEFT, left) * tuning.final * many

    def _says(self, settings: int, deals: range) -> str:
        """What is going on, and what leads so far."""
        said = f"round {len(self.rounds) + 1}: {counted(settings, 'setting')}, {len(deals)} deals"
        if not self.rounds:
            return said
        best = self.rounds[-1].tried[0]
        return f"{said} each; {best.setting.name} leads, off by {best.loss:.1f}"

    def _tidy(self) -> None:
        """Write all tries in one order, whoever played them and whenever."""
        lines = [
            json.dumps({"setting": name, "first": first, "deals": deals, **made})
            for (name, first, deals), made in sorted(self._tries.items())
        ]
        write(self.folder / "tries.jsonl", "".join(f"{line}\n" for line in lines).encode())

    def _measured(self, crew: Crew, heard: Callable[[News], None]) -> Run:
        """Measure what is left, over deals that no setting has met."""
        run = Run(self.tuning.last(self.left), self.folder / "final")
        run.begin()
        left = sum(run.deals(*block) for block in run.missing())
        says = f"fresh deals for {counted(len(self.left), 'setting')}"
        wanted = sum(run.experiment.deals[cell.level] for cell in run.experiment.cells)
        self._done += (wanted - left) * self.arrangements
        heard(News(self._done, max(self.total, self._done), says))

        def advance(_cell: Cell, deals: int) -> None:
            self._done += deals * self.arrangements
            heard(News(self._done, max(self.total, self._done), says))

        run.play(progress=advance, crew=crew)
        if run.lost:
            _give_up(*run.lost[0])
        return run


def tried(experiment: Experiment, piece: Piece) -> dict[str, Any]:
    """Play a piece: every measure of every deal, and how many games ended."""
    rows = by_deal(parts(experiment, piece.cell, piece.deals)[""], experiment.measures)
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


def _key(piece: Piece) -> tuple[str, int, int]:
    return piece.cell.variant.name, piece.deals[0], len(piece.deals)


def _line(piece: Piece, made: dict[str, Any]) -> dict[str, Any]:
    name, first, deals = _key(piece)
    return {"setting": name, "first": first, "deals": deals, **made}


def _games(piece: Piece) -> int:
    return len(piece.deals) * len(piece.cell.seatings)


def _kept(path: Path) -> Iterator[tuple[tuple[str, int, int], dict[str, Any]]]:
    """What was tried before; a line that was not written whole is cut off."""
    if not path.exists():
        return
    data = path.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    if whole != data:
        write(path, whole)
    for line in whole.splitlines():
        made = json.loads(line)
        yield (made.pop("setting"), made.pop("first"), made.pop("deals")), made
