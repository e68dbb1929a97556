"""The result of tuning: the closest setting, and those that cannot be told apart from it.

All figures are of the last deals, which no setting had met when it was chosen, so the luck that
helped to choose it is not in them.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, Literal

import numpy as np

from yegg.lab.analyses.measures import by_deal
from yegg.lab.cells import Variant, among
from yegg.lab.experiment.findings import Findings
from yegg.lab.experiment.runs import Run
from yegg.stats.bootstrap import means_again
from yegg.stats.claims import UNFINISHED
from yegg.stats.intervals import Figure, Section, Z, brackets, finite
from yegg.stats.p_values import Floats
from yegg.text.phrases import capital, counted, listing

from .halving import Round
from .schema import Target, Tuning, loss, named


@dataclass(frozen=True)
class Measured:
    """A setting that was left in the end, over the last deals."""

    name: str
    variant: Variant
    """As the last run has it, with its rank."""
    figures: tuple[Figure, ...]
    """What was measured, target by target."""
    loss: float
    low: float
    high: float
    """How far it misses all targets together: between these, as far as the figures tell."""
    apart: tuple[float, float]
    """Its loss less that of the closest."""
    answer: Literal["closest", "open", "farther", "unfinished"]

    @property
    def called(self) -> str:
        """The setting in words, without its rank."""
        return self.variant.called.partition(": ")[2]


@dataclass(frozen=True)
class Closest:
    """The result of a search: the settings left in the end, measured."""

    tuning: Tuning
    rounds: tuple[Round[Variant], ...]
    left: tuple[Measured, ...]
    """The search's choice first."""
    found: Findings
    """Of the last run."""

    @property
    def best(self) -> Measured:
        """The closest setting: the search's choice, unless another is clearly closer."""
        return next((one for one in self.left if one.answer == "closest"), self.left[0])

    @property
    def as_good(self) -> list[Measured]:
        """The settings that cannot be told apart from it."""
        return [one for one in self.left if one.answer == "open"]


def closest(tuning: Tuning, rounds: Sequence[Round[Variant]], run: Run, found: Findings) -> Closest:
    """Read the last run of a search; ``found`` are its findings."""
    targets, cells = tuning.targets, run.experiment.cells
    values, unfinished = [], []
    for cell in cells:
        rows = by_deal(run.games(cell), run.experiment.measures, run.experiment.shown)
        values.append(rows.select(target.name for target in targets).to_numpy())
        unfinished.append(1 - int(rows["finished"].sum()) / int(rows["games"].sum()))
    best, aparts = compared(loss(targets, means_again(np.stack(values, axis=1).astype(float))))
    figures = {(one.variant, one.measure): one.figure for one in found.measured}
    left = []
    for at, cell in enumerate(cells):
        by_target = tuple(figures[cell.variant.name, target.name] for target in targets)
        ends = [
            one.within(*wide)
            for one, wide in zip(targets, widened(targets, by_target), strict=True)
        ]
        answer: Any = "closest" if at == best else "farther" if aparts[at][0] > 0 else "open"
        means = np.array([figure.value for figure in by_target])
        left.append(
            Measured(
                named(tuning.point(cell.variant)),
                cell.variant,
                by_target,
                float(loss(targets, means)),
                sum(low for low, _ in ends),
                sum(high for _, high in ends),
                aparts[at],
                "unfinished" if unfinished[at] > UNFINISHED else answer,
            )
        )
    return Closest(tuning, tuple(rounds), tuple(left), found)


def compared(losses: Floats) -> tuple[int, list[tuple[float, float]]]:
    """Which setting is closest, and what the others' losses less its own may be.

    ``losses`` (draws, settings) are those of a bootstrap.  It is the first, the search's choice,
    unless others are clearly closer; then the closest of them.
    """
    tail = 0.025 / max(losses.shape[1] - 1, 1)

    def apart(at: int, other: int) -> tuple[float, float]:
        both = losses[:, at] - losses[:, other]
        both = both[np.isfinite(both)]
        if not both.size:
            return math.nan, math.nan
        low, high = np.quantile(both, (tail, 1 - tail))
        return float(low), float(high)

    closer = [at for at in range(1, losses.shape[1]) if apart(at, 0)[1] < 0]
    best = min(closer, key=lambda at: float(np.median(losses[:, at])), default=0)
    return best, [apart(at, best) for at in range(losses.shape[1])]


def widened(targets: Sequence[Target], figures: Sequence[Figure]) -> list[tuple[float, float]]:
    """Intervals that hold together in 95 % of runs, for as many targets as there are."""
    times = NormalDist().inv_cdf(1 - 0.025 / len(targets)) / Z
    intervals = []
    for target, figure in zip(targets, figures, strict=True):
        low = figure.value - times * (figure.value - figure.low)
        high = figure.value + times * (figure.high - figure.value)
        intervals.append((max(low, 0.0), min(high, 1.0)) if target.share else (low, high))
    return intervals


def answer(closest: Closest) -> str:
    """The result of the search in one sentence."""
    best, tuning = closest.best, closest.tuning
    if best.answer == "unfinished":
        return f"Nothing is said: games of {best.called} did not end."
    figures = [
        f"{target.title} {figure} (wanted {target.wanted()})"
        for target, figure in zip(tuning.targets, best.figures, strict=True)
    ]
    return f"Closest is {best.called}: {listing(figures)}."


def sentences(closest: Closest) -> list[tuple[str, str]]:
    """The findings: a head and its figures for each."""
    best, left, as_good = closest.best, closest.left, closest.as_good
    missed = {one.name: closest.tuning.missed(one.figures) for one in left}
    what = listing(missed[best.name]) if missed[best.name] else "no target"
    says = f"It clearly misses {what}"
    if all(missed.values()):
        says = "Every setting that was left clearly misses a target"
    head = f"{says}, as far as {counted(closest.tuning.final, 'deal')} tell."
    where = capital(among(closest.found.measured[0].level))
    ends = brackets(best.low, best.high, ".1f")
    far = f"{best.called} is off by {best.loss:.1f} {ends}"
    findings = [(head, f"{where} {far}, counted as below.")]
    if best is not left[0]:
        head = f"The search had chosen {left[0].called}, which is clearly farther off."
        findings.append((head, f"It is off by {left[0].loss:.1f} over the last deals."))
    if as_good:
        names = "; ".join(one.called for one in as_good)
        many = "One other setting" if len(as_good) == 1 else f"{len(as_good)} other settings"
        head = f"{many} cannot be told apart from {best.called}."
        figures = f"{capital(shared(closest, [best, *as_good]))} They are: {names}."
        findings.append((head, figures))
    elif len(left) > 1:
        findings.append((f"None of the other {len(left) - 1} that were left is as close.", ""))
    return findings


def shared(closest: Closest, some: Sequence[Measured]) -> str:
    """Values that settings have in common: by option, which of all that were tried."""
    every = [closest.tuning.point(one.variant) for one in some]
    few, any_of = [], []
    for name, values in closest.tuning.axes.items():
        theirs = [value for value in values if any(one[name] == value for one in every)]
        if len(theirs) < len(values):
            few.append(f"{name} is {listing(theirs, 'or')} (of {len(values)} values)")
        elif len(values) > 1:
            any_of.append(name)
    said = f"in all of them {listing(few)}" if few else "they have no value in common"
    if any_of:
        said += f"; {listing(any_of)} may have any value"
    return f"{said}."


def method(closest: Closest) -> list[str]:
    """How it was searched, and how a miss is counted."""
    tuning, rounds = closest.tuning, closest.rounds
    tried = len(rounds[0].tried) if rounds else 1
    games = f"{counted(tried, 'setting')} of {tuning.many}"
    if tuning.search == "optuna":
        how = f"Optuna proposed {games}; the best were halved over other deals"
    else:
        how = (
            f"{games} played some deals, and the better half went on over others, about twice as "
            "many, until one was left"
        )
    counts = [
        f"{target.title}, {_unit(target)}"
        + (f", times {target.weight:g}" if target.weight != 1 else "")
        for target in tuning.targets
    ]
    fresh = (
        f"The {counted(len(closest.left), 'setting')} that stayed longest then played "
        f"{counted(tuning.final, 'fresh deal')} each, the same for all. Only these deals are told "
        "of: whoever wins a search was lucky in it, too."
    )
    apart = (
        "A miss lies between what the intervals of its figures allow, widened so that they hold "
        "together. Settings are told apart deal by deal (bootstrap, corrected for their number)."
    )
    counting = f"A miss is counted in hundredths: {listing(counts)}; the misses are added."
    return [f"{how}.", counting, fresh, apart]


def _unit(target: Target) -> str:
    if target.share:
        return "in points"
    return "in its own hundredths" if not target.value else f"in hundredths of {target.value:g}"


def table(closest: Closest) -> Section:
    """The settings that were left: what was measured, how far they are off, and the answer."""
    titles = [f"{target.title} ({target.wanted()})" for target in closest.tuning.targets]
    section = Section(
        f"What was left in the end, over {counted(closest.tuning.final, 'fresh deal')} each",
        ["setting", *titles, "off by", "farther by", "answer"],
    )
    for one in closest.left:
        off = _cell(one.loss, (one.low, one.high))
        apart: Any = _cell(one.loss - closest.best.loss, one.apart, "+")
        if one is closest.best:
            apart = ""
        section.rows.append([one.variant.called, *one.figures, off, apart, WORDS[one.answer]])
    return section


WORDS = {
    "closest": "closest",
    "open": "cannot be told apart",
    "farther": "farther off",
    "unfinished": "games did not end",
}


def _cell(value: float, ends: tuple[float, float], sign: str = "") -> dict[str, Any]:
    """A number with its interval as a cell of a table."""
    low, high = ends
    known = all(map(math.isfinite, (value, low, high)))
    said = f"{sign}.1f"
    text = f"{value:{said}} {brackets(low, high, said)}" if known else "–"
    return {"value": finite(value), "interval": [finite(low), finite(high)], "text": text}


def to_dict(closest: Closest) -> dict[str, Any]:
    """For `yegg lab tune --json`, under ``search``; docs/lab-tuning.md describes the keys."""
    tuning = closest.tuning
    return {
        "search": tuning.search,
        "settings": tuning.many,
        "axes": {name: list(values) for name, values in tuning.axes.items()},
        "targets": [
            {"measure": t.name, "of": t.of, t.way: t.value, "weight": t.weight}
            for t in tuning.targets
        ],
        "rounds": [
            {
                "settings": len(one.tried),
                "deals": len(one.deals),
                "best": one.tried[0].setting.name,
                "loss": finite(one.tried[0].loss),
            }
            for one in closest.rounds
        ],
        "best": closest.best.name,
        "left": [
            {
                "setting": one.name,
                "players": one.variant.players,
                "options": dict(one.variant.options),
                "loss": finite(one.loss),
                "interval": [finite(one.low), finite(one.high)],
                "apart": [finite(end) for end in one.apart],
                "answer": one.answer,
            }
            for one in closest.left
        ],
    }


def median(played: Round[Variant]) -> float:
    """The loss of the middle setting of a round."""
    losses = [one.loss for one in played.tried]
    return losses[len(losses) // 2] if losses else math.nan
