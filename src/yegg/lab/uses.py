"""What is told of the rules that are used: which clauses apply, which choices are made."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from yegg.engine import Game
from yegg.engine.figures import Figure, Section, average
from yegg.engine.prose import counted, listing

from .clauses import CLAUSE, WORD, numbers
from .evidence import Floats, as_value

if TYPE_CHECKING:
    import polars as pl

    from .experiment import Cell


@dataclass(frozen=True)
class Use:
    """What is used in a cell."""

    variant: str
    level: str
    games: int
    what: str
    """``clause`` or ``word``."""
    name: str
    times: Figure
    """How often a game, on average."""
    could: Figure
    """At how many decisions of a game it could be chosen; of a clause the same as ``times``."""
    share: float
    """In what share of the games it was used at all."""


def uses(game: Game, tables: "dict[Cell, pl.DataFrame | None]") -> list[Use]:
    """What each cell used: the clauses in the order of the rules, then words, most used first."""
    made = []
    for cell, table in tables.items():
        if table is not None:
            made += _uses(game, cell, table)
    return made


def _uses(game: Game, cell: "Cell", table: "pl.DataFrame") -> list[Use]:
    import polars as pl

    games = table.select("deal", "seating").unique(maintain_order=True)
    made = []
    for (what, name), part in table.group_by("what", "name", maintain_order=True):
        there = games.join(part, ["deal", "seating"], "left", maintain_order="left").fill_null(0)
        by_deal = there.group_by("deal", maintain_order=True).agg(
            pl.col("times").cast(pl.Float64).mean(), pl.col("could").cast(pl.Float64).mean()
        )
        times, could = _mean(by_deal["times"].to_numpy()), _mean(by_deal["could"].to_numpy())
        share = float((there["times"] > 0).mean() or 0.0)  # type: ignore[arg-type]
        who = cell.variant.name, cell.level, len(games)
        made.append(Use(*who, str(what), str(name), times, could, share))
    order = {name: at for at, name in enumerate(numbers(game))}
    made.sort(key=lambda use: (use.what, order.get(use.name, 0), -use.times.value, use.name))
    return made


def _mean(counts: Floats) -> Figure:
    """A mean of counts, whose interval goes not below 0."""
    figure = average(counts)
    return Figure(figure.value, max(0.0, figure.low), figure.high)


def unused(game: Game, found: Sequence[Use]) -> list[str]:
    """The clauses that applied in no game of any cell."""
    applied = {use.name for use in found if use.what == CLAUSE}
    return [name for name in numbers(game) if name not in applied]


def findings_of(found: Sequence[Use]) -> list[str]:
    """What could be chosen and never was, in sentences; one for each cell where there is any."""
    sentences = []
    cells = list(dict.fromkeys((use.variant, use.level, use.games) for use in found))
    several = len({variant for variant, *_ in cells}) > 1
    for variant, level, games in cells:
        never = [
            use.name
            for use in found
            if (use.variant, use.level) == (variant, level)
            and use.what == WORD
            and not use.times.value
        ]
        if never:
            who = f"between {level} players" + (f" ({variant})" if several else "")
            said = f"could be chosen, and never was, in {counted(games, 'game')} {who}"
            sentences.append(f"What {said}: {listing(never)}.")
    return sentences


def sections(game: Game, found: Sequence[Use]) -> list[Section]:
    """A table of clauses and one of words."""
    if not found:
        return []
    left = unused(game, found)
    clauses = Section(
        "Clauses that apply",
        ["", "rules", "players", "a game", "in so many games"],
        note=(
            f"never: {', '.join(left)}. Clauses that no position asks about, as those of setting "
            "up, are always among them."
            if left
            else "each clause applied in some game"
        ),
    )
    words = Section(
        "Choices by their first word",
        ["", "rules", "players", "could be chosen, a game", "was chosen", "in so many games"],
    )
    for use in found:
        head, share = [use.name, use.variant, use.level], f"{100 * use.share:.0f} %"
        if use.what == CLAUSE:
            clauses.rows.append([*head, use.times, share])
        else:
            words.rows.append([*head, use.could, use.times, share])
    return [clauses, words]


def as_data(found: Sequence[Use]) -> list[dict[str, Any]]:
    """What was used, for `--json`."""
    return [
        {
            **{key: getattr(one, key) for key in ("variant", "level", "games", "what", "name")},
            "times": as_value(one.times),
            "could": as_value(one.could),
            "share": one.share,
        }
        for one in found
    ]
