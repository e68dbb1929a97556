"""Measures of an experiment: expressions over the columns of each game, and their titles."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

import msgspec
import numpy as np

from yegg.engine import Refused
from yegg.lab.file_schema import struct
from yegg.lab.game_frame import parsed
from yegg.lab.usual_measures import Asked, asked
from yegg.stats.kinds import Kind, Kinds
from yegg.stats.p_values import Floats
from yegg.stats.usual import Usual

if TYPE_CHECKING:
    import polars as pl

ROUNDED = 1e-6  # what the sum of shares of seats may be off
SEAT, BOT = re.compile(r"^(share|score)_(\d+)$"), re.compile(r"^share_of_(\w+)$")
EXPRESSION = re.compile(r">=|<=|!=|<>|[<>=+*/()]")
SAID = {
    ">": " above ",
    "<": " below ",
    "=": " is ",
    "!=": " is not ",
    "<>": " is not ",
    ">=": " at least ",
    "<=": " at most ",
    "+": " and ",
    "*": " times ",
    "/": " for each ",
}
"""Operators in words, for a measure whose name is its expression."""
OWN = {"share": "share of the win, seat", "score": "score, seat", "share_of": "share of the win,"}


@dataclass(frozen=True)
class Shown:
    """How a report shows a measure."""

    title: str
    kind: Kind = Kind.NUMBER
    fair: float | None = None
    """The value that is marked in its plot."""
    whole: str = ""
    """The measure that it is a part of; parts are drawn as one bar."""
    named: str = ""
    """The usual question that it asks, where the file names one instead of an expression."""


class MeasureTable(msgspec.Struct):
    """An entry of ``[measure]`` that is more than an expression."""

    of: str | None = None
    parts: dict[str, str] = {}
    title: str | None = None
    kind: Literal["number", "share", "part"] | None = None
    """What the expression is, or all parts are, where it is not a column or a question."""
    fair: float | None = None


def measured(
    given: Any,
    known: Kinds,
    counts: Sequence[int],
    usual: Sequence[str] = (),
    named: Mapping[str, Usual] = MappingProxyType({}),
) -> tuple[dict[str, str], dict[str, Shown]]:
    """The measures of a file's ``[measure]`` by name, each tried on its columns.  Raises Refused.

    ``known`` are the kinds of the columns, ``counts`` the numbers of players of all variants.
    Without any measure there are the ``usual`` columns, or each seat's share of the win.  In the
    place of an expression may stand the name of a usual question, of those in ``named``.
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
        question = asked(table.of, named, known, where) if table.of else None
        said = str(table.of) if question else ""
        if question:
            table = _filled(table, question)
        parts = {f"{name}: {part}": of for part, of in table.parts.items()}
        for part, expression in (parts or {name: str(table.of)}).items():
            parsed(expression, list(known), f"measure.{part}")
            if part in measures:
                raise Refused(f"two measures are called {part!r}")
            measures[part] = expression
            shown[part] = Shown(
                table.title or _titled(name, named),
                Kind(table.kind) if table.kind else kind_of(expression, known),
                _fair(name, counts) if table.fair is None else table.fair,
                name if parts else "",
                said,
            )
    return measures, shown


def _filled(table: MeasureTable, question: Asked) -> MeasureTable:
    """An entry that names a usual question, with its expressions; what it says itself stays."""
    return msgspec.structs.replace(
        table,
        of=question.of or None,
        parts=dict(question.parts),
        title=table.title or question.title,
        kind=table.kind or (question.kind.value if question.kind else None),
    )


def _fair(name: str, counts: Sequence[int]) -> float | None:
    """What is fair if the file does not say: of a share of the win, the same for all seats."""
    own = _own(name)
    alone = len(set(counts)) == 1 and counts[0] > 1
    return 1 / counts[0] if own and own[0] != "score" and alone else None


def _titled(name: str, usual: Mapping[str, Usual]) -> str:
    """What a measure without a title is called: ``share of the win, seat 1``.

    One that is called by its expression is called as the usual question that it is, or by words
    in place of operators.
    """
    own = _own(name)
    if own:
        return f"{OWN[own[0]]} {own[1]}"
    if EXPRESSION.search(name):
        name = next((one.title for one in usual.values() if name == one.of and one.title), name)
        name = EXPRESSION.sub(lambda at: SAID.get(at[0], " "), name)
    return " ".join(name.replace("_", " ").split())


def _own(name: str) -> tuple[str, str] | None:
    """Whose share or score a column is: ``("share", "1")``, ``("share_of", "medium")``."""
    if seat := SEAT.match(name):
        return seat[1], seat[2]
    bot = BOT.match(name)
    return ("share_of", bot[1].replace("_", " ")) if bot else None


def kind_of(said: str, known: Kinds) -> Kind:
    """The kind of an expression that declares none: a column's, or a share if it is a question."""
    import polars as pl

    if said.strip() in known:
        return known[said.strip()]
    empty = pl.DataFrame({name: [0, 1] for name in known})
    asked = empty.select(pl.sql_expr(said).alias("measure")).dtypes[0] == pl.Boolean
    return Kind.SHARE if asked else Kind.NUMBER


def by_game(games: "pl.DataFrame", said: str) -> Floats:
    """An expression in each finished game; NaN where it has no value or a column is lacking."""
    import polars as pl

    ended = games.filter(pl.col("over"))
    if set(pl.sql_expr(said).meta.root_names()) - {*ended.columns}:
        return np.full(0, np.nan)
    value = ended.select(pl.sql_expr(said).cast(pl.Float64).alias("value"))["value"]
    return value.fill_null(float("nan")).to_numpy()


def by_deal(
    games: "pl.DataFrame", measures: Mapping[str, str], shown: Mapping[str, Shown]
) -> "pl.DataFrame":
    """A row for each deal: the mean of every measure over its finished games that have one.

    A column that these games lack, as of a third seat where two play, has no value in them.
    Raises Refused for a measure that is no share of anything, though it is declared as one.
    """
    import polars as pl

    read = {root for said in measures.values() for root in pl.sql_expr(said).meta.root_names()}
    games = games.with_columns(
        pl.lit(None, pl.Float64).alias(name) for name in sorted(read - {*games.columns})
    )
    asked = []
    for name, said in measures.items():
        value = pl.sql_expr(said).cast(pl.Float64)
        asked.append(pl.when(value.is_finite()).then(value).alias(name))  # x / 0 is no value
    columns = [pl.len().alias("games"), pl.col("over").sum().alias("finished")]
    games = games.with_columns(asked)
    for name in measures:
        ended = pl.col(name).filter(pl.col("over"))
        columns += [ended.mean(), ended.count().alias(f"{name} is known")]
        if shown[name].kind.percent:
            _check_share(name, games.select(ended.min().alias("least"), ended.max().alias("most")))
    return games.group_by("deal", maintain_order=True).agg(columns)


def _check_share(name: str, ends: "pl.DataFrame") -> None:
    """Raise Refused if a measure left 0 to 1 in a game, whose ends these are."""
    for end in ends.row(0):
        if end is not None and not -ROUNDED <= end <= 1 + ROUNDED:
            raise Refused(
                f"measure.{name} is declared as a share and is {end:g} in a game; a share lies "
                'from 0 to 1, so write kind = "number"'
            )
