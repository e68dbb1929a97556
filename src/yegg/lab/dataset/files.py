"""The files of a dataset, written as its games come: none is ever half there."""

import os
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Self

from yegg.engine import Refused
from yegg.files import PART, replacing, write_atomic
from yegg.lab import simulation
from yegg.lab.batch import Matchup
from yegg.lab.game_frame import of_the_extra
from yegg.text.json_writer import as_json

from .card import Facts, card
from .tables import Tables, Teller

if TYPE_CHECKING:
    import polars as pl

EACH = 100_000  # decisions of a file, at least; the game that reaches them is its last
LEVEL, ROWS = 3, 1_000  # of compression; of games that are written at a time
CARD, FACTS, GAMES = "README.md", "dataset.json", "games.parquet"
LACKING = 'datasets need polars: install yegg with its extra `lab` (pip install "yegg[lab]")'
DECISIONS = "decisions-{:05}.parquet"


class Writer:
    """Writes a dataset into a new folder; when it is closed, all files are whole."""

    def __init__(self, teller: Teller, games: int, folder: Path) -> None:
        """For so many ``games``.  Raises Refused if the folder holds something."""
        with of_the_extra(LACKING):
            import polars  # noqa: F401, ICN001
        if folder.exists() and any(folder.iterdir()):
            raise Refused(f"{folder} is not empty; name another folder by --out")
        folder.mkdir(parents=True, exist_ok=True)
        self.teller, self.folder = teller, folder
        self.facts = Facts.of(teller, games)
        self.waiting: list[Tables] = []
        self.files = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_why: object) -> None:
        self.close()

    def run(
        self,
        setting: Matchup,
        games: int,
        *,
        threads: int | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> None:
        """Play the games, and write them; the same on any number of ``threads``.

        ``progress`` is called with the number of games done.
        """
        threads = threads or os.cpu_count() or 1
        most = max(1, min(simulation.AT_ONCE, -(-games // (4 * threads))))
        every, done = [range(games)], 0
        for tables in simulation.in_pieces(setting, self.teller.tables, every, threads, most=most):
            self.add(tables)
            done += len(tables.games)
            if progress:
                progress(done)

    def add(self, tables: Tables) -> None:
        """Take the next games; every `EACH` decisions there is a file more."""
        for one in tables.cut(EACH - self._waits(), EACH):
            self.waiting.append(one)
            if self._waits() >= EACH:
                self.flush()

    def _waits(self) -> int:
        """How many decisions are not written yet."""
        return sum(len(one.decisions) for one in self.waiting)

    def flush(self) -> None:
        """Write what waits."""
        import polars as pl

        games = pl.concat([one.games for one in self.waiting])
        decisions = pl.concat([one.decisions for one in self.waiting], rechunk=False)
        write_atomic(self._part(self.files), as_bytes(games))
        write_atomic(self.folder / DECISIONS.format(self.files), as_bytes(decisions))
        facts = self.facts.more(len(games), len(decisions))
        self.waiting, self.files, self.facts = [], self.files + 1, facts  # no Ctrl-C in between
        self._tell()

    def close(self) -> None:
        """Write what still waits, and all games into one file."""
        import polars as pl

        if self.waiting:
            self.flush()
        parts = [self._part(i) for i in range(self.files)]
        if parts:
            with replacing(self.folder / GAMES) as part:
                pl.scan_parquet(parts).sink_parquet(
                    part, compression_level=LEVEL, row_group_size=ROWS
                )
        self._tell()
        for stray in self.folder.glob(f".*{PART}"):
            stray.unlink()

    def _part(self, file: int) -> Path:
        """Where the games wait whose decisions are in a file."""
        return self.folder / f".games-{file:05}{PART}"

    def _tell(self) -> None:
        """Write what the dataset is, for programs and for people."""
        write_atomic(self.folder / FACTS, as_json(self.facts.data, indent=1).encode() + b"\n")
        write_atomic(self.folder / CARD, card(self.facts).encode())


def as_bytes(table: "pl.DataFrame") -> bytes:
    """A table as Parquet: the same bytes for the same table."""
    out = BytesIO()
    table.write_parquet(out, compression="zstd", compression_level=LEVEL)
    return out.getvalue()
