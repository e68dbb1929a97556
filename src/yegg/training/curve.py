"""A picture of how well a net played on the way; needs the extra `lab`."""

from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from .trainer import met


def draw(about: Mapping[str, Any], path: Path) -> Path | None:
    """Draw the curve that a net's file tells; return the picture's path, None without the extra."""
    if not all(find_spec(name) for name in ("altair", "vl_convert", "polars")):
        return None
    import altair as alt
    import polars as pl

    bots = met(about["course"].get("against"))
    rows = pl.DataFrame(list(points(about["curve"], bots)))
    title = f"{about['version']}: share of wins with {about['shown'][0]} players"
    x = alt.X("millions:Q", title="million decisions")
    base = alt.Chart(rows, title=title).encode(x=x)
    colour = alt.Color(
        "bot:N", title="against", sort=list(bots), legend=alt.Legend(symbolOpacity=1)
    )
    y = alt.Y("share:Q", title=None, axis=alt.Axis(format="%"), scale=alt.Scale(domain=[0, 1]))
    curves = base.mark_line(point=True).encode(y=y, color=colour)
    band = base.mark_area(opacity=0.2).encode(y="low:Q", y2="high:Q", color=colour)
    chart = (band + curves).properties(width=420, height=280)
    chart.configure(background="white").save(str(path))
    return path


def points(curve: list[dict[str, Any]], bots: Sequence[str]) -> Iterator[dict[str, Any]]:
    """A row for each point and bot."""
    for point in curve:
        for bot in bots:
            share, low, high = point[bot]
            millions = point["decisions"] / 1e6
            yield {"millions": millions, "bot": bot, "share": share, "low": low, "high": high}
