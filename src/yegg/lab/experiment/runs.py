"""A run of an experiment: a folder with a part for each block, and a manifest of what is in it.

Each part is written beside its place and renamed, so that whoever is stopped, by whatever, loses
at most the blocks that were being played.
"""

import json
import platform
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yegg.engine import Refused
from yegg.files import write_atomic
from yegg.lab.analyses.analysis import Analysis
from yegg.lab.analyses.measures import by_deal
from yegg.lab.cells import Cell
from yegg.lab.executors.threads import Executor, Lost, Threads, Work
from yegg.lab.game_frame import sides
from yegg.lab.sources import made_by
from yegg.machine import machine, versions
from yegg.stats.p_values import p_value
from yegg.text.json_writer import as_json

from .checksums import Checksums, Manifest, checksum, manifest
from .early_stopping import EarlyStopping
from .schema import Experiment, read
from .shards import Piece, blocks, parts, size

if TYPE_CHECKING:
    import polars as pl

SELDOM = 0.001  # how likely a difference is that no two processors make by chance


class Run:
    """An experiment and the folder in which its games are kept."""

    def __init__(self, experiment: Experiment, folder: Path) -> None:
        """Nothing is read or written yet."""
        self.experiment = experiment
        self.folder = folder
        self.early_stopping = EarlyStopping(experiment, self._read)
        self.lost: list[tuple[Piece, Lost]] = []
        """What the last `play` could not play, though it tried several times."""

    @classmethod
    def opened(cls, folder: Path) -> "Run":
        """The run in a folder.  Raises Refused if there is none."""
        kept = manifest(folder)
        if kept is None:
            raise Refused(f"{folder} holds no run; `yegg lab run FILE --out {folder}` begins one")
        for name, digest in kept.files.items():
            if not (folder / name).is_file() or checksum((folder / name).read_bytes()) != digest:
                raise Refused(f"{folder / name} is damaged: it is not what the manifest says")
        return cls(read(folder / "experiment.toml"), folder)

    @cached_property
    def checksums(self) -> Checksums:
        """The checksums of all parts."""
        return Checksums(self.folder)

    @cached_property
    def head(self) -> dict[str, Any]:
        """The head of the manifest: what the games depend on; a run goes on only with the same."""
        experiment = self.experiment
        return {
            "experiment": experiment.digest,
            "game": ", ".join(game.name for game in experiment.games),
            "version": experiment.game.version,
            "seed": experiment.seed,
            "code": " ".join(made_by(game, experiment.outsiders) for game in experiment.games),
            **versions(),
            "processor": platform.machine(),
        }

    def begin(self) -> None:
        """Make the folder, or find that it holds a run that can go on.  Raises Refused."""
        enter(self.folder, self.head, "run")
        self._write_manifest()  # first: a folder without one is somebody else's
        for name, data in self._asked().items():
            (self.folder / name).parent.mkdir(exist_ok=True)
            write_atomic(self.folder / name, data)

    def _asked(self) -> dict[str, bytes]:
        """The files that say what is asked, by name."""
        return {"experiment.toml": self.experiment.source.encode(), **self.experiment.files}

    def path(self, cell: Cell, number: int, what: str = "") -> Path:
        """Where a block's games lie; or ``what`` an analysis keeps of them."""
        name = f"{what}-{number:05}" if what else f"{number:05}"
        return self.folder / "parts" / cell.slug / f"{name}.parquet"

    def missing(self) -> list[Piece]:
        """The blocks that are still to be played, in order."""
        self.early_stopping.advance()
        return [block for block in self.blocks() if not self._complete(block)]

    def blocks(self) -> list[Piece]:
        """All blocks that count, in order: none beyond where a level ended early."""
        return list(filter(self._counts, blocks(self.experiment)))

    def _counts(self, block: Piece) -> bool:
        return block.number < self.early_stopping.ended.get(block.cell.level, block.number + 1)

    def _read(self, block: Piece) -> "pl.DataFrame | None":
        """The games of a block, as many as the experiment asks for; None if they are not there."""
        if not self._complete(block):
            return None
        return self._block(block.cell, block.number, block.deals.stop)

    def _block(self, cell: Cell, number: int, deals: int) -> "pl.DataFrame":
        """The games of a block among the first deals, with the columns that analyses add."""
        import polars as pl

        games = self._table(self.path(cell, number)).filter(pl.col("deal") < deals)
        for analysis, spec in self.experiment.asked:
            game = self.experiment.of(cell.variant)
            names = analysis.columns(spec, sides(game, cell.variant.players))
            path = self.path(cell, number, analysis.part)
            if names and path.exists():
                added = self._table(path).select("deal", "seating", *names)
                added = added.filter(pl.col("deal") < analysis.deals(spec))
                games = games.join(added, ["deal", "seating"], "left", maintain_order="left")
            elif names:
                games = games.with_columns(pl.lit(None, pl.Float64).alias(name) for name in names)
        return games

    def _complete(self, block: Piece) -> bool:
        games, *others = self._paths(block)
        known = (games, *filter(self.checksums.known, others))
        if not all(map(self.checksums.whole, known)):
            return False
        return self._table(games)["deal"].n_unique() >= len(block.deals)

    def _paths(self, block: Piece) -> list[Path]:
        """Where the games of a block lie, and what analyses keep of them."""
        kinds = ("", *(analysis.part for analysis, _ in self.experiment.asked))
        return [self.path(block.cell, block.number, what) for what in kinds]

    def _table(self, path: Path) -> "pl.DataFrame":
        """The table of a part.  Raises Refused if it is damaged."""
        import polars as pl

        return pl.read_parquet(BytesIO(self.checksums.read(path)))

    def play(
        self,
        threads: int | None = None,
        progress: Callable[[Piece], None] | None = None,
        executor: Executor | None = None,
    ) -> None:
        """Play what is missing; ``progress`` hears each block that was played.

        The run must have begun; whatever is not compiled is compiled on the way.  An ``executor``
        other than this machine's threads may fail to play some blocks: see ``lost``.
        """
        executor = executor or Threads(threads)
        began, missing = time.monotonic(), self.missing()
        self.lost = []
        for done in executor.play(Work(packed, self.experiment, missing, self._counts)):
            (cell, number, deals), at = done.piece, time.monotonic() - began
            where = {"on": done.node} if done.node else {}
            if isinstance(done.result, Lost):
                seed = {"seed": self.experiment.seed, "first": deals[0], "deals": len(deals)}
                self._note(cell=cell.slug, block=number, **seed, **asdict(done.result), at=at)
                self.lost += [(done.piece, done.result)] if done.result.last else []
                continue
            written = {}
            for what in sorted(done.result, reverse=True):  # the games last: they end a block
                path = self.path(cell, number, what)
                path.parent.mkdir(parents=True, exist_ok=True)
                write_atomic(path, done.result[what])
                written[self.checksums.name(path)] = checksum(done.result[what])
            self.checksums.note(written)
            self._note(
                cell=cell.slug, block=number, deals=len(deals), at=at, **where, parts=written
            )
            self.early_stopping.advance()
            if progress:
                progress(done.piece)
        for block in blocks(self.experiment):
            if not self._counts(block):
                for path in self._paths(block):
                    path.unlink(missing_ok=True)
        self._write_manifest(executor.machines() if missing else [])

    def games(self, cell: Cell) -> "pl.DataFrame":
        """All games of a cell, deal by deal."""
        return self.between(cell, range(self.early_stopping.deals(cell.level)))

    def between(self, cell: Cell, deals: range) -> "pl.DataFrame":
        """The games of some deals of a cell, from the first of a block on."""
        import polars as pl

        most, many = self.early_stopping.deals(cell.level), size(self.experiment, cell)
        numbers = range(deals.start // many, -(-deals.stop // many))
        some = [self._block(cell, number, min(most, deals.stop)) for number in numbers]
        return pl.concat(some, how="vertical_relaxed")

    def frames(self, analysis: Analysis[Any, Any], spec: Any) -> "dict[Cell, pl.DataFrame]":
        """The tables of an analysis by cell, of as many deals as it asks for."""
        import polars as pl

        frames = {}
        for cell in self.experiment.cells:
            most, asked = self.early_stopping.deals(cell.level), analysis.deals(spec)
            deals = most if asked is None else min(asked, most)
            numbers = [block.number for block in self.blocks() if block.cell == cell]
            paths = [self.path(cell, number, analysis.part) for number in numbers]
            tables = [self._table(path) for path in paths if path.exists()]
            if tables:
                frames[cell] = pl.concat(tables).filter(pl.col("deal") < deals)
        return frames

    def check(self, most: int) -> list[str]:
        """The faults of the parts: changed since, or not what is played again.

        All parts are compared with the manifest, and ``most`` of them, spread over the run, are
        played once more.
        """
        kept = manifest(self.folder) or Manifest({})
        wrong = []
        for name, digest in kept.parts.items():
            path = self.folder / "parts" / name
            if not path.exists():
                wrong.append(f"{name} is missing")
            elif checksum(path.read_bytes()) != digest:
                wrong.append(f"{name} is not what the manifest says")
        self.early_stopping.advance()
        every = self.blocks()
        step = max(1, len(every) // max(most, 1))
        elsewhere = kept.machines not in ([], [machine()])
        for cell, number, deals in every[::step][:most]:
            for what, table in parts(self.experiment, cell, deals).items():
                path = self.path(cell, number, what)
                if not path.exists() or path.read_bytes() == as_bytes(table):
                    continue
                whole = self.checksums.whole(path)
                if elsewhere and whole and (what or self._agrees(path, table)):
                    continue
                wrong.append(
                    f"{cell.slug}/{path.name} is not what its games give when played again"
                )
        return wrong

    def _agrees(self, path: Path, again: "pl.DataFrame") -> bool:
        """Whether games of another processor measure the same, but for chance.

        There the last digit of a logarithm may differ, and with it a choice, and with it a game.
        """
        measures, shown = self.experiment.measures, self.experiment.shown
        both = [by_deal(table, measures, shown) for table in (self._table(path), again)]
        if len(both[0]) != len(both[1]):
            return False
        apart = [(both[0][name] - both[1][name]).drop_nulls().to_numpy() for name in measures]
        return all(p_value(one) > SELDOM for one in apart if one.any())

    def _write_manifest(self, machines: Sequence[Mapping[str, str]] = ()) -> None:
        before = manifest(self.folder) or Manifest({})
        every = {as_json(one, sort=True) for one in (*before.machines, *machines)}
        data = {
            "made_by": self.head,
            "machines": [json.loads(one) for one in sorted(every)],
            "parts": self.checksums.all(),
            "files": {name: checksum(data) for name, data in self._asked().items()},
        }
        write_atomic(self.folder / "manifest.json", as_json(data, indent=1).encode() + b"\n")

    def _note(self, **said: Any) -> None:
        with (self.folder / "journal.jsonl").open("a", encoding="utf-8") as file:
            file.write(as_json(said) + "\n")


def enter(folder: Path, head: Mapping[str, Any], what: str) -> None:
    """Make a folder, or find that it holds what can go on: made by the same.  Raises Refused."""
    if before := manifest(folder):
        other = [key for key, value in head.items() if before.made_by.get(key) != value]
        if other:
            raise Refused(
                f"{folder} holds games that were made with another {', '.join(other)}; "
                "give a new folder by --out"
            )
    elif folder.exists() and any(path.suffix != ".part" for path in folder.iterdir()):
        raise Refused(f"{folder} is not empty and holds no {what}; give another by --out")
    folder.mkdir(parents=True, exist_ok=True)


def packed(experiment: Experiment, piece: Piece) -> dict[str, bytes]:
    """A block's parts as they are kept."""
    tables = parts(experiment, piece.cell, piece.deals)
    return {what: as_bytes(table) for what, table in tables.items()}


def as_bytes(table: "pl.DataFrame") -> bytes:
    """A table as Parquet: the same bytes for the same table."""
    out = BytesIO()
    table.write_parquet(out, compression="zstd", compression_level=3)
    return out.getvalue()
