"""Plots of a report: their kinds, and how each is drawn as SVG.

Colours are CSS variables, so one drawing does for light, dark and print.  Shape, dash or a number
stands beside each colour.  All have one width, that of a phone; wider pages put several beside each
other.
"""

import html
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from textwrap import wrap
from typing import Any

import altair as alt
import polars as pl
import vl_convert

from yegg.stats.intervals import Figure, Section
from yegg.text.json_writer import as_json

WIDTH = 294  # pixels: all of a phone's page
LABELS, LETTER = 190, 8  # pixels: the most beside a plot, and what a letter takes at most
WHOLE = WIDTH // LETTER  # letters of a line over the whole plot
COLOURS = ["var(--a)", "var(--b)", "var(--c)", "var(--d)"]
CUT = "this axis does not begin at 0"
SHAPES = ["circle", "diamond", "square", "triangle-up"]
QUIET, LOUD = "var(--ink-2)", "var(--ink)"
FINEST = 90  # values of a round that are told apart: more would lie over each other
NEAR = 4  # so many times as far as values lie apart may the axis go on to begin at 0
LINE = 26  # letters of a name beside a plot; the rest stands in further lines
FAINTEST, STRONGEST = 0.06, 0.45  # opacity in a heat map: words stay legible on it


@dataclass(frozen=True)
class Mark:
    """A value with its interval, in a row of a plot."""

    row: str
    value: float
    low: float
    high: float
    series: str = ""
    """What it is compared with in its row: a level of players, a column, a part."""
    lit: bool = True
    """Whether it stands out where that is shown."""


@dataclass(frozen=True)
class Panel:
    """A plot, and the table of its figures."""

    key: str
    """Names it in the page: letters, digits and hyphens."""
    title: str
    says: str
    """What is drawn, for those who do not see it."""
    draw: Callable[[], alt.TopLevelMixin]
    table: Section
    spread: Callable[[], alt.TopLevelMixin] | None = None
    """Draws how games spread about a mean; None where there is none."""
    spread_table: Section | None = None
    """The figures of that."""


def mark(row: str, figure: Figure, series: str = "", *, lit: bool = True) -> Mark:
    """A figure in a row of a plot."""
    return Mark(row, figure.value, figure.low, figure.high, series, lit)


def dots(
    marks: Sequence[Mark], says: str, *, share: bool = False, fair: float | None = None
) -> alt.TopLevelMixin:
    """Values with their intervals: a row for each name, a mark for each series; at most four."""
    series = _names(mark.series for mark in marks)
    step, head = 42 + 14 * len(series), _head(marks)
    ends = [head + step * 0.2, head + step * 0.9]
    apart = alt.YOffset("series:N", sort=series, scale=alt.Scale(range=ends))
    base = alt.Chart(_data(marks)).encode(y=_rows(marks), yOffset=apart)
    colour = alt.Color("series:N", scale=_scale(series, COLOURS), legend=_legend(series))
    shape = alt.Shape("series:N", scale=_scale(series, SHAPES), legend=_legend(series))
    lines, points = _ranges(base, _across(says, marks, share=share, fair=fair), size=95)
    layers = [lines.encode(color=colour), points.encode(color=colour, shape=shape)]
    return _laid([*_fair(fair), *layers], marks, step)


def ladder(
    marks: Sequence[Mark], says: str, *, share: bool = False, fair: float | None = None
) -> alt.TopLevelMixin:
    """The rows from best to worst, each with its value in words."""
    rungs = sorted(marks, key=lambda mark: -mark.value)
    named = [replace(m, row=f"{m.row}: {_short(m.value, share=share)}") for m in rungs]
    return dots(named, says, share=share, fair=fair)


def caterpillar(
    marks: Sequence[Mark],
    says: str,
    *,
    share: bool = False,
    fair: float | None = 0.0,
) -> alt.TopLevelMixin:
    """Many values, sorted; those that are lit are filled and coloured, the others hollow."""
    order = sorted(marks, key=lambda mark: -mark.value)
    names = [mark.row for mark in order]
    y = alt.Y("row:N", sort=names, title=None, axis=_beside(names))
    layers: list[alt.Chart] = _fair(fair)
    for lit, colour in ((False, QUIET), (True, COLOURS[1])):
        some = [mark for mark in order if mark.lit == lit]
        if not some:
            continue
        base = alt.Chart(_data(some)).encode(y=y)
        across = _across(says, marks, share=share, fair=fair)
        layers += _ranges(base, across, size=60, lit=lit, color=colour)
    return _finished(alt.layer(*layers), (2 + 16 * _most_lines(names)) * len(marks))


def _ranges(
    base: alt.Chart, across: alt.X, *, size: int, lit: bool = True, **colour: Any
) -> list[alt.Chart]:
    """An interval and a point at its value, in each row."""
    line = base.mark_rule(strokeWidth=2.5 if lit else 1.5, **colour)
    point = base.mark_point(filled=lit, size=size, opacity=1, **colour)
    return [line.encode(x=across, x2="high:Q"), point.encode(x="value:Q")]


def stacked(marks: Sequence[Mark], says: str) -> alt.TopLevelMixin:
    """Stacked bars: a bar for each row, a part of the whole for each series."""
    parts = _names(mark.series for mark in marks)
    place = {part: i for i, part in enumerate(parts)}
    data = _data(marks).with_columns(place=pl.Series([place[m.series] for m in _whole(marks)]))
    axis = percent_axis(2)
    bars = alt.Chart(data).mark_bar(
        stroke="var(--slate)", strokeWidth=2, height=24, yOffset=8 + _head(marks) / 2
    )
    bars = bars.encode(
        y=_rows(marks),
        x=alt.X("value:Q", title=wrap(says, WHOLE), stack="zero", axis=axis, scale=_unit(data)),
        color=alt.Color("series:N", scale=_scale(parts, _many(parts)), legend=_legend(parts)),
        order="place:Q",
    )
    return _laid([bars], marks, 50)


def heat(marks: Sequence[Mark], says: str, *, share: bool = False) -> alt.TopLevelMixin:
    """A value for each row and series as a grid: the stronger the colour, the larger."""
    data = _data(marks).with_columns(
        words=pl.Series([_short(mark.value, share=share) for mark in _whole(marks)])
    )
    rows, columns = _names(m.row for m in marks), _names(m.series for m in marks)
    top = alt.Axis(grid=False, domain=False, ticks=False, labelAngle=0, orient="top")
    base = alt.Chart(data).encode(
        y=alt.Y("row:N", sort=rows, title=None, axis=_beside(rows)),
        x=alt.X("series:N", sort=columns, title=says, axis=top),
    )
    scale = alt.Scale(range=[FAINTEST, STRONGEST], zero=False, nice=False)
    squares = base.mark_rect(color=COLOURS[0], stroke="var(--slate)", strokeWidth=3).encode(
        opacity=alt.Opacity("value:Q", scale=scale, legend=None)
    )
    words = base.mark_text(color=LOUD, fontSize=13).encode(text="words:N")
    step = max(40, 10 + 16 * _most_lines(rows))
    return _finished(alt.layer(squares, words), step * len(rows))


def curve(points: Sequence[tuple[float, float, float, float]], says: str) -> alt.TopLevelMixin:
    """A share along a game: where, the first quarter, the half, the third; the middle is shaded."""
    data = pl.DataFrame(points, schema=["at", "low", "value", "high"], orient="row")
    percent = percent_axis(3)
    base = alt.Chart(data).encode(x=alt.X("at:Q", title="part of the game", axis=percent))
    y = alt.Y("low:Q", title=says, axis=percent, scale=alt.Scale(domain=[0, 1]))
    band = base.mark_area(opacity=0.2, color=COLOURS[0]).encode(y=y, y2="high:Q")
    line = base.mark_line(strokeWidth=2.5, color=COLOURS[0]).encode(y="value:Q")
    return _finished(alt.layer(band, line), 200)


def rounds(points: Sequence[tuple[str, float, bool]], says: str) -> alt.TopLevelMixin:
    """A search: the round, a value, and whether it is the one to be followed."""
    every = pl.DataFrame(points, schema=["round", "value", "lit"], orient="row")
    heads = _names(head for head, _, _ in points)
    finest = (float(every["value"].max() or 1) - float(every["value"].min() or 0)) / FINEST  # type: ignore[arg-type]
    place = (pl.col("value") / (finest or 1)).round()
    seen = every.with_columns(place=place).unique(["round", "place"], maintain_order=True)
    x = alt.X("round:N", sort=heads, title="round: settings", axis=alt.Axis(labelAngle=0))
    y = alt.Y("value:Q", title=says, scale=alt.Scale(zero=True))
    ticks = alt.Chart(seen).mark_tick(color=QUIET, opacity=0.6, width=14)
    base = alt.Chart(every.filter("lit")).encode(x=x, y=y)
    line = base.mark_line(color=COLOURS[0], strokeWidth=2)
    point = base.mark_point(color=COLOURS[0], filled=True, size=70, opacity=1)
    return _finished(alt.layer(ticks.encode(x=x, y=y), line, point), 260)


def inline(chart: alt.TopLevelMixin, name: str, title: str, says: str) -> str:
    """A plot as SVG for a page, with a title and a description for those who do not see it."""
    svg = vl_convert.vegalite_to_svg(chart.to_dict())
    head, rest = svg.split(">", 1)
    # ids are shared by a whole page
    rest = re.sub(r'(id="|url\(#)(\w+)', rf"\g<1>{name}-\g<2>", rest)
    rest = re.sub(r' (?:role|aria-\w+|pointer-events)="[^"]*"', "", rest)  # one picture, not many
    head = re.sub(r' (class="marks"|xmlns:xlink="[^"]*"|version="[^"]*")', "", head)
    return (
        f'{head} role="img" aria-labelledby="{name}-t {name}-d">'
        f"<title id='{name}-t'>{html.escape(title)}</title>"
        f"<desc id='{name}-d'>{html.escape(says)}</desc>{rest}"
    )


def _short(value: float, *, share: bool) -> str:
    return f"{value * 100:.1f} %" if share else f"{value:.2f}"


def _names(given: Any) -> list[str]:
    return list(dict.fromkeys(given))


def _whole(marks: Sequence[Mark]) -> list[Mark]:
    """The marks whose value is known; nothing else can be drawn."""
    return [mark for mark in marks if math.isfinite(mark.value)]


def _data(marks: Sequence[Mark]) -> pl.DataFrame:
    known = [asdict(mark) for mark in _whole(marks)]
    for mark in known:
        for end in ("low", "high"):
            mark[end] = mark[end] if math.isfinite(mark[end]) else mark["value"]
    schema = {"row": pl.String, "value": pl.Float64, "low": pl.Float64, "high": pl.Float64}
    return pl.DataFrame(known, schema={**schema, "series": pl.String, "lit": pl.Boolean})


def _rows(marks: Sequence[Mark]) -> alt.Y:
    """The rows from the top, whose names stand above them."""
    return alt.Y("row:N", sort=_names(mark.row for mark in marks), title=None, axis=None)


def _most_lines(names: Sequence[str]) -> int:
    """How many lines the longest of some names has beside a plot."""
    return max(len(wrap(name, LINE)) for name in names)


def _head(marks: Sequence[Mark]) -> int:
    """How much higher rows are whose names stand above them, for further lines of these."""
    return 16 * (max(len(wrap(mark.row, WHOLE)) for mark in marks) - 1)


def _beside(names: Sequence[str]) -> alt.Axis:
    """Names beside their rows, with room for them in whichever font the reader has."""
    lines = {name: wrap(name, LINE) or [""] for name in names}
    longest = max(len(line) for some in lines.values() for line in some)
    return alt.Axis(
        grid=False,
        domain=False,
        ticks=False,
        labelPadding=10,
        minExtent=min(LABELS, 10 + LETTER * longest),
        labelLimit=LABELS,
        labelExpr=f"({as_json(lines)})[datum.label]",
    )


def _across(says: str, marks: Sequence[Mark], *, share: bool, fair: float | None = None) -> alt.X:
    """The values: from 0 where they are near it, and where they are not the axis says so."""
    zero = begins_at_0([*_ends(marks), *([] if fair is None else [fair])])
    apart: Any = {"labelOverlap": True, "labelSeparation": 6}
    axis = percent_axis(3, **apart) if share else alt.Axis(tickCount=3, **apart)
    title = wrap(says, WHOLE) + [CUT] * (not zero)
    return alt.X("low:Q", title=title, axis=axis, scale=alt.Scale(zero=zero))


def percent_axis(many: int, **more: Any) -> alt.Axis:
    """An axis in percent, written as everywhere: ``20 %``."""
    said = "replace(datum.label, '%', ' %')"
    return alt.Axis(format="%", labelExpr=said, tickCount=many, **more)


def begins_at_0(values: Sequence[float]) -> bool:
    """Whether an axis begins at 0: unless all values lie far off, for how far they lie apart.

    >>> begins_at_0([0.2, 0.53]), begins_at_0([0.31, 0.36]), begins_at_0([0.91, 0.94])
    (True, False, False)
    >>> begins_at_0([-0.1, 0.1]), begins_at_0([])
    (True, True)
    """
    if not values or min(values) <= 0 <= max(values):
        return True
    near = min(map(abs, values))
    return near <= NEAR * (max(values) - min(values))


def _ends(marks: Sequence[Mark]) -> list[float]:
    """All values, and the ends of their intervals."""
    every = [end for mark in _whole(marks) for end in (mark.value, mark.low, mark.high)]
    return [end for end in every if math.isfinite(end)]


def _unit(data: pl.DataFrame) -> alt.Scale:
    """From 0 to the longest bar; to 1 where the parts make a whole."""
    longest = float(data.group_by("row").agg(pl.col("value").sum())["value"].max() or 1)  # type: ignore[arg-type]
    return alt.Scale(domain=[0, 1 if 0.99 < longest < 1.01 else longest], nice=False)


def _scale(names: Sequence[str], values: Sequence[str]) -> alt.Scale:
    return alt.Scale(domain=list(names), range=list(values)[: len(names)])


def _many(parts: Sequence[str]) -> list[str]:
    """A colour for each part; beyond the fourth they are mixed from two."""
    mixed = [f"color-mix(in oklab, {a} 55%, {b})" for a, b in pairwise(COLOURS)]
    every = [*COLOURS, *mixed, QUIET]
    return [every[min(i, len(every) - 1)] for i in range(len(parts))]


def _legend(names: Sequence[str]) -> alt.Legend | None:
    if len(names) < 2:
        return None
    columns = 1 if max(map(len, names)) > WHOLE // 2 - 4 else 2
    return alt.Legend(orient="top", title=None, columns=columns, columnPadding=24, labelLimit=300)


def _fair(fair: float | None) -> list[alt.Chart]:
    """A dashed line at a value to compare with."""
    if fair is None:
        return []
    line = alt.Chart(pl.DataFrame({"fair": [fair]}))
    return [line.mark_rule(strokeDash=[4, 3], color=QUIET).encode(x="fair:Q")]


def _laid(layers: Sequence[alt.Chart], marks: Sequence[Mark], step: int) -> alt.TopLevelMixin:
    """Layers over each other, and in each row its name above them."""
    rows, step = _names(mark.row for mark in marks), step + _head(marks)
    lines = ["\n".join(wrap(row, WHOLE)) for row in rows]
    names = alt.Chart(pl.DataFrame({"row": rows, "lines": lines})).mark_text(
        align="left", baseline="top", dy=-step / 2 + 4, fontSize=13, color=LOUD, lineBreak="\n"
    )
    named = names.encode(y=_rows(marks), x=alt.value(0), text="lines:N")
    return _finished(alt.layer(*layers, named), step * len(rows))


def _finished(chart: Any, height: int) -> alt.TopLevelMixin:
    fit = alt.AutoSizeParams(type="fit-x", contains="padding")  # names beside it, too
    drawn = chart.properties(width=WIDTH, height=height, background="transparent", autosize=fit)
    return configured(drawn)


def configured(chart: Any) -> alt.TopLevelMixin:
    """A plot in the colours and letters of the page."""
    ink = {f"{part}Color": QUIET for part in ("label", "title")}
    lines = {f"{part}Color": "var(--line)" for part in ("grid", "domain", "tick")}
    finished: alt.TopLevelMixin = (
        chart.configure(aria=False)
        .configure_axis(
            labelFontSize=13, titleFontSize=13, titleFontWeight="normal", **ink, **lines
        )
        .configure_legend(labelFontSize=13, labelColor=LOUD, symbolOpacity=1)
        .configure_view(stroke=None)
    )
    return finished
