"""Measures of an experiment: expressions over the columns of each game, and their titles."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from yegg.engine import Refused
from yegg.lab.file_schema import struct
from yegg.lab.game_frame import parsed

if TYPE_CHECKING:
    import polars as pl

SEAT, BOT = re.compile(r"^(share|score)_(\d+)$"), re.compile(r"^share_of_(\w+)$")
KINDS = {"share": "share of the win, seat", "score": "score, seat", "share_of": "share of the win,"}


@dataclass(frozen=True)
class Shown:
    """How a report shows a measure."""

    title: str
    fair: float | None = None
    """The value that is marked in its plot."""
    whole: str = ""
    """The measure that it is a part of; parts are drawn as one bar."""
    bounded: bool = False
    """Whether it lies from 0 to 1 in every game, whatever is played."""


class MeasureTable(msgspec.Struct):
    """An entry of ``[measure]`` that is more than an expression."""

    of: str | None = None
    parts: dict[str, str] = {}
    title: str | None = None
    fair: float | None = None


def measured(
    given: Any, known: Sequence[str], counts: Sequence[int], usual: Sequence[str] = ()
) -> tuple[dict[str, str], dict[str, Shown]]:
    """The measures of a file's ``[measure]`` by name, each tried on its columns.  Raises Refused.

    ``known`` are the columns, ``counts`` the numbers of players of all variants.  Without any
    measure there are the ``usual`` columns, or each seat's share of the win.
    """
    if not isinstance(given, dict):
        raise Refused("measure is a table of keys and values")
    columns = usual or [f"share_{seat}" for seat in range(1, max(counts) + 1)]
    measures: dict[str, str] = {}
    shown: dict[str, Shown] = {}
    for name, entry in (given or {name: name for name in columns}).items():
        where = f"measure.{name}"
        if not isinstance(entry, str | dict):
            raise Refused(f"{where}: write an expression over columns, in quotes")
        table = struct(MeasureTable, {"of": entry} if isinstance(entry, str) else entry, where)
        if (table.of is None) == (not table.parts):
            raise Refused(f'{where} has either of = "…" or parts = {{ name = "…" }}')
        parts = {f"{name}: {part}": of for part, of in table.parts.items()}
        for part, expression in (parts or {name: str(table.of)}).items():
            parsed(expression, list(known), f"measure.{part}")
            if part in measures:
                raise Refused(f"two measures are called {part!r}")
            measures[part] = expression
            shown[part] = Shown(
                table.title or _titled(name),
                _fair(name, counts) if table.fair is None else table.fair,
                name if parts else "",
                _bounded(expression, known),
            )
    return measures, shown


def _fair(name: str, counts: Sequence[int]) -> float | None:
    """What is fair if the file does not say: of a share of the win, the same for all seats."""
    own = _own(name)
    alone = len(set(counts)) == 1 and counts[0] > 1
    return 1 / counts[0] if own and own[0] != "score" and alone else None


def _titled(name: str) -> str:
    """What a measure without a title is called: ``share of the win, seat 1``."""
    own = _own(name)
    return f"{KINDS[own[0]]} {own[1]}" if own else name.replace("_", " ")


def _own(name: str) -> tuple[str, str] | None:
    """Whose share or score a column is: ``("share", "1")``, ``("share_of", "medium")``."""
    if seat := SEAT.match(name):
        return seat[1], seat[2]
    bot = BOT.match(name)
    return ("share_of", bot[1].replace("_", " ")) if bot else None


def _bounded(said: str, known: Sequence[str]) -> bool:
    """Whether an expression is a question, answered by yes or no, or somebody's share."""
    import polars as pl

    empty = pl.DataFrame({name: [0, 1] for name in known})
    asked = empty.select(pl.sql_expr(said).alias("measure")).dtypes[0] == pl.Boolean
    return asked or (said in known and said.startswith("share_"))


def by_deal(games: "pl.DataFrame", measures: Mapping[str, str]) -> "pl.DataFrame":
    """A row for each deal: the mean of every measure over its finished games that have one."""
    import polars as pl

    asked = [pl.sql_expr(said).cast(pl.Float64).alias(name) for name, said in measures.items()]
    columns = [pl.len().alias("games"), pl.col("over").sum().alias("finished")]
    for name in measures:
        ended = pl.col(name).filter(pl.col("over"))
        columns += [
            ended.mean(),
            ended.count().alias(f"{name} is known"),
            ended.is_between(0, 1).all().alias(f"{name} is a share"),
            ended.is_in([0.0, 1.0]).all().alias(f"{name} is yes or no"),
        ]
    return games.with_columns(asked).group_by("deal", maintain_order=True).agg(columns)
