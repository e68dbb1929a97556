"""What is measured of every game: expressions over its columns, and what a report calls them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from yegg.engine import Refused
from yegg.lab.game_frame import parsed
from yegg.text.phrases import offered

if TYPE_CHECKING:
    import polars as pl

KEYS = ("of", "parts", "title", "fair")
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
    for name, said in (given or {name: name for name in columns}).items():
        entry = said if isinstance(said, dict) else {"of": said}
        for key in entry:
            if key not in KEYS:
                raise Refused(f"measure.{name} has no key {key!r}; {offered(key, KEYS)}")
        title = str(entry.get("title", _titled(name)))
        for part, expression in _parts(name, entry).items():
            if not isinstance(expression, str):
                raise Refused(f"measure.{name}: write an expression over columns, in quotes")
            parsed(expression, list(known), f"measure.{part}")
            if part in measures:
                raise Refused(f"two measures are called {part!r}")
            measures[part] = expression
            whole = name if part != name else ""
            fair, bounded = _fair(name, entry, counts), _bounded(expression, known)
            shown[part] = Shown(title, fair, whole, bounded)
    return measures, shown


def _parts(name: str, entry: Mapping[str, Any]) -> dict[str, Any]:
    """The expressions of a measure: one under its own name, or one for each of its parts."""
    parts = entry.get("parts")
    if parts is None and "of" in entry:
        return {name: entry["of"]}
    if not isinstance(parts, dict) or not parts or "of" in entry:
        raise Refused(f'measure.{name} has either of = "…" or parts = {{ name = "…" }}')
    return {f"{name}: {part}": said for part, said in parts.items()}


def _fair(name: str, entry: Mapping[str, Any], counts: Sequence[int]) -> float | None:
    """What the file says is fair; for a seat's share of the win, the same for all seats."""
    fair = entry.get("fair")
    if fair is None and (own := _own(name)) and own[0] != "score":
        return 1 / counts[0] if len(set(counts)) == 1 and counts[0] > 1 else None
    if fair is not None and (isinstance(fair, bool) or not isinstance(fair, int | float)):
        raise Refused(f"measure.{name}: fair is a number")
    return fair


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
    means = [pl.col(name).filter(pl.col("over")).mean() for name in measures]
    known = [
        pl.col(name).filter(pl.col("over")).count().alias(f"{name} is known") for name in measures
    ]
    shares = [
        pl.col(name).filter(pl.col("over")).is_between(0, 1).all().alias(f"{name} is a share")
        for name in measures
    ]
    whole = [
        pl.col(name).filter(pl.col("over")).is_in([0.0, 1.0]).all().alias(f"{name} is yes or no")
        for name in measures
    ]
    return (
        games.with_columns(asked)
        .group_by("deal", maintain_order=True)
        .agg(
            *means,
            *known,
            *shares,
            *whole,
            pl.len().alias("games"),
            pl.col("over").sum().alias("finished"),
        )
    )
