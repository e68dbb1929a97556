"""A run of an experiment: a folder with a part for each block, and a manifest of what is in it.

Each part is written beside its place and renamed, so that whoever is stopped, by whatever, loses
at most the blocks that were being played.
"""

import hashlib
import json
import os
import platform
import time
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import yegg
from yegg.engine import Refused

from .blocks import made_by, numbers, parts, size
from .columns import sides
from .crew import in_order
from .experiment import Cell, Experiment, read
from .looking import Looking
from .tracing import trace_columns

if TYPE_CHECKING:
    import polars as pl


class Run:
    """An experiment and the folder in which its games are kept."""

    def __init__(self, experiment: Experiment, folder: Path) -> None:
        """Nothing is read or written yet."""
        self.experiment = experiment
        self.folder = folder
        self.looking = Looking(experiment, self._read)

    @classmethod
    def opened(cls, folder: Path) -> "Run":
        """The run in a folder.  Raises Refused if there is none."""
        if not (folder / "manifest.json").exists():
            raise Refused(f"{folder} holds no run; `yegg lab run FILE --out {folder}` begins one")
        return cls(read(folder / "experiment.toml"), folder)

    def head(self) -> dict[str, Any]:
        """What the games depend on; a run goes on only with what it began with."""
        experiment = self.experiment
        return {
            "experiment": experiment.digest,
            "game": experiment.game.name,
            "version": experiment.game.version,
            "seed": experiment.seed,
            "code": made_by(experiment.game),
            "yegg": yegg.__version__,
            "numpy": np.__version__,
            "numba": _version("numba"),
            "polars": _version("polars"),
            "processor": platform.machine(),
        }

    def begin(self) -> None:
        """Make the folder, or find that it holds a run that can go on.  Raises Refused."""
        manifest = self.folder / "manifest.json"
        if manifest.exists():
            there = json.loads(manifest.read_text(encoding="utf-8"))["made_by"]
            other = [key for key, value in self.head().items() if there.get(key) != value]
            if other:
                raise Refused(
                    f"{self.folder} holds games that were made with another {', '.join(other)}; "
                    "give a new folder by --out"
                )
        elif self.folder.exists() and any(self.folder.iterdir()):
            raise Refused(f"{self.folder} is not empty and holds no run; give another by --out")
        self.folder.mkdir(parents=True, exist_ok=True)
        write(self.folder / "experiment.toml", self.experiment.source.encode())
        for plan in self.experiment.plans:
            write(self.folder / plan.name, plan.read_bytes())
        self._write_manifest()

    def path(self, cell: Cell, number: int, what: str = "") -> Path:
        """Where the part of a block lies; or, if ``what`` is "forks", where their part does."""
        name = f"{what}-{number:05}" if what else f"{number:05}"
        return self.folder / "parts" / cell.slug / f"{name}.parquet"

    def deals(self, cell: Cell, number: int) -> int:
        """How many deals a block has; the last of a cell may have fewer than the others."""
        many = size(self.experiment, cell)
        return min(many, self.experiment.deals[cell.level] - number * many)

    def missing(self) -> list[tuple[Cell, int]]:
        """The blocks that are still to be played, in order."""
        self.looking.advance()
        return [(cell, n) for cell, n in self.blocks() if not self._complete(cell, n)]

    def blocks(self) -> list[tuple[Cell, int]]:
        """All blocks that count, in order: none beyond where a level ended early."""
        return [(cell, n) for cell, n in numbers(self.experiment) if not self._beyond(cell, n)]

    def _beyond(self, cell: Cell, number: int) -> bool:
        return number >= self.looking.ended.get(cell.level, number + 1)

    def _read(self, cell: Cell, number: int) -> "pl.DataFrame | None":
        """The games of a block, as many as the experiment asks for; None if they are not there."""
        if not self._complete(cell, number):
            return None
        return self._block(cell, number, self.experiment.deals[cell.level])

    def _block(self, cell: Cell, number: int, deals: int) -> "pl.DataFrame":
        """The games of a block among the first deals, with what was traced of them."""
        import polars as pl

        games = pl.read_parquet(self.path(cell, number)).filter(pl.col("deal") < deals)
        trace = self.experiment.trace
        if trace is None:
            return games
        names = trace_columns(sides(self.experiment.game, cell.variant.players), trace)
        path = self.path(cell, number, "trace")
        if not path.exists():
            return games.with_columns(pl.lit(None, pl.Float64).alias(name) for name in names)
        traced = pl.read_parquet(path, columns=["deal", "seating", *names])
        traced = traced.filter(pl.col("deal") < trace.deals)
        return games.join(traced, ["deal", "seating"], "left", maintain_order="left")

    def _complete(self, cell: Cell, number: int) -> bool:
        path = self.path(cell, number)
        if not path.exists():
            return False
        import polars as pl

        try:
            there = pl.scan_parquet(path).select("deal").collect()["deal"].n_unique()
        except (pl.exceptions.PolarsError, OSError):
            return False
        return there >= self.deals(cell, number)

    def play(
        self, threads: int | None = None, progress: Callable[[Cell, int], None] | None = None
    ) -> None:
        """Play what is missing; ``progress`` hears each cell and how many deals were played.

        The run must have begun; whatever is not compiled is compiled on the way.
        """
        began = time.monotonic()
        for cell, number, tables in self._played(self.missing(), threads or os.cpu_count() or 1):
            path = self.path(cell, number)
            path.parent.mkdir(parents=True, exist_ok=True)
            for what in sorted(tables, reverse=True):  # the games last: they make a block complete
                write(self.path(cell, number, what), as_bytes(tables[what]))
            deals = tables[""]["deal"].n_unique()
            self._note(cell=cell.slug, block=number, deals=deals, at=time.monotonic() - began)
            self.looking.advance()
            if progress:
                progress(cell, deals)
        self._throw_away()
        self._write_manifest()

    def _throw_away(self) -> None:
        """Remove what was played beyond where a level ended."""
        for cell, number in numbers(self.experiment):
            if self._beyond(cell, number):
                for what in ("", "forks"):
                    self.path(cell, number, what).unlink(missing_ok=True)

    def _played(
        self, todo: list[tuple[Cell, int]], threads: int
    ) -> "Iterator[tuple[Cell, int, dict[str, pl.DataFrame]]]":
        """The blocks in their order; few are played ahead, so that little waits in memory."""
        wanted = ((cell, number) for cell, number in todo if not self._beyond(cell, number))
        played = in_order(lambda block: parts(self.experiment, *block), wanted, threads)
        for (cell, number), tables in played:
            if not self._beyond(cell, number):
                yield cell, number, tables

    def games(self, cell: Cell) -> "pl.DataFrame":
        """All games of a cell, deal by deal."""
        import polars as pl

        deals = self.looking.deals(cell.level)
        blocks = [self._block(c, n, deals) for c, n in self.blocks() if c == cell]
        return pl.concat(blocks, how="vertical_relaxed")

    def forks(self, cell: Cell) -> "pl.DataFrame | None":
        """The forks of all games of a cell: two rows for each; None if nothing ever matched."""
        return self._beside(cell, "forks", self.looking.deals(cell.level))

    def traces(self, cell: Cell) -> "pl.DataFrame | None":
        """The traces of a cell, a row for each game that ended; None if there are none."""
        trace = self.experiment.trace
        deals = min(trace.deals, self.looking.deals(cell.level)) if trace else 0
        return self._beside(cell, "trace", deals)

    def _beside(self, cell: Cell, what: str, deals: int) -> "pl.DataFrame | None":
        """What lies beside the parts of a cell, of its first deals."""
        import polars as pl

        paths = [self.path(c, n, what) for c, n in self.blocks() if c == cell]
        tables = [pl.read_parquet(path) for path in paths if path.exists()]
        return pl.concat(tables).filter(pl.col("deal") < deals) if tables else None

    def check(self, blocks: int) -> list[str]:
        """What is wrong with the parts: changed since, or not what is played again.

        All parts are compared with the manifest, and ``blocks`` of them, spread over the run, are
        played once more.
        """
        manifest = json.loads((self.folder / "manifest.json").read_text(encoding="utf-8"))
        wrong = []
        for name, digest in manifest["parts"].items():
            path = self.folder / "parts" / name
            if not path.exists():
                wrong.append(f"{name} is missing")
            elif hashlib.sha256(path.read_bytes()).hexdigest() != digest:
                wrong.append(f"{name} is not what the manifest says")
        self.looking.advance()
        every = self.blocks()
        step = max(1, len(every) // max(blocks, 1))
        for cell, number in every[::step][:blocks]:
            for what, table in parts(self.experiment, cell, number).items():
                path = self.path(cell, number, what)
                if path.exists() and path.read_bytes() != as_bytes(table):
                    wrong.append(
                        f"{cell.slug}/{path.name} is not what its games give when played again"
                    )
        return wrong

    def _write_manifest(self) -> None:
        parts = sorted((self.folder / "parts").glob("*/*.parquet"))
        named = {
            f"{part.parent.name}/{part.name}": hashlib.sha256(part.read_bytes()).hexdigest()
            for part in parts
        }
        data = {"made_by": self.head(), "parts": named}
        write(self.folder / "manifest.json", json.dumps(data, indent=1).encode() + b"\n")

    def _note(self, **said: Any) -> None:
        with (self.folder / "journal.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(said) + "\n")


def as_bytes(table: "pl.DataFrame") -> bytes:
    """A table as Parquet: the same bytes for the same table."""
    out = BytesIO()
    table.write_parquet(out, compression="zstd", compression_level=3)
    return out.getvalue()


def write(path: Path, data: bytes) -> None:
    """Write a file so that it is there whole or not at all."""
    beside = path.with_name(path.name + ".part")
    with beside.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)


def _version(package: str) -> str:
    from importlib.metadata import version

    return version(package)
