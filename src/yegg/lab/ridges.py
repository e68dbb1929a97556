"""How games spread about a mean: a histogram for each row, drawn as SVG like other plots."""

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap

import altair as alt
import polars as pl

from yegg.lab.plots import COLOURS, CUT, LOUD, WHOLE, WIDTH, begins_at_0, configured, percent_axis
from yegg.text.json_writer import as_json

SPREAD = "how the games spread; the line is the mean"
BESIDE = 52  # pixels: the shares of games beside the bars


@dataclass(frozen=True)
class Games:
    """How the games of a row spread: where each bin begins, how wide it is, its share of games."""

    row: str
    mean: float
    step: float
    bins: Sequence[tuple[float, float]]


def ridges(games: Sequence[Games], *, share: bool = False) -> alt.TopLevelMixin:
    """How games spread: a histogram for each row over the same axis, with a line at its mean."""
    rows = [
        {"row": one.row, "mean": one.mean, "low": low, "high": low + one.step, "to": share, "0": 0}
        for one in games
        for low, share in one.bins
    ]
    values = [end for one in games for low, _ in one.bins for end in (low, low + one.step)]
    zero = begins_at_0(values)
    title = wrap(SPREAD, WHOLE) + [CUT] * (not zero)
    axis = percent_axis(3) if share else alt.Axis(tickCount=3)
    x = alt.X("low:Q", title=title, scale=alt.Scale(zero=zero), axis=axis)
    percent = percent_axis(2, grid=False, domain=False, ticks=False)
    y = alt.Y("to:Q", title=None, axis=percent, scale=alt.Scale(zero=True))
    base = alt.Chart(pl.DataFrame(rows))
    bars = base.mark_bar(color=COLOURS[0], opacity=0.75, stroke="var(--slate)", strokeWidth=0.5)
    mean = base.mark_rule(color=LOUD, strokeWidth=2).encode(x=alt.X("mean(mean):Q"))
    names = list(dict.fromkeys(one.row for one in games))
    lines = {name: wrap(name, WHOLE) for name in names}
    head = alt.Header(
        labelOrient="top",
        labelAnchor="start",
        labelFontSize=13,
        labelColor=LOUD,
        labelPadding=10,  # above the axis' highest figure
        labelLimit=WIDTH,
        labelExpr=f"({as_json(lines)})[datum.label]",
        title=None,
    )
    drawn = alt.layer(bars.encode(x=x, x2="high:Q", y=y, y2="0:Q"), mean)
    drawn = drawn.properties(width=WIDTH - BESIDE, height=40 if len(games) > 6 else 64)
    faceted = drawn.facet(row=alt.Row("row:N", sort=names, header=head))
    room = 20 * max(map(len, lines.values()))
    return configured(faceted.properties(spacing=room, background="transparent"))
