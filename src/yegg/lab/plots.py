"""Plots of a report: their kinds, and how each is drawn as SVG.

Colours are CSS variables, so one drawing does for light, dark and print.  Shape, dash or a number
stands beside each colour.  Every kind can be drawn ``narrow``, with its labels above the marks.
"""

import html
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from typing import Any

import altair as alt
import polars as pl
import vl_convert

from yegg.stats.intervals import Figure, Section

WIDE, NARROW = 400, 285  # pixels of what is drawn, without the labels beside it
LABELS, LETTER = 190, 8  # pixels: the most beside a wide plot, and what a letter takes at most
COLOURS = ["var(--a)", "var(--b)", "var(--c)", "var(--d)"]
SHAPES = ["circle", "diamond", "square", "triangle-up"]
QUIET, LOUD = "var(--ink-2)", "var(--ink)"
FINEST = 90  # values of a round that are told apart: more would lie over each other
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
    draw: Callable[..., alt.TopLevelMixin]
    """Draws it, with ``narrow=True`` for a narrow page."""
    table: Section


def mark(row: str, figure: Figure, series: str = "", *, lit: bool = True) -> Mark:
    """A figure in a row of a plot."""
    return Mark(row, figure.value, figure.low, figure.high, series, lit)


def dots(
    marks: Sequence[Mark],
    says: str,
    *,
    share: bool = False,
    fair: float | None = None,
    narrow: bool = False,
) -> alt.TopLevelMixin:
    """Values with their intervals: a row for each name, a mark for each series; at most four."""
    series = _names(mark.series for mark in marks)
    step = 26 + 14 * len(series) + 16 * narrow
    base = alt.Chart(_data(marks)).encode(y=_rows(marks, narrow=narrow))
    if len(series) > 1 or narrow:
        base = base.encode(yOffset=_apart(series, step, narrow=narrow))
    colour = alt.Color("series:N", scale=_scale(series, COLOURS), legend=_legend(series, narrow))
    shape = alt.Shape("series:N", scale=_scale(series, SHAPES), legend=_legend(series, narrow))
    lines, points = _ranges(base, _across(says, share=share, narrow=narrow), size=95)
    layers = [lines.encode(color=colour), points.encode(color=colour, shape=shape)]
    return _laid([*_fair(fair), *layers], marks, step, narrow=narrow)


def ladder(
    marks: Sequence[Mark],
    says: str,
    *,
    share: bool = False,
    fair: float | None = None,
    narrow: bool = False,
) -> alt.TopLevelMixin:
    """The rows from best to worst, each with its value in words."""
    rungs = sorted(marks, key=lambda mark: -mark.value)
    words = [_short(mark.value, share=share) for mark in rungs]
    if narrow:
        rungs = [replace(m, row=f"{m.row}: {said}") for m, said in zip(rungs, words, strict=True)]
        return dots(rungs, says, share=share, fair=fair, narrow=True)
    named = [replace(m, series=said) for m, said in zip(rungs, words, strict=True)]
    base = alt.Chart(_data(named)).encode(y=_rows(named, narrow=narrow))
    across = _across(says, share=share, narrow=False)
    values = base.mark_text(dy=-13, fontSize=13, color=LOUD).encode(x="value:Q", text="series:N")
    layers = [*_fair(fair), *_ranges(base, across, size=110, color=COLOURS[0]), values]
    return _laid(layers, named, 46, narrow=False)


def caterpillar(
    marks: Sequence[Mark],
    says: str,
    *,
    share: bool = False,
    fair: float | None = 0.0,
    narrow: bool = False,
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
        base, across = alt.Chart(_data(some)).encode(y=y), _across(says, share=share, narrow=narrow)
        layers += _ranges(base, across, size=60, lit=lit, color=colour)
    return _finished(alt.layer(*layers), 18 * len(marks), 160 if narrow else WIDE)


def _ranges(
    base: alt.Chart, across: alt.X, *, size: int, lit: bool = True, **colour: Any
) -> list[alt.Chart]:
    """An interval and a point at its value, in each row."""
    line = base.mark_rule(strokeWidth=2.5 if lit else 1.5, **colour)
    point = base.mark_point(filled=lit, size=size, opacity=1, **colour)
    return [line.encode(x=across, x2="high:Q"), point.encode(x="value:Q")]


def stacked(marks: Sequence[Mark], says: str, *, narrow: bool = False) -> alt.TopLevelMixin:
    """Stacked bars: a bar for each row, a part of the whole for each series."""
    parts = _names(mark.series for mark in marks)
    place = {part: i for i, part in enumerate(parts)}
    data = _data(marks).with_columns(place=pl.Series([place[m.series] for m in _whole(marks)]))
    axis = alt.Axis(format="%", tickCount=5)
    legend = _legend(parts, narrow)
    bars = alt.Chart(data).mark_bar(
        stroke="var(--slate)", strokeWidth=2, height=24, yOffset=8 * narrow
    )
    bars = bars.encode(
        y=_rows(marks, narrow=narrow),
        x=alt.X("value:Q", title=says, stack="zero", axis=axis, scale=_unit(data)),
        color=alt.Color("series:N", scale=_scale(parts, _many(parts)), legend=legend),
        order="place:Q",
    )
    return _laid([bars], marks, 36 + 14 * narrow, narrow=narrow)


def heat(
    marks: Sequence[Mark], says: str, *, share: bool = False, narrow: bool = False
) -> alt.TopLevelMixin:
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
    return _finished(alt.layer(squares, words), 40 * len(rows), 200 if narrow else WIDE)


def curve(
    points: Sequence[tuple[float, float, float, float]], says: str, *, narrow: bool = False
) -> alt.TopLevelMixin:
    """A share along a game: where, the first quarter, the half, the third; the middle is shaded."""
    data = pl.DataFrame(points, schema=["at", "low", "value", "high"], orient="row")
    percent = alt.Axis(format="%", tickCount=3 if narrow else 5)
    base = alt.Chart(data).encode(x=alt.X("at:Q", title="part of the game", axis=percent))
    y = alt.Y("low:Q", title=says, axis=percent, scale=alt.Scale(domain=[0, 1]))
    band = base.mark_area(opacity=0.2, color=COLOURS[0]).encode(y=y, y2="high:Q")
    line = base.mark_line(strokeWidth=2.5, color=COLOURS[0]).encode(y="value:Q")
    return _finished(alt.layer(band, line), 200, NARROW if narrow else WIDE)


def rounds(
    points: Sequence[tuple[str, float, bool]], says: str, *, narrow: bool = False
) -> alt.TopLevelMixin:
    """A search: the round, a value, and whether it is the one to be followed."""
    every = pl.DataFrame(points, schema=["round", "value", "lit"], orient="row")
    heads = _names(head for head, _, _ in points)
    finest = (float(every["value"].max() or 1) - float(every["value"].min() or 0)) / FINEST  # type: ignore[arg-type]
    place = (pl.col("value") / (finest or 1)).round()
    seen = every.with_columns(place=place).unique(["round", "place"], maintain_order=True)
    x = alt.X("round:N", sort=heads, title="round: settings", axis=alt.Axis(labelAngle=0))
    y = alt.Y("value:Q", title=says, scale=alt.Scale(zero=True))
    ticks = alt.Chart(seen).mark_tick(color=QUIET, opacity=0.6, width=14 if narrow else 22)
    base = alt.Chart(every.filter("lit")).encode(x=x, y=y)
    line = base.mark_line(color=COLOURS[0], strokeWidth=2)
    point = base.mark_point(color=COLOURS[0], filled=True, size=70, opacity=1)
    return _finished(
        alt.layer(ticks.encode(x=x, y=y), line, point), 260, NARROW if narrow else WIDE
    )


def inline(chart: alt.TopLevelMixin, name: str, title: str, says: str) -> str:
    """A plot as SVG for a page, with a title and a description for those who do not see it."""
    svg = vl_convert.vegalite_to_svg(chart.to_dict())
    head, rest = svg.split(">", 1)
    # ids are shared by a whole page
    rest = re.sub(r'(id="|url\(#)(\w+)', rf"\g<1>{name}-\g<2>", rest)
    rest = re.sub(r' (?:role|aria-\w+)="[^"]*"', "", rest)  # one picture, not many
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


def _rows(marks: Sequence[Mark], *, narrow: bool) -> alt.Y:
    """The rows from the top; narrow ones have their names above them instead."""
    rows = _names(mark.row for mark in marks)
    return alt.Y("row:N", sort=rows, title=None, axis=None if narrow else _beside(rows))


def _beside(names: Sequence[str]) -> alt.Axis:
    """Names beside their rows, with room for them in whichever font the reader has."""
    room = min(LABELS, 10 + LETTER * max(map(len, names)))
    return alt.Axis(
        grid=False, domain=False, ticks=False, labelPadding=10, minExtent=room, labelLimit=LABELS
    )


def _across(says: str, *, share: bool, narrow: bool) -> alt.X:
    written: Any = "%" if share else alt.Undefined
    ticks = 3 if narrow else 5
    axis = alt.Axis(format=written, tickCount=ticks, labelOverlap=True, labelSeparation=6)
    return alt.X("low:Q", title=says, axis=axis, scale=alt.Scale(zero=False))


def _apart(series: Sequence[str], step: int, *, narrow: bool) -> alt.YOffset:
    """The series below each other; in narrow rows below their name."""
    scale = alt.Scale(range=[step * 0.2, step * 0.9]) if narrow else alt.Undefined
    return alt.YOffset("series:N", sort=list(series), scale=scale)


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


def _legend(names: Sequence[str], narrow: bool) -> alt.Legend | None:  # noqa: FBT001
    if len(names) < 2:
        return None
    columns = 2 if narrow else 0
    return alt.Legend(orient="top", title=None, columns=columns, columnPadding=24, labelLimit=300)


def _fair(fair: float | None) -> list[alt.Chart]:
    """A dashed line at a value to compare with."""
    if fair is None:
        return []
    line = alt.Chart(pl.DataFrame({"fair": [fair]}))
    return [line.mark_rule(strokeDash=[4, 3], color=QUIET).encode(x="fair:Q")]


def _laid(
    layers: Sequence[alt.Chart], marks: Sequence[Mark], step: int, *, narrow: bool
) -> alt.TopLevelMixin:
    """Layers over each other, with the rows' names where a narrow page has room for them."""
    rows = _names(mark.row for mark in marks)
    if narrow:
        names = alt.Chart(pl.DataFrame({"row": rows})).mark_text(
            align="left", baseline="top", dy=-step / 2 + 4, fontSize=13, color=LOUD
        )
        y = alt.Y("row:N", sort=rows, title=None, axis=None)
        layers = [*layers, names.encode(y=y, x=alt.value(0), text="row:N")]
    height = step * len(rows)
    return _finished(alt.layer(*layers), height, NARROW if narrow else WIDE)


def _finished(chart: Any, height: int, width: int) -> alt.TopLevelMixin:
    ink = {f"{part}Color": QUIET for part in ("label", "title")}
    lines = {f"{part}Color": "var(--line)" for part in ("grid", "domain", "tick")}
    finished: alt.TopLevelMixin = (
        chart.properties(width=width, height=height, background="transparent")
        .configure(aria=False)
        .configure_axis(
            labelFontSize=13, titleFontSize=13, titleFontWeight="normal", **ink, **lines
        )
        .configure_legend(labelFontSize=13, labelColor=LOUD, symbolOpacity=1)
        .configure_view(stroke=None)
    )
    return finished
