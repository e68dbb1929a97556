"""What hangs on decisions, told of the turns that were weighed: see `choices`."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from yegg.engine.figures import Figure, Section, Z, average, proportion
from yegg.engine.prose import percent

from .choices import CLOSE, NOTHING, WORSE
from .evidence import Floats, as_value
from .sentence import Sentence

if TYPE_CHECKING:
    import polars as pl

    from .experiment import Cell

TOLD = {
    "meaningful": "several choices are good, others are mistakes",
    "slight": "several choices are good, none is a mistake",
    "one": "one choice is best",
    "nothing": "it does not matter what is chosen",
    "unsure": "may look as it does by chance",
    "offered": "choices at a decision",
    "spread": "what the worst choice costs",
    "empty": "turns without a choice",
    "dead": "turns in which nothing hangs on a choice",
}
SHORT = {"meaningful": "good and bad", "slight": "all good", "one": "one best", "nothing": "equal"}
"""The four kinds of decisions, where there is little room."""
OF = {"empty": "turns", "dead": "turns"}  # what a share is a part of; else of decisions
MEANS = ("offered",)  # not a share of anything


@dataclass(frozen=True)
class Stakes:
    """What hangs on the decisions of a cell."""

    variant: str
    level: str
    turns: int
    decisions: int
    """How many were weighed, in so many turns."""
    figures: dict[str, Figure]
    """Of `TOLD`."""


def stakes(tables: "dict[Cell, pl.DataFrame | None]") -> list[Stakes]:
    """What the weighed turns of each cell say."""
    return [_stakes(cell, table) for cell, table in tables.items() if table is not None]


def _stakes(cell: "Cell", table: "pl.DataFrame") -> Stakes:
    import polars as pl

    table = table.with_columns(empty=pl.col("decisions") == 0, turns=pl.lit(1))
    sums = table.group_by("deal", maintain_order=True).sum()
    by_deal = {name: sums[name].cast(pl.Float64).to_numpy() for name in sums.columns}
    figures = {}
    for name in TOLD:
        parts, of = by_deal[name], by_deal[OF.get(name, "decisions")]
        figures[name] = ratio(parts, of, share=name not in MEANS)
    return Stakes(cell.variant.name, cell.level, len(table), int(table["decisions"].sum()), figures)


def ratio(parts: Floats, of: Floats, *, share: bool) -> Figure:
    """The sum of some parts over that of what they are parts of, both by deal.

    Its error is that of a ratio of sums (Cochran 1977, 6.3); a share has Wilson's interval for as
    many decisions as it varies like.
    """
    whole = float(of.sum())
    if not whole:
        return average([], percent=share)
    value, n = float(parts.sum()) / whole, len(parts)
    off = parts - value * of
    error = float(np.sqrt((off**2).sum() * n / max(n - 1, 1))) / whole
    if not share:
        return Figure(value, value - Z * error, value + Z * error)
    varies = value * (1 - value)
    like = varies / error**2 if error and varies else float(n)
    many = max(1, round(like))
    return proportion(value * many, many)


def findings_of(found: Sequence[Stakes]) -> list[Sentence]:
    """What the weighed turns say, in sentences."""
    sentences = []
    where = len({one.variant for one in found}) > 1
    for one in found:
        who = f"between {one.level} players" + (f" ({one.variant})" if where else "")
        if one.decisions:
            figures = (
                f"{one.figures['meaningful']} of {one.decisions} decisions; "
                f"{percent(one.figures['unsure'].value)} of all may look as they do by chance"
            )
            says = f"Several choices are good and others are mistakes, {who}"
            sentences.append(Sentence(says, figures))
        dead = one.figures["dead"]
        says = f"Nothing hangs on a choice, {who}"
        sentences.append(Sentence(says, f"{dead} of {one.turns} turns"))
    return sentences


def sections(found: Sequence[Stakes]) -> list[Section]:
    """A table of what was weighed."""
    if not found:
        return []
    section = Section(
        "What hangs on a choice, as the coach sees it",
        ["", "rules", "players", "weighed", "figure"],
        note=(
            f"good: within {100 * CLOSE:.0f} points of the best; a mistake: at least "
            f"{100 * WORSE:.0f} points worse; nothing: within {100 * NOTHING:.0f} point"
        ),
    )
    for one in found:
        for name, figure in one.figures.items():
            weighed = one.turns if OF.get(name) else one.decisions
            section.rows.append([TOLD[name], one.variant, one.level, weighed, figure])
    return [section]


def as_data(found: Sequence[Stakes]) -> list[dict[str, Any]]:
    """What was weighed, for `--json`."""
    return [
        {
            **{key: getattr(one, key) for key in ("variant", "level", "turns", "decisions")},
            "figures": {name: as_value(figure) for name, figure in one.figures.items()},
        }
        for one in found
    ]


def bars(one: Stakes) -> list[tuple[str, Figure]]:
    """The four kinds of decisions, which make a whole."""
    return [(said, one.figures[name]) for name, said in SHORT.items()]
