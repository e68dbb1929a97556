"""Findings of a run: figures with their intervals, differences deal by deal, and tested claims.

The unit is the deal: one number for each, whatever the number of its games, since games of one
deal depend on each other and deals do not.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from yegg.lab.analyses.analysis import Analysis
from yegg.lab.analyses.analysis import to_dict as plain
from yegg.lab.analyses.registry import ANALYSES
from yegg.lab.analyses.seat_trends import Seats, Trend, seats, trends
from yegg.lab.analyses.seat_trends import to_dict as seats_to_dict
from yegg.lab.cells import Cell
from yegg.players.judges import Judge, fallbacks, judges
from yegg.stats.claims import UNFINISHED, Answer, verdict
from yegg.stats.intervals import Apart, Figure, as_value
from yegg.stats.kinds import Kind
from yegg.stats.p_values import holm, step_up
from yegg.text.phrases import grouped

from .checksums import checksum
from .deal_table import DealTable
from .early_stopping import EarlyStopping
from .runs import Run
from .schema import Claim, Experiment
from .spreads import Spread

if TYPE_CHECKING:
    import polars as pl

Verdict = Answer | Literal["no claim"]


@dataclass(frozen=True)
class Measured:
    """One measure in one cell."""

    variant: str
    level: str
    measure: str
    figure: Figure
    deals: int
    games: int
    unfinished: int
    known: int
    """The games that have a value: those of the figure and its interval."""

    @property
    def counted(self) -> int | str:
        """How many games count, as a table has it: ``412 of 2 000`` where not all have a value."""
        whole = self.known == self.games
        return self.games if whole else f"{grouped(self.known)} of {grouped(self.games)}"


@dataclass(frozen=True)
class Difference:
    """A variant less another, by the same players over the same deals."""

    measure: str
    level: str
    left: str
    right: str
    figure: Apart
    p: float
    """How often chance alone would make a difference as large as this."""
    saved: float | None
    """How many times more games it would take with other deals for each variant."""


@dataclass(frozen=True)
class Tested:
    """A claim about one level of players, and its answer."""

    claim: Claim
    level: str
    difference: Difference
    corrected: float
    """The p-value, corrected for all claims of the file, as its ``correction`` says."""
    answer: Verdict
    why: str = ""


@dataclass(frozen=True)
class Findings:
    """All findings of a run."""

    experiment: Experiment
    measured: tuple[Measured, ...]
    differences: tuple[Difference, ...]
    """Of every variant from the first one; described, not tested."""
    tested: tuple[Tested, ...]
    estimates: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    """By key of an analysis that the file asks for: what it found."""
    ended: Mapping[str, int] = field(default_factory=dict)
    """By level that ended before its sample did: after how many deals."""
    seats: tuple[Seats, ...] = ()
    """Whether all seats win alike, by cell."""
    trends: tuple[Trend, ...] = ()
    """How the first seat fares from level to level, by variant."""
    spreads: tuple[Spread, ...] = ()
    """How each mean's measure spreads over games, by cell."""

    def is_share(self, measure: str) -> bool:
        """Whether a measure is told in percent, and its differences in points."""
        return self.experiment.shown[measure].kind.percent

    def title(self, measure: str) -> str:
        """What a measure is called."""
        return self.experiment.called(measure)

    def of(self, key: str) -> Sequence[Any]:
        """The estimates of an analysis; none if it was not asked for."""
        return self.estimates.get(key, ())

    @property
    def analyses(self) -> list[tuple[Analysis[Any, Any], Any, Sequence[Any]]]:
        """Each analysis that was asked for, its table in the file, and its estimates."""
        return [(one, spec, self.of(one.key)) for one, spec in self.experiment.asked]


def findings(run: Run) -> Findings:
    """The findings of a complete run."""
    experiment = run.experiment
    run.early_stopping.advance()
    estimates: dict[str, Sequence[Any]] = {}
    untold: dict[tuple[str, str], frozenset[str]] = {}
    for analysis, spec in experiment.asked:
        frames = run.frames(analysis, spec)
        estimates[analysis.key] = analysis.estimate(spec, experiment.game, frames)
        untold |= analysis.untold(estimates[analysis.key])

    def reading(cell: Cell, deals: range) -> "pl.DataFrame":
        games = run.between(cell, deals)
        hidden = untold.get((cell.variant.name, cell.level), frozenset())
        return without(games, hidden) if hidden else games

    cells = {cell: run.early_stopping.deals(cell.level) for cell in experiment.cells}
    deals = DealTable(experiment, reading, cells)
    by_level: dict[str, dict[str, Cell]] = {}
    for cell in cells:
        by_level.setdefault(cell.level, {})[cell.variant.name] = cell
    measured = _measured(experiment, deals)
    differences = []
    for name in experiment.measures:
        for variants in by_level.values():
            first, *others = variants.values()
            differences += [
                difference(name, deals, other, first, first.variant.name) for other in others
            ]
    return Findings(
        experiment,
        measured,
        tuple(differences),
        tuple(tested(experiment, by_level, deals, measured, run.early_stopping)),
        estimates,
        {level: run.early_stopping.deals(level) for level in run.early_stopping.ended},
        tuple(seats(deals)),
        tuple(trends(deals)),
        tuple(deals.spreads.every()),
    )


def without(games: "pl.DataFrame", hidden: frozenset[str]) -> "pl.DataFrame":
    """Games without the columns that may not be told."""
    import polars as pl

    names = [name for name in games.columns if name in hidden]
    return games.with_columns(pl.lit(None, pl.Float64).alias(name) for name in names)


def _measured(experiment: Experiment, deals: DealTable) -> tuple[Measured, ...]:
    """Every measure in every cell; a part of something in each game is no share of games."""
    figures = []
    for name in experiment.measures:
        kind = experiment.shown[name].kind
        for cell in deals.deals:
            numbers, count = deals.numbers(cell, name), deals.count(cell)
            known = deals.known(cell, name)
            most = known if kind is Kind.SHARE else math.inf
            figure = numbers.share(most) if kind.percent else numbers.average()
            games, left = count.games, count.games - count.finished
            who = cell.variant.name, cell.level
            figures.append(Measured(*who, name, figure, count.deals, games, left, known))
    return tuple(figures)


def difference(
    name: str, deals: DealTable, left: Cell, right: Cell | float, other: str
) -> Difference:
    """One variant less another over the deals that both finished, or less a number."""
    if isinstance(right, Cell):
        apart, saved = deals.apart(name, left, right)
    else:
        apart, saved = deals.numbers(left, name).less(right), None
    figure = apart.apart(percent=deals.experiment.shown[name].kind.percent)
    return Difference(name, left.level, left.variant.name, other, figure, apart.p(), saved)


def tested(
    experiment: Experiment,
    by_level: dict[str, dict[str, Cell]],
    deals: DealTable,
    measured: Sequence[Measured],
    early_stopping: EarlyStopping,
) -> list[Tested]:
    """Every claim at every level, corrected for how many there are.

    Where a level may end early, its intervals and p-values are those that one may look at.
    """
    differences = []
    capitals = []
    for at, claim in enumerate(experiment.claims):
        by_known_level = {
            level: variants
            for level, variants in by_level.items()
            if deals.known(variants[claim.left], claim.measure)
        }
        for level, variants in (by_known_level or by_level).items():
            right = variants[claim.right] if claim.number is None else claim.number
            seen = early_stopping.watched[level][at]
            apart = difference(claim.measure, deals, variants[claim.left], right, claim.right)
            if experiment.samples[level].until:
                low, high = seen.interval.low, seen.interval.high
                apart = replace(apart, figure=replace(apart.figure, low=low, high=high), p=seen.p)
            differences.append((claim, level, apart))
            capitals.append(seen.evidence.capital)
    p_values = [apart.p for _, _, apart in differences]
    if experiment.correction == "e-bh":  # Wang and Ramdas 2022; evidence against, turned over
        p_values = [math.exp(-max(capital, 0.0)) for capital in capitals]
    corrected = (holm if experiment.correction == "holm" else step_up)(p_values)
    answers = []
    for (claim, level, apart), p in zip(differences, corrected, strict=True):
        why = _unclaimed(claim, level, measured)
        answer: Verdict = "no claim"
        if not why:
            answer = verdict(float(p), apart.figure.low, apart.figure.high, claim.margin)
        answers.append(Tested(claim, level, apart, float(p), answer, why))
    return answers


def _unclaimed(claim: Claim, level: str, measured: Sequence[Measured]) -> str:
    """Why nothing can be claimed: games were stopped, or nothing was measured; "" if it can."""
    cells = [
        one
        for one in measured
        if (one.level, one.measure) == (level, claim.measure)
        and one.variant in {claim.left, claim.right}
    ]
    for one in cells:
        if one.unfinished > UNFINISHED * one.games:
            return (
                f"{grouped(one.unfinished)} of {grouped(one.games)} games of {one.variant} did "
                "not end, and they might have changed the answer"
            )
        if math.isnan(one.figure.value):
            return f"nothing is told of it in the games of {one.variant}"
    return ""


def judged(experiment: Experiment) -> list[tuple[str, list[Judge | None]]]:
    """By what each player judges, in the order of the variants; several where these differ."""
    playing = experiment.playing
    by = [
        judges(experiment.of(one), playing, one.players, dict(one.options))
        for one in experiment.variants
    ]
    return [(name, list(dict.fromkeys(each[name] for each in by))) for name in playing]


def told_fallbacks(experiment: Experiment) -> list[str]:
    """Sentences about players who do without the net of a game; or none."""
    playing = experiment.playing.values()
    return [said for game in experiment.games for said in fallbacks(game, playing)]


def to_dict(found: Findings) -> dict[str, Any]:
    """All figures, for `yegg lab run --json`; docs/lab.md describes the keys."""
    experiment = found.experiment
    return {
        "question": experiment.question,
        "game": experiment.game.name,
        "version": experiment.game.version,
        "games": [{"name": game.name, "version": game.version} for game in experiment.games],
        "decks": [
            {"name": deck.name, "file": deck.path.name, "sha256": checksum(deck.data)}
            for deck in experiment.decks
        ],
        "seed": experiment.seed,
        "judges": {name: one[0] if len(one) == 1 else one for name, one in judged(experiment)},
        "judged": experiment.judged,
        "fallbacks": told_fallbacks(experiment),
        "measures": dict(experiment.measures),
        "figures": [
            {
                **{key: getattr(one, key) for key in ("variant", "level", "measure")},
                **as_value(one.figure),
                "share": one.figure.percent,
                **{key: getattr(one, key) for key in ("deals", "games", "unfinished", "known")},
            }
            for one in found.measured
        ],
        "differences": [_apart(one) for one in found.differences],
        "claims": [
            {
                "claim": str(one.claim),
                "level": one.level,
                "answer": one.answer,
                "why": one.why or None,
                "margin": one.claim.margin,
                "p_corrected": one.corrected,
                "difference": _apart(one.difference),
            }
            for one in found.tested
        ],
        **{one.data_key: one.to_dict(found.of(one.key)) for one in ANALYSES},
        "seats": [seats_to_dict(one) for one in found.seats],
        "trends": plain(found.trends),
        "spreads": plain(found.spreads),
    }


def _apart(one: Difference) -> dict[str, Any]:
    return {
        **{key: getattr(one, key) for key in ("measure", "level", "left", "right")},
        **as_value(one.figure),
        "p": one.p,
        "saved": one.saved,
    }
