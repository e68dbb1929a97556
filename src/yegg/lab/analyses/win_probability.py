"""Win probability along a game: everybody's chances, drama, and how much is luck: ``[trace]``.

The chances are those of the coach's curve: of what the game has learned, else of its lore.  First
they are calibrated by games of their own, so that they are neither too bold nor too shy.  Nothing
is told of chances that were not true: in every tenth that was said often enough, what was said and
what came must lie close together.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from yegg.engine import Game, Ints, Refused
from yegg.engine.curve import Curve
from yegg.engine.record import SIDES
from yegg.lab.batch import Matchup
from yegg.lab.cells import Cell, who
from yegg.lab.chances_along import Follower
from yegg.lab.executors.ordered import Once
from yegg.lab.file_schema import struct
from yegg.lab.simulation import run
from yegg.stats.bootstrap import drawn_again
from yegg.stats.calibration import TENTHS, by_tenth
from yegg.stats.intervals import Figure, Section, Sentence, of_kind
from yegg.stats.kinds import Kinds, numbers, parts, shares
from yegg.text.phrases import counted

from .analysis import Analysis, Context, PlayedGames, between
from .kingmakers import KINGMAKER, kingmaker

if TYPE_CHECKING:
    import polars as pl

    from yegg.lab.plots import Panel

Numbers = NDArray[np.float64]

PILOT_SEED = 0x5EED  # tells their dice from those of the experiment
AT_ONCE = 50  # games whose choices are kept in memory
LEAD = 0.02  # who is ahead by less does not lead
SURE = 0.9  # from where on nobody doubts any more
STEPS = 20  # of the winner's curve
SUMS = ("count", "said", "came")  # of a tenth
COLDEST, HOTTEST = 0.1, 4.0
CLEARLY = 1.92  # of log likelihood: a likelihood ratio test at 5 % (Wilks 1938)
GOLDEN = (math.sqrt(5) - 1) / 2
OFTEN, MISS = 200, 0.03  # said so often, a tenth may miss what came by so much
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
"""The columns of a game's trace in words."""
MEANT = numbers(*TOLD) | parts("decided_at", "third_said", "winner_lowest") | shares("third_won")
ALWAYS = ("idle_turns", "traced_turns")  # told whether the chances are true or not
PARTS = ("start", "luck", "skill")
"""What makes a side's share: its first chance, what chance changed, and what all else did."""


def parts_of(sides: int) -> list[str]:
    """The columns of these parts, by side."""
    return [f"{part}_{side}" for part in PARTS for side in range(1, sides + 1)]


OF_CHANCES = frozenset({*TOLD, KINGMAKER, *parts_of(SIDES)} - {*ALWAYS})
"""The columns that are made of chances."""


class TraceTable(msgspec.Struct, frozen=True):
    """The table ``[trace]``, as it is written."""

    deals: Annotated[int, msgspec.Meta(ge=1)] = 1000
    """So many deals of each cell, the first ones."""
    luck: bool = True
    """Whether luck is told from decisions, which looks at all that chance could have done."""
    pilots: Annotated[int, msgspec.Meta(ge=1)] = 400
    """Games by which chances are calibrated."""


class Trace(TraceTable, frozen=True):
    """The table ``[trace]``, checked: games to trace, and the powers that calibrate chances."""

    heats: Once[float] = msgspec.field(default_factory=Once)

    def heat(self, setting: Matchup, known: Callable[[], float] | None = None) -> float:
        """The power that calibrates chances where these players play: ``known``, or found."""
        options = tuple(sorted(setting.options.items()))
        who = setting.players, options, tuple(setting.lineup), tuple(setting.habits)
        key = setting.game.package, *who
        return self.heats.get(key, known or (lambda: fitted(setting, self.pilots)))


@dataclass(frozen=True)
class Tenth:
    """A bin of a calibration: the chances from one tenth to the next."""

    low: float
    count: int
    """How often one was said; every side of a position counts."""
    said: float
    came: float

    @property
    def misses(self) -> bool:
        """Whether the bin holds many chances, and they were not true."""
        return self.count >= OFTEN and abs(self.said - self.came) > MISS


@dataclass(frozen=True)
class TracedCell:
    """Estimates from the traced games of a cell."""

    variant: str
    level: str
    games: int
    heat: float
    """The power by which chances were calibrated."""
    true: bool
    """Whether the chances were true wherever they were said often."""
    tenths: tuple[Tenth, ...]
    figures: dict[str, Figure]
    """Of `TOLD`; without those that chances make, if the chances are not true."""
    luck: Figure | None
    """The variance of what chance changed, as a part of that of the results."""
    winner: tuple[tuple[float, float, float], ...]
    """The winner's chance along the game: the first quarter, the median, the third."""


class WinProbability(Analysis[Trace, TracedCell]):
    """The analysis ``[trace]``: everybody's chances along the games."""

    key = part = "trace"
    data_key = "traces"

    def parse(self, given: Any, context: Context) -> Trace:
        """The table ``[trace]``."""
        return Trace(*msgspec.structs.astuple(struct(TraceTable, given, "trace")))

    def identity(self, spec: Trace) -> object:
        """The table of the file, since traced games depend on all of it."""
        return spec.deals, spec.luck, spec.pilots

    def pilots(self, spec: Trace) -> int:
        """The number of games that calibrate chances."""
        return spec.pilots

    def uncalibrated(self, spec: Trace, settings: Sequence[Matchup]) -> Trace:
        """With chances as they are: they take as long as those that are calibrated."""
        plain = msgspec.structs.replace(spec, heats=Once())
        for setting in settings:
            plain.heat(setting, lambda: 1.0)
        return plain

    def columns(self, spec: Trace, sides: int) -> Kinds:
        """The columns of traced games, of which measures can be made."""
        return {**MEANT, **numbers(KINGMAKER), **(numbers(*parts_of(sides)) if spec.luck else {})}

    def collect(self, spec: Trace, games: PlayedGames) -> "pl.DataFrame | None":
        """A row for each game that ended."""
        heat = spec.heat(games.setting)
        follower = Follower(games.setting, luck=spec.luck)

        def row(_: object, log: Ints, shares: Numbers) -> list[dict[str, Any]]:
            curve = follower.follow(log, len(shares), heat)
            about = {"heat": heat, **summary(curve, shares, follower.movers(log))}
            if spec.luck:
                parts = np.concatenate([curve.start, curve.luck, curve.decisions]).tolist()
                about |= zip(parts_of(len(shares)), parts, strict=True)
            return [about | tenths(curve.points, shares)]

        return games.table(None, row)

    def of_cell(self, game: Game, cell: Cell, table: "pl.DataFrame") -> list[TracedCell]:
        """Estimates from the traces of a cell."""
        tenths = tuple(_tenths(table))
        true = not any(tenth.misses for tenth in tenths)
        by_deal = table.group_by("deal", maintain_order=True).mean()
        figures = {
            name: of_kind(kind, by_deal[name].to_numpy(), len(table))
            for name, kind in MEANT.items()
            if true or name in ALWAYS
        }
        steps = [table[f"winner_{at * 100 // STEPS}"] for at in range(STEPS + 1)]
        winner = [tuple(np.quantile(step, (0.25, 0.5, 0.75)).tolist()) for step in steps]
        head = cell.variant.name, cell.level, len(table), float(table["heat"][0]), true, tenths
        part = luck(table) if true and "luck_1" in table.columns else None
        return [TracedCell(*head, figures, part, tuple(winner) if true else ())]

    def untold(self, estimates: Sequence[TracedCell]) -> Mapping[tuple[str, str], frozenset[str]]:
        """All that is made of chances, where they were not true."""
        return {(one.variant, one.level): OF_CHANCES for one in estimates if not one.true}

    def sentences(self, estimates: Sequence[TracedCell]) -> list[Sentence]:
        """How much is luck; or why nothing is told of chances."""
        sentences = []
        for one in estimates:
            where = between(one, estimates)
            if not one.true:
                missed = [tenth for tenth in one.tenths if tenth.misses]
                worst = max(missed, key=lambda tenth: abs(tenth.said - tenth.came))
                figures = (
                    f"where {100 * worst.said:.0f} % was said, {100 * worst.came:.0f} % came; "
                    "more deals may help, or a better judge"
                )
                sentences.append(Sentence(f"Nothing is told of chances {where}", figures))
            elif one.luck:
                says = f"Luck {where}, as a part of the variance of the results"
                sentences.append(Sentence(says, str(one.luck)))
        return sentences

    def tables(self, game: Game, estimates: Sequence[TracedCell]) -> list[Section]:
        """A table of what was traced, and one of how true the chances were."""
        along = Section("Along the game", ["", "rules", "players", "figure"])
        true = Section(
            "Chances, after calibration",
            ["rules", "players", "said", "came", "how often"],
            note=f"said {OFTEN} times or more, they may miss by {100 * MISS:.0f} points",
        )
        for one in estimates:
            cell = one.variant, one.level
            along.rows += [[TOLD[name], *cell, figure] for name, figure in one.figures.items()]
            if one.luck:
                along.rows.append(["luck: variance of results", *cell, one.luck])
            true.rows += [
                [*cell, f"{100 * tenth.said:.1f} %", f"{100 * tenth.came:.1f} %", tenth.count]
                for tenth in one.tenths
                if tenth.count
            ]
        return [along, true] if estimates else []

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
        said = "Chances are the coach's, with all that is hidden known; games of their own "
        said += "calibrated them, and they are told only where they missed by 3 points at most."
        return [said] if estimates else []


def _tenths(table: "pl.DataFrame") -> Iterator[Tenth]:
    for at in range(TENTHS):
        sums = [float(table[f"{what}_{at}"].sum()) for what in SUMS]
        count = max(sums[0], 1)
        yield Tenth(at / TENTHS, round(sums[0]), sums[1] / count, sums[2] / count)


def luck(table: "pl.DataFrame", seed: int = 0) -> Figure | None:
    """The part of the results' variance that is due to chance; None if results do not vary.

    It may be above 1: players take back some of bad luck.  The interval is that of deals drawn
    again (the percentile bootstrap).
    """
    at = table["deal"].rank("dense").to_numpy().astype(int) - 1
    sums = []  # by side (5, deals): games, and sums of luck, its square, the result and its square
    for side in range(1, 1 + sum(name.startswith("luck_") for name in table.columns)):
        x = table[f"luck_{side}"].to_numpy()
        y = table[f"start_{side}"].to_numpy() + x + table[f"skill_{side}"].to_numpy()
        sums.append([np.bincount(at, v) for v in (np.ones_like(x), x, x * x, y, y * y)])
    deals = at.max() + 1
    weights = drawn_again(deals, DRAWS, seed)
    count, x, xx, y, yy = (np.array(sums)[:, moment] @ weights.T for moment in range(5))
    chance, result = (xx - x * x / count).sum(axis=0), (yy - y * y / count).sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        part = np.where(result > 0, chance / result, np.nan)
    if np.isnan(part[1:]).all():
        return None
    low, high = np.nanquantile(part[1:], (0.025, 0.975)).tolist()
    return Figure(float(part[0]), low, high)


def summary(game: Curve, shares: Numbers, movers: Sequence[int] = ()) -> dict[str, Any]:
    """The columns from the curve of a game; ``shares`` are those of the win that came.

    ``movers``: by turn, which seat is to choose.

    Drama is that of Browne ("Automatic generation and evaluation of recombination games", 2008):
    how far behind the winner was, where it was, as a mean of square roots.
    """
    p, n = game.points, len(game.points)
    won = p[:, shares > 0].max(axis=1)
    behind = p.max(axis=1) - won
    trailed = behind > 0
    unsure = np.flatnonzero(won <= SURE)
    third = p[n // 3]
    steps = np.linspace(0, n - 1, STEPS + 1)
    curve = np.interp(steps, np.arange(n), won)
    return {
        "drama": float(np.sqrt(behind[trailed]).mean()) if trailed.any() else 0.0,
        "lead_changes": lead_changes(p),
        "decided_at": float((unsure[-1] + 1) / n) if len(unsure) else 0.0,
        "idle_turns": int(game.turns[1]),
        "traced_turns": int(game.turns[0]),
        "third_said": float(third.max()),
        "third_won": float(shares[third == third.max()].mean()),
        "winner_lowest": float(won[n // 2 :].min()),
        KINGMAKER: kingmaker(p, shares, movers),
        **{f"winner_{at * 100 // STEPS}": float(value) for at, value in enumerate(curve)},
    }


def lead_changes(p: Numbers) -> int:
    """How often another side leads than the one that led last; nobody leads by a hair."""
    order = np.sort(p, axis=1)
    clear = order[:, -1] - order[:, -2] >= LEAD
    leaders = p.argmax(axis=1)[clear]
    return int((leaders[1:] != leaders[:-1]).sum())


def tenths(p: Numbers, shares: Numbers) -> dict[str, Any]:
    """The columns of a game's calibration, of which `_tenths` makes that of all games."""
    sums = zip(SUMS, by_tenth(p, shares).tolist(), strict=True)
    return {f"{what}_{at}": value for what, row in sums for at, value in enumerate(row)}


def fitted(setting: Matchup, pilots: int) -> float:
    """The power under which the results of some games are likeliest."""
    setting = replace(setting, seed=setting.seed ^ PILOT_SEED, lots=False)
    follower = Follower(setting, luck=False)
    games: list[tuple[Numbers, Numbers]] = []
    for first in range(0, pilots, AT_ONCE):
        batch = run(setting, first, min(AT_ONCE, pilots - first), log=True)
        shares = batch.shares
        for game in np.flatnonzero(batch.over).tolist():
            log = batch.log[game, : batch.lengths[game]]
            points = follower.follow(log, shares.shape[1], 1.0).points
            games.append((points, shares[game]))
    if not games:
        raise Refused("no game came to its end, so chances cannot be calibrated")
    return likeliest(games)


def likeliest(games: list[tuple[Numbers, Numbers]]) -> float:
    """The power that makes what came likeliest, 1 if none clearly does; every game counts once.

    ``games`` have their points and what came.  Found by golden sections: the likelihood has one
    peak, since its logarithm is concave.
    """
    logs = np.log(np.maximum(np.concatenate([points for points, _ in games]), 1e-12))
    many = [len(points) for points, _ in games]
    came = np.repeat([shares for _, shares in games], many, axis=0)
    weights = np.repeat([1 / n for n in many], many)
    hit = (logs * came).sum(axis=1)

    def doubt(heat: float) -> float:
        return float(weights @ (np.log(np.exp(heat * logs).sum(axis=1)) - heat * hit))

    low, high = COLDEST, HOTTEST
    while high - low > 1e-4:
        left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
        low, high = (low, right) if doubt(left) < doubt(right) else (left, high)
    heat = round((low + high) / 2, 4)
    return heat if doubt(1.0) - doubt(heat) > CLEARLY else 1.0
