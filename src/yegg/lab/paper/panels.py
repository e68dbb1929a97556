"""The plots of a report, each with the figures behind it: which kind shows which measure."""

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from yegg.engine.figures import Figure, Section, proportion
from yegg.engine.prose import counted
from yegg.lab.clauses import CLAUSE, WORD
from yegg.lab.effects import apart, asked
from yegg.lab.evidence import finite
from yegg.lab.experiment import Experiment
from yegg.lab.findings import Findings, Measured
from yegg.lab.says import capital, is_share, who
from yegg.lab.stakes import bars
from yegg.lab.stakes import sections as weighed
from yegg.lab.uses import sections as used

from . import plots
from .plots import Mark

if TYPE_CHECKING:
    import altair as alt

MANY_ROWS = 12  # more variants are sorted by value
MANY_LEVELS = 4  # as many as there are colours


@dataclass(frozen=True)
class Panel:
    """A plot, and the table of its figures."""

    key: str
    """Names it in the page: letters, digits and hyphens."""
    title: str
    says: str
    """What is drawn, for those who do not see it."""
    draw: "Callable[..., alt.TopLevelMixin]"
    """Draws it, with ``narrow=True`` for a narrow page."""
    table: Section


def panels(found: Findings) -> list[Panel]:
    """All plots of a report, in the order of the file's measures."""
    parts = _measures, _forks, _courses, _stakes, _uses
    return list(itertools.chain.from_iterable(part(found) for part in parts))


def _courses(found: Findings) -> Iterator[Panel]:
    """The winner's chances along the game, wherever chances were true."""
    for at, one in enumerate(found.courses, 1):
        if one.winner:
            last = len(one.winner) - 1
            points = [(step / last, *three) for step, three in enumerate(one.winner)]
            section = Section(
                f"The winner's chance, {one.variant}, {who(one.level)}",
                ["part of the game", "a quarter below", "half below", "three quarters below"],
                [[_percent(part) for part in point] for point in points[::2]],
            )
            title = f"How long it stays open: {one.variant}, {who(one.level)}"
            says = (
                f"The chance of whoever wins in the end, along {counted(one.games, 'game')}: "
                "the line is the median, the shade holds the middle half."
            )
            draw = partial(plots.curve, points, "the winner's chance")
            yield Panel(f"course-{at}", title, says, draw, section)


def _stakes(found: Findings) -> Iterator[Panel]:
    """What hangs on decisions: a bar for each cell."""
    marks = [
        Mark(f"{one.variant}, {who(one.level)}", figure.value, figure.low, figure.high, kind)
        for one in found.stakes
        if one.decisions
        for kind, figure in bars(one)
    ]
    if marks:
        says = (
            "The decisions that the coach weighed: several choices are good and others are "
            "mistakes; several are good and none is a mistake; one is best; all are equal."
        )
        draw = partial(plots.stacked, marks, "share of decisions")
        (section,) = weighed(found.stakes)
        yield Panel("choices", "What hangs on a choice", says, draw, section)


def _uses(found: Findings) -> Iterator[Panel]:
    """In what share of a cell's games each clause applied, and each word was chosen."""
    cells = dict.fromkeys((use.variant, use.level) for use in found.uses)
    for at, (variant, level) in enumerate(cells, 1):
        some = [use for use in found.uses if (use.variant, use.level) == (variant, level)]
        heads = (CLAUSE, "Which clauses apply"), (WORD, "What is chosen")
        for section, (what, head) in zip(used(found.experiment.game, some), heads, strict=True):
            shares = [(one, proportion(one.share * one.games, one.games)) for one in some]
            marks = [
                Mark(one.name, share.value, share.low, share.high, lit=not share.value)
                for one, share in shares
                if one.what == what
            ]
            if marks:
                note = f"; {section.note}" if section.note else ""
                draw = partial(plots.caterpillar, marks, "share of games", share=True, fair=None)
                yield Panel(
                    f"{what}s-{at}",
                    f"{head}: {variant}, {who(level)}",
                    f"{head}, in what share of {counted(some[0].games, 'game')}; filled: in none.",
                    draw,
                    replace(section, title=section.title + note),
                )


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _forks(found: Findings) -> Iterator[Panel]:
    """What the choices of each fork are worth: those that are clear are lit."""
    for at, fork in enumerate(dict.fromkeys(one.fork for one in found.effects), 1):
        some = [one for one in found.effects if one.fork == fork]
        cells = {(one.variant, one.level) for one in some}
        marks = []
        section = Section(
            f"{fork}: {asked(some[0])}",
            ["choice", "forks", "effect", "adjusted p", "answer"],
        )
        for one in some:
            where = f" ({one.variant}, {who(one.level)})" if len(cells) > 1 else ""
            if one.answer == "few":
                row = [one.choice + where, one.forks, "", "", "too few forks"]
            else:
                figure, lit = one.figure, one.answer == "clear"
                marks.append(
                    Mark(one.choice + where, figure.value, figure.low, figure.high, lit=lit)
                )
                row = [one.choice + where, one.forks, points(figure), p_value(one.corrected)]
                row.append(one.answer)
            section.rows.append(row)
        if marks:
            title = f"What it is worth: {fork}"
            draw = partial(plots.caterpillar, marks, "share of the win", share=True)
            says = (
                f"{counted(len(marks), 'choice')}, each taken and not taken with the same dice; "
                "filled where it is clear."
                if not some[0].offer
                else f"{counted(len(marks), 'card')}, each once as it came and once replaced by "
                "the next; filled where it is clear."
            )
            yield Panel(f"fork-{at}", title, says, draw, section)


def points(figure: Figure) -> dict[str, Any]:
    """A difference of shares as a cell of a table."""
    interval = [finite(figure.low), finite(figure.high)]
    return {"value": finite(figure.value), "interval": interval, "text": apart(figure)}


def p_value(p: float) -> str:
    """A p-value as a table has it."""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def _measures(found: Findings) -> Iterator[Panel]:
    """A plot for each measure; one for all parts of a whole, at each level of players."""
    shown = found.experiment.shown
    drawn: set[str] = set()
    for at, name in enumerate(shown, 1):
        some = [one for one in found.measured if one.measure == name]
        whole = shown[name].whole
        if not whole:
            yield _measure(found, f"plot-{at}", some)
        elif whole not in drawn:
            drawn.add(whole)
            yield from _whole(found, f"plot-{at}", whole)


def _measure(found: Findings, key: str, some: Sequence[Measured]) -> Panel:
    """A measure in all cells."""
    experiment = found.experiment
    name = some[0].measure
    shown, share = experiment.shown[name], is_share(found, name)
    levels = list(dict.fromkeys(one.level for one in some))
    grid = _grid(experiment)
    marks = [_mark(one, one.variant, who(one.level)) for one in some]
    kind: Callable[..., alt.TopLevelMixin]
    if len(levels) == 1 and grid:
        kind, marks = plots.heat, [_mark(one, *grid[one.variant]) for one in some]
        draw = partial(kind, marks, "", share=share)
    else:
        kind = plots.dots
        if len(experiment.variants) == 1 and len(levels) > 1:
            kind, marks = plots.ladder, [_mark(one, who(one.level), "") for one in some]
        elif len(levels) > MANY_LEVELS or len(experiment.variants) > MANY_ROWS:
            kind, marks = plots.caterpillar, [_mark(one, _cell(found, one), "") for one in some]
        draw = partial(kind, marks, shown.title, share=share, fair=shown.fair)
    says = f"{capital(shown.title)}: {counted(len(marks), 'value')} with 95 % intervals."
    return Panel(key, capital(shown.title), says, draw, _table(found, some))


def _mark(one: Measured, row: str, series: str) -> Mark:
    return Mark(row, one.figure.value, one.figure.low, one.figure.high, series)


def _cell(found: Findings, one: Measured) -> str:
    levels = {cell.level for cell in found.measured}
    return one.variant if len(levels) == 1 else f"{one.variant}, {who(one.level)}"


def _grid(experiment: Experiment) -> dict[str, tuple[str, str]]:
    """By variant: its values of the two options that vary, if there are two and all are played."""
    every = [dict(variant.options) for variant in experiment.variants]
    names = list(dict.fromkeys(name for options in every for name in options))
    axes = [n for n in names if len({options.get(n) for options in every}) > 1]
    if len(axes) != 2 or any(axis not in options for options in every for axis in axes):
        return {}
    named = {
        variant.name: (f"{axes[0]}={options[axes[0]]}", f"{axes[1]}={options[axes[1]]}")
        for variant, options in zip(experiment.variants, every, strict=True)
    }
    rows, columns = ({value[i] for value in named.values()} for i in (0, 1))
    whole = len(set(named.values())) == len(named) == len(rows) * len(columns)
    return named if whole and min(len(rows), len(columns)) > 1 and len(named) > 4 else {}


def _table(found: Findings, some: Sequence[Measured]) -> Section:
    """The figures of a measure: a row for each variant, a column for each level."""
    shown = found.experiment.shown[some[0].measure]
    levels = list(dict.fromkeys(one.level for one in some))
    games = {level: {_games(one) for one in some if one.level == level} for level in levels}
    heads = [
        f"{who(level)}, " + (f"{g.pop()} games each" if len(g) == 1 else "games differ")
        for level, g in games.items()
    ]
    section = Section(f"{capital(shown.title)}, with 95 % intervals", ["rules", *heads])
    for variant in found.experiment.variants:
        row = [one.figure for one in some if one.variant == variant.name]
        section.rows.append([variant.name, *row])
    return section


def _whole(found: Findings, key: str, whole: str) -> Iterator[Panel]:
    """What something is made of: a bar for each variant, at each level."""
    shown = found.experiment.shown
    parts = [name for name, one in shown.items() if one.whole == whole]
    levels = list(dict.fromkeys(one.level for one in found.measured))
    for at, level in enumerate(levels):
        some = {
            (one.variant, one.measure): one
            for one in found.measured
            if one.level == level and one.measure in parts
        }
        marks = [
            _mark(one, variant, part.removeprefix(f"{whole}: "))
            for (variant, part), one in some.items()
        ]
        marks.sort(key=lambda mark: _order(found, mark))
        title = capital(shown[parts[0]].title)
        heads = [part.removeprefix(f"{whole}: ") for part in parts]
        section = Section(f"{title}, {who(level)}, with 95 % intervals", ["rules", *heads])
        for variant in found.experiment.variants:
            row = [some[variant.name, part].figure for part in parts]
            section.rows.append([variant.name, *row])
        draw = partial(plots.stacked, marks, f"share of games, {who(level)}")
        says = f"{title}, between {who(level)}: {', '.join(heads)}."
        more = f", {who(level)}" if len(levels) > 1 else ""
        yield Panel(f"{key}-{at}", f"{title}{more}", says, draw, section)


def _order(found: Findings, mark: Mark) -> int:
    return [variant.name for variant in found.experiment.variants].index(mark.row)


def _games(one: Measured) -> str:
    """How many games have a value, and where these are not all, of how many."""
    return " of ".join(dict.fromkeys(map(grouped, (one.known, one.games))))


def grouped(number: int) -> str:
    """A large number in groups of three digits: ``62 400``."""
    return f"{number:,}".replace(",", "\N{NO-BREAK SPACE}")
