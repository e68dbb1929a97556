"""Draws what ppo.py has saved: how the share of wins grew.  Needs the extra `lab`.

python curve.py second-story-3.npz magnate-2.npz learning.svg
"""

import json
import sys
from pathlib import Path

import altair as alt
import numpy as np
import polars as pl

BOTS = "uniform", "greedy"


def points(path):
    """A row for each point of a file's curves."""
    with np.load(path) as kept:
        name, curve = json.loads(str(kept["about"]))["environment"], kept["curve"]
    for cpu, _, _, *met in curve:
        for i, bot in enumerate(BOTS):
            share, half = met[2 * i : 2 * i + 2]
            where = {"game": name, "minutes": cpu / 120, "bot": bot}
            yield where | {"share": share, "low": share - half, "high": share + half}


def panel(path):
    """One game's curves with their 95 % intervals."""
    rows = pl.DataFrame(list(points(path)))
    even = 1 / int(Path(path).stem.rsplit("-", 1)[1])
    x = alt.X("minutes:Q", title="minutes of two cores")
    base = alt.Chart(rows, title=f"{rows['game'][0]}: share of wins").encode(x=x)
    colour = alt.Color("bot:N", title="against", sort=BOTS, legend=alt.Legend(symbolOpacity=1))
    y = alt.Y("share:Q", title=None, axis=alt.Axis(format="%"), scale=alt.Scale(domain=[0, 1]))
    line = base.mark_line(point=True).encode(y=y, color=colour)
    band = base.mark_area(opacity=0.2).encode(y="low:Q", y2="high:Q", color=colour)
    rule = alt.Chart(pl.DataFrame({"even": [even]})).mark_rule(strokeDash=[4, 4]).encode(y="even:Q")
    return (band + line + rule).properties(width=300, height=240)


if __name__ == "__main__":
    *paths, to = sys.argv[1:]
    alt.hconcat(*map(panel, paths)).configure(background="white").save(to)
