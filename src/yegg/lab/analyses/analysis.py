"""The base class of analyses: what an experiment can ask of its games, beside its measures.

An analysis is one object in one module, named once, in `yegg.lab.analyses`.  Everything else
(reading the file, playing, keeping parts, findings, reports) goes through this protocol.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, is_dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from yegg.engine import Game, Ints
from yegg.engine.renamed import adopt, by_old_names
from yegg.engine.verbs import Dice
from yegg.lab.batch import Batch, Matchup
from yegg.lab.cells import Cell, Variant
from yegg.lab.file_schema import struct
from yegg.stats.intervals import Figure, Section, Sentence, as_value
from yegg.stats.kinds import Kinds
from yegg.stats.p_values import Floats

if TYPE_CHECKING:
    import polars as pl

    from yegg.lab.plots import Panel

Spec = TypeVar("Spec")
Estimate = TypeVar("Estimate")


@dataclass(frozen=True)
class Context:
    """The rest of the experiment's file, for analyses that read a table of it."""

    game: Game
    variants: Sequence[Variant]
    of: Callable[[Variant], Game]
    """The game that a variant plays: with its deck."""
    players: Mapping[str, str]
    """Who plays where a name stands in a line-up: a bot, or the bot that has a habit."""
    lots: bool
    """Whether chance draws by lots."""
    columns: Kinds
    """What measures can be made of."""
    folder: Path | None
    """Where plans lie."""


@dataclass(frozen=True)
class PlayedGames:
    """Games of a cell that were just played, with all their choices."""

    setting: Matchup
    batch: Batch
    dice: Dice
    """(games, 1 + players, 1): the generators with which the games began."""
    rows: Sequence[tuple[int, int]]
    """The deal and the seating of each game."""
    lineup: Sequence[str]
    named: Sequence[str]
    """The bots whose shares are columns of their own."""

    def finished(self) -> Iterator[tuple[int, Ints, Floats]]:
        """The row, the log and the sides' shares of the win of every game that ended."""
        for game in np.flatnonzero(self.batch.over).tolist():
            log = self.batch.log[game, : self.batch.lengths[game]]
            yield game, log, self.shares[game]

    @cached_property
    def shares(self) -> Floats:
        """(games, sides): the shares of the win."""
        return self.batch.shares

    def table(
        self,
        deals: int | None,
        rows: "Callable[[tuple[int, int], Ints, Floats], Iterable[Mapping[str, Any]]]",
    ) -> "pl.DataFrame | None":
        """A table of ``rows`` for each finished game of the first ``deals``; None if it is empty.

        It is given the deal and seating of a game, which begin each row, its log and its shares.
        """
        import polars as pl

        found = [
            {"deal": self.rows[game][0], "seating": self.rows[game][1], **row}
            for game, log, shares in self.finished()
            if deals is None or self.rows[game][0] < deals
            for row in rows(self.rows[game], log, shares)
        ]
        schema = {"deal": pl.Int64, "seating": pl.Int16}
        if not found:
            return None
        return pl.DataFrame(found, infer_schema_length=None, schema_overrides=schema)


OLD = {"as_data": "to_dict"}
__getattr__ = by_old_names(__name__, OLD)


class Analysis(Generic[Spec, Estimate]):
    """An analysis.  ``Spec`` is what the file asks for, ``Estimate`` what was found of it."""

    schema: type[Any]
    """The struct of what the file asks for."""
    key: str
    """The table of the file that asks for it, as ``trace``."""
    part: str
    """What its tables are called, which lie beside the games of each block."""
    data_key: str
    """The key of its findings in ``report.json``."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """A class made for 1.0 may have its findings by `as_data`."""
        super().__init_subclass__(**kwargs)
        adopt(cls, OLD)

    def parse(self, given: Any, context: Context) -> Spec:
        """Read the analysis's table of the file.  Raises Refused with what would be right."""
        spec: Spec = struct(self.schema, given, self.key)
        return spec

    def identity(self, spec: Spec) -> object:
        """What the games depend on: a run can only go on with the same value."""
        return spec

    def deals(self, spec: Spec) -> int | None:
        """The number of deals of each cell, the first ones, that are analysed; None: all."""
        return getattr(spec, "deals", None)

    def collect(self, spec: Spec, games: PlayedGames) -> "pl.DataFrame | None":
        """The table to keep of some games, with their deal and seating; None if it is empty."""
        raise NotImplementedError

    def estimate(
        self, spec: Spec, game: Game, frames: "Mapping[Cell, pl.DataFrame]"
    ) -> list[Estimate]:
        """The findings, from the kept tables of each cell that has any."""
        return [one for cell, table in frames.items() for one in self.of_cell(game, cell, table)]

    def of_cell(self, game: Game, cell: Cell, table: "pl.DataFrame") -> Iterable[Estimate]:
        """The findings in one cell."""
        raise NotImplementedError

    def to_dict(self, estimates: Sequence[Estimate]) -> list[dict[str, Any]]:
        """The findings for ``report.json`` and ``--json``: by default the fields of each."""
        return [to_dict(one) for one in estimates]

    def sentences(self, estimates: Sequence[Estimate]) -> list[Sentence]:
        """The findings in words."""
        raise NotImplementedError

    def tables(self, game: Game, estimates: Sequence[Estimate]) -> list[Section]:
        """The findings as tables for a terminal."""
        raise NotImplementedError

    def panels(self, game: Game, estimates: Sequence[Estimate]) -> "Iterable[Panel]":
        """The plots of a report, each with its table."""
        return ()

    def method(self, spec: Spec, estimates: Sequence[Estimate]) -> list[str]:
        """The paragraphs of a report about how it was done."""
        return []

    def warm(self, setting: Matchup) -> None:
        """Compile what it needs beside a first block of games."""

    def pilots(self, spec: Spec) -> int:
        """How many games of its own it plays for each cell before it can say anything."""
        return 0

    def uncalibrated(self, spec: Spec, settings: Sequence[Matchup]) -> Spec:
        """The same question without these games, for measuring how long the others take."""
        return spec

    def columns(self, spec: Spec, sides: int) -> Kinds | Sequence[str]:
        """The columns that it adds to each game, and their kinds; names alone are numbers."""
        return ()

    def untold(self, estimates: Sequence[Estimate]) -> Mapping[tuple[str, str], frozenset[str]]:
        """By variant and level: which of these columns may not be told."""
        return {}

    def plans(self, spec: Spec) -> list[Path]:
        """The files of plans that it reads."""
        return []


def to_dict(value: Any) -> Any:
    """A finding for JSON: an estimate by the names of its fields, figures with their intervals."""
    if isinstance(value, Figure):
        return as_value(value)
    if is_dataclass(value):
        value = vars(value)
    if isinstance(value, Mapping):
        return {key: to_dict(part) for key, part in value.items()}
    return [to_dict(part) for part in value] if isinstance(value, list | tuple) else value


def between(one: Any, estimates: Sequence[Any]) -> str:
    """Where an estimate holds, with the rules where there are several: ``between easy players``."""
    several = len({each.variant for each in estimates}) > 1
    return f"between {one.level} players" + (f" ({one.variant})" if several else "")
