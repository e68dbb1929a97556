"""What chances along games say: whether they were true, drama, and how much is luck: ``[trace]``.

Nothing is told of chances that were not true: in every tenth that was said often enough, what was
said and what came must lie close together.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from yegg.engine import Game
from yegg.engine.record import SIDES
from yegg.lab.batch import Setting
from yegg.lab.cells import Cell
from yegg.lab.executors.ordered import Once
from yegg.lab.file_schema import struct
from yegg.lab.player_names import who
from yegg.lab.sentence import Sentence
from yegg.stats.intervals import Figure, Section, average
from yegg.stats.sequential_tests import as_value
from yegg.text.phrases import counted

from .analysis import Analysis, Context, PlayedGames
from .win_probability import STEPS, TENTHS, Trace, TraceTable, trace_columns, traced

if TYPE_CHECKING:
    import polars as pl

    from yegg.lab.plots import Panel

Numbers = NDArray[np.float64]

OFTEN = 200  # said so often, a tenth must be true
MISS = 0.03  # what said and came may differ by
DRAWS = 1000  # how often games are drawn again
TOLD = {
    "drama": "drama",
    "lead_changes": "changes of the lead",
    "decided_at": "decided at (part of the game)",
    "third_won": "who leads at a third wins",
    "third_said": "what the chances said of that",
    "winner_lowest": "the winner's lowest chance in the second half",
    "idle_turns": "turns without a choice",
    "traced_turns": "turns",
}
ALWAYS = ("idle_turns", "traced_turns")  # told whether the chances are true or not
OF_CHANCES = frozenset(
    [name for name in TOLD if name not in ALWAYS]
    + [f"{what}_{side}" for what in ("start", "luck", "skill") for side in range(1, SIDES + 1)]
)
"""The columns that are made of chances."""


@dataclass(frozen=True)
class Tenth:
    """The chances from one tenth to the next."""

    low: float
    count: int
    """How often one was said; every side of a position counts."""
    said: float
    came: float

    @property
    def misses(self) -> bool:
        """Whether it was said often, and not true."""
        return self.count >= OFTEN and abs(self.said - self.came) > MISS


@dataclass(frozen=True)
class TracedCell:
    """How the traced games of a cell went."""

    variant: str
    level: str
    games: int
    heat: float
    """The power by which chances were calibrated."""
    tenths: tuple[Tenth, ...]
    figures: dict[str, Figure]
    """Of `TOLD`; without those that chances make, if the chances are not true."""
    luck: Figure | None
    """The variance of what chance changed, as a part of that of the results."""
    winner: tuple[tuple[float, float, float], ...]
    """The winner's chance along the game: the first quarter, the median, the third."""

    @property
    def true(self) -> bool:
        """Whether the chances were true wherever they were said often."""
        return not any(tenth.misses for tenth in self.tenths)


class WinProbability(Analysis[Trace, TracedCell]):
    """Everybody's chances along the games."""

    key = part = "trace"
    data_key = "traces"

    def parse(self, given: Any, context: Context) -> Trace:
        """The table ``[trace]``."""
        return Trace(**msgspec.structs.asdict(struct(TraceTable, given, "trace")))

    def deals(self, spec: Trace) -> int:
        """As many as the file says."""
        return spec.deals

    def pilots(self, spec: Trace) -> int:
        """Those that calibrate chances."""
        return spec.pilots

    def uncalibrated(self, spec: Trace, settings: Sequence[Setting]) -> Trace:
        """With chances as they are: they take as long as those that are calibrated."""
        plain = replace(spec, heats=Once())
        for setting in settings:
            plain.heat(setting, lambda: 1.0)
        return plain

    def columns(self, spec: Trace, sides: int) -> list[str]:
        """What measures can be made of where games are traced."""
        return trace_columns(sides, spec)

    def collect(self, spec: Trace, games: PlayedGames) -> "pl.DataFrame | None":
        """A row for each game that ended."""
        return traced(games, spec)

    def estimate(
        self, spec: Trace, game: Game, frames: "Mapping[Cell, pl.DataFrame]"
    ) -> list[TracedCell]:
        """What the traces of each cell say."""
        return [of_cell(cell, table) for cell, table in frames.items()]

    def untold(self, estimates: Sequence[TracedCell]) -> Mapping[tuple[str, str], frozenset[str]]:
        """All that is made of chances, where they were not true."""
        return {(one.variant, one.level): OF_CHANCES for one in estimates if not one.true}

    def as_data(self, estimates: Sequence[TracedCell]) -> list[dict[str, Any]]:
        """Each cell with its figures and its tenths."""
        return [
            {
                **{key: getattr(one, key) for key in ("variant", "level", "games", "heat", "true")},
                "tenths": [
                    {key: getattr(tenth, key) for key in ("low", "count", "said", "came")}
                    for tenth in one.tenths
                ],
                "figures": {name: as_value(figure) for name, figure in one.figures.items()},
                "luck": as_value(one.luck) if one.luck else None,
                "winner": [list(step) for step in one.winner],
            }
            for one in estimates
        ]

    def sentences(self, estimates: Sequence[TracedCell]) -> list[Sentence]:
        """How much is luck; or why nothing is told of chances."""
        sentences = []
        several = len({one.variant for one in estimates}) > 1
        for one in estimates:
            where = f"between {one.level} players" + (f" ({one.variant})" if several else "")
            if not one.true:
                worst = max(
                    (tenth for tenth in one.tenths if tenth.misses),
                    key=lambda tenth: abs(tenth.said - tenth.came),
                )
                figures = (
                    f"where {100 * worst.said:.0f} % was said, {100 * worst.came:.0f} % came; "
                    "more deals may help, or a better judge"
                )
                sentences.append(Sentence(f"Nothing is told of chances {where}", figures))
            elif one.luck:
                says = f"Luck {where}, as a part of the variance of the results"
                around = f"[{one.luck.low:.2f}, {one.luck.high:.2f}]"
                sentences.append(Sentence(says, f"{one.luck.value:.2f} {around}"))
        return sentences

    def tables(self, game: Game, estimates: Sequence[TracedCell]) -> list[Section]:
        """A table of what was traced, and one of how true the chances were."""
        if not estimates:
            return []
        along = Section("Along the game", ["", "rules", "players", "figure"])
        true = Section(
            "Chances, after calibration",
            ["rules", "players", "said", "came", "how often"],
            note=f"said {OFTEN} times or more, they may miss by {100 * MISS:.0f} points",
        )
        for one in estimates:
            for name, figure in one.figures.items():
                along.rows.append([TOLD[name], one.variant, one.level, figure])
            if one.luck:
                along.rows.append(["luck: variance of results", one.variant, one.level, one.luck])
            for tenth in one.tenths:
                if tenth.count:
                    said, came = f"{100 * tenth.said:.1f} %", f"{100 * tenth.came:.1f} %"
                    true.rows.append([one.variant, one.level, said, came, tenth.count])
        return [along, true]

    def panels(self, game: Game, estimates: Sequence[TracedCell]) -> "Iterable[Panel]":
        """The winner's chances along the game, wherever chances were true."""
        from yegg.lab.plots import Panel, curve

        for at, one in enumerate(estimates, 1):
            if one.winner:
                last = len(one.winner) - 1
                points = [(step / last, *three) for step, three in enumerate(one.winner)]
                section = Section(
                    f"The winner's chance, {one.variant}, {who(one.level)}",
                    ["part of the game", "a quarter below", "half below", "three quarters below"],
                    [[f"{100 * part:.0f} %" for part in point] for point in points[::2]],
                )
                title = f"How long it stays open: {one.variant}, {who(one.level)}"
                says = (
                    f"The chance of whoever wins in the end, along {counted(one.games, 'game')}: "
                    "the line is the median, the shade holds the middle half."
                )
                draw = partial(curve, points, "the winner's chance")
                yield Panel(f"course-{at}", title, says, draw, section)

    def method(self, spec: Trace, estimates: Sequence[TracedCell]) -> list[str]:
        """Whose chances they are, and when they are told."""
        said = (
            "Chances are the coach's, with all that is hidden known; games of their own calibrated "
            "them, and they are told only where they missed by 3 points at most."
        )
        return [said] if estimates else []


def of_cell(cell: Cell, table: "pl.DataFrame") -> TracedCell:
    """What the traces of a cell say."""
    tenths = tuple(_tenths(table))
    true = not any(tenth.misses for tenth in tenths)
    figures = {
        name: average(by_deal(table, name), percent=name in {"third_won", "third_said"})
        for name in TOLD
        if true or name in ALWAYS
    }
    steps = [table[f"winner_{at * 100 // STEPS}"].to_numpy() for at in range(STEPS + 1)]
    winner = [tuple(np.quantile(step, (0.25, 0.5, 0.75)).tolist()) for step in steps]
    return TracedCell(
        cell.variant.name,
        cell.level,
        len(table),
        float(table["heat"][0]),
        tenths,
        figures,
        luck(table) if true and "luck_1" in table.columns else None,
        tuple(winner) if true else (),
    )


def by_deal(table: "pl.DataFrame", name: str) -> Numbers:
    """The mean of a column in each deal."""
    deals = table.group_by("deal", maintain_order=True).mean()[name]
    found: Numbers = deals.to_numpy()
    return found


def _tenths(table: "pl.DataFrame") -> list[Tenth]:
    made = []
    for at in range(TENTHS):
        count, said, came = (
            float(table[f"{what}_{at}"].sum()) for what in ("count", "said", "came")
        )
        many = max(count, 1)
        made.append(Tenth(at / TENTHS, round(count), said / many, came / many))
    return made


def luck(table: "pl.DataFrame", seed: int = 0) -> Figure:
    """What part of the results' variance chance's changes have, over all sides.

    It may be above 1: what players do against bad luck takes some of it back.  The interval is
    that of deals drawn again (the percentile bootstrap).
    """
    sides = sum(name.startswith("luck_") for name in table.columns)
    deals = table["deal"].rank("dense").to_numpy().astype(int) - 1
    rows = [_moments(table, side, deals) for side in range(1, sides + 1)]
    sums = np.stack(rows)  # (sides, moments, deals)
    again = np.random.default_rng(seed).multinomial(
        sums.shape[2], np.full(sums.shape[2], 1 / sums.shape[2]), DRAWS
    )
    weights = np.vstack([np.ones(sums.shape[2], int), again])
    count, x, xx, y, yy = (sums[:, at] @ weights.T for at in range(5))
    chance = (xx - x * x / count).sum(axis=0)
    result = (yy - y * y / count).sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        part = np.where(result > 0, chance / result, np.nan)
    low, high = np.nanquantile(part[1:], (0.025, 0.975)).tolist()
    return Figure(float(part[0]), low, high)


def _moments(table: "pl.DataFrame", side: int, deals: NDArray[np.int64]) -> Numbers:
    """(5, deals): how many games, and sums of luck, its square, the result and its square."""
    x = table[f"luck_{side}"].to_numpy()
    y = table[f"start_{side}"].to_numpy() + x + table[f"skill_{side}"].to_numpy()
    return np.stack([np.bincount(deals, v) for v in (np.ones_like(x), x, x * x, y, y * y)])
