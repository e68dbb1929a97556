"""Plots of a report: which kind shows which measure, with the figures behind it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from yegg.lab import plots
from yegg.lab.cells import who
from yegg.lab.experiment.findings import Findings, Measured
from yegg.lab.experiment.rules_in_words import value_in_words
from yegg.lab.experiment.schema import Experiment
from yegg.lab.experiment.spreads import Spread
from yegg.lab.plots import Panel, mark
from yegg.lab.ridges import Games, ridges
from yegg.stats.intervals import Section
from yegg.stats.kinds import Kind
from yegg.text.phrases import capital, counted, grouped

from .worded import worded

if TYPE_CHECKING:
    import altair as alt

MANY_ROWS = 12  # more variants are sorted by value
MANY_LEVELS = 4  # as many as there are colours


def panels(found: Findings) -> list[Panel]:
    """All plots of a report, in the order of the file's measures."""
    found = worded(found)
    game = found.experiment.game
    drawn = [*_measures(found)]
    for analysis, _, estimates in found.analyses:
        drawn += analysis.panels(game, estimates)
    return drawn


def _measures(found: Findings) -> Iterator[Panel]:
    """A plot for each measure that has a value; one for all parts of a whole, at each level."""
    shown = found.experiment.shown
    drawn: set[str] = set()
    for at, name in enumerate(shown, 1):
        some = [one for one in found.measured if one.measure == name]
        if not any(one.known for one in some):
            continue
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
    shown, share = experiment.shown[name], found.is_share(name)
    levels = list(dict.fromkeys(one.level for one in some))
    grid = _grid(experiment)
    rows = [(one.variant, who(one.level)) for one in some]
    kind: Callable[..., alt.TopLevelMixin] = plots.dots
    about: dict[str, Any] = {"says": shown.title, "fair": shown.fair}
    if grid and len(levels) == 1:
        kind, rows, about = plots.heat, [grid[one.variant] for one in some], {"says": ""}
    elif len(experiment.variants) == 1 and len(levels) > 1:
        kind, rows = plots.ladder, [(who(one.level), "") for one in some]
    elif len(levels) > MANY_LEVELS or len(experiment.variants) > MANY_ROWS:
        kind, rows = plots.caterpillar, [(_cell(found, one), "") for one in some]
    marks = [mark(row, one.figure, series) for (row, series), one in zip(rows, some, strict=True)]
    draw = partial(kind, marks, share=share, **about)
    says = f"{capital(shown.title)}: {counted(len(marks), 'value')} with 95 % intervals."
    spread = _spread(found, [name], lambda one: _cell(found, one))
    return Panel(key, capital(shown.title), says, draw, _table(found, some), *spread)


def _spread(
    found: Findings, measures: Sequence[str], row: Callable[[Any], str]
) -> tuple[Callable[..., "alt.TopLevelMixin"], Section] | tuple[()]:
    """How games spread about the means of some measures; nothing for shares of games."""
    means = {(m.variant, m.level, m.measure): m.figure.value for m in found.measured}
    some = [
        one
        for one in found.spreads
        if one.measure in measures and (one.variant, one.level, one.measure) in means
    ]
    games = [
        Games(
            row(one),
            means[one.variant, one.level, one.measure],
            one.step,
            [(low, many / one.games) for low, many in one.bins],
        )
        for one in some
    ]
    says = f"{capital(found.experiment.shown[measures[0]].title)}, game by game"
    if not games:
        return ()
    first = "players" if len(found.experiment.variants) == 1 else "rules"
    columns = [first, "5 % of games below", "a quarter", "half", "three quarters", "95 %"]
    section = Section(f"{says}, in steps of {some[0].step:g}", columns)
    section.rows = [[row(one), *(f"{end:g}" for end in one.quantiles())] for one in some]
    return partial(ridges, games, share=found.is_share(measures[0])), section


def _cell(found: Findings, one: Measured | Spread) -> str:
    levels = {cell.level for cell in found.measured}
    if len(found.experiment.variants) == 1 < len(levels):
        return who(one.level)
    return one.variant if len(levels) == 1 else f"{one.variant}, {who(one.level)}"


def _grid(experiment: Experiment) -> dict[str, tuple[str, str]]:
    """By variant: its values of the two options that vary, if there are two and all are played."""
    every = [variant.settings for variant in experiment.variants]
    names = list(dict.fromkeys(name for options in every for name in options))
    axes = [n for n in names if len({options.get(n) for options in every}) > 1]
    if len(axes) != 2 or any(axis not in options for options in every for axis in axes):
        return {}
    named = {
        variant.name: (
            value_in_words(experiment.game, axes[0], options[axes[0]]),
            value_in_words(experiment.game, axes[1], options[axes[1]]),
        )
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
        cells = {
            (one.variant, one.measure): one.figure
            for one in found.measured
            if one.level == level and one.measure in parts
        }
        heads = [part.removeprefix(f"{whole}: ") for part in parts]
        rows: list[Sequence[object]] = []
        marks = []
        for variant in found.experiment.variants:
            figures = [cells[variant.name, part] for part in parts]
            rows.append([variant.name, *figures])
            marks += [mark(variant.name, *one) for one in zip(figures, heads, strict=True)]
        title = capital(shown[parts[0]].title)
        section = Section(f"{title}, {who(level)}, with 95 % intervals", ["rules", *heads], rows)
        of = "share of games" if shown[parts[0]].kind is Kind.SHARE else "part of the whole"
        draw = partial(plots.stacked, marks, f"{of}, {who(level)}")
        says = f"{title}, between {who(level)}: {', '.join(heads)}."
        more = f", {who(level)}" if len(levels) > 1 else ""
        some = replace(found, spreads=tuple(one for one in found.spreads if one.level == level))
        spread = _spread(some, parts, partial(_part, found, whole))
        yield Panel(f"{key}-{at}", f"{title}{more}", says, draw, section, *spread)


def _part(found: Findings, whole: str, one: Spread) -> str:
    """A part of a whole in a cell, as its histogram is called."""
    rules = f", {one.variant}" if len(found.experiment.variants) > 1 else ""
    return one.measure.removeprefix(f"{whole}: ") + rules


def _games(one: Measured) -> str:
    """How many games have a value, and where these are not all, of how many."""
    return " of ".join(dict.fromkeys(map(grouped, (one.known, one.games))))
