"""The plot of an answer as an SVG file: one of those that the report has."""

import math
import re
from collections import Counter
from functools import partial
from pathlib import Path

from yegg.lab import plots, report
from yegg.lab.experiment.findings import Findings, Measured
from yegg.lab.plots import Mark, Panel
from yegg.lab.report.panels import panels
from yegg.stats.intervals import Section

from .schema import Question

COLOURS = re.compile(r"--[\w-]+: #[0-9a-f]{6};")

PADDING = 16  # pixels around the plot
COMPARED = "compared"


def panels_of(question: Question, found: Findings) -> list[Panel]:
    """The plots of the report; what is to be compared and was measured once stands in one."""
    drawn, once = panels(found), measured_once(question, found)
    if len(once) < 2:
        return drawn
    keys = {_key(found, one.measure) for one in once}
    return [_compared(found, once), *(panel for panel in drawn if panel.key not in keys)]


def panel_of(question: Question, found: Findings, drawn: list[Panel]) -> Panel:
    """Which plot shows what the question is about."""
    first = question.answers[0]
    about = question.plot or first.of[0]
    if first.kind == "claim" and not question.plot:
        about = next(c.measure for c in found.experiment.claims if str(c) == about)
    if drawn[0].key == COMPARED and about in {m.measure for m in measured_once(question, found)}:
        return drawn[0]
    key = _key(found, about)
    return next((one for one in drawn if one.key == key or one.key.startswith(f"{key}-")), drawn[0])


def measured_once(question: Question, found: Findings) -> list[Measured]:
    """What only one of several line-ups has, and what an answer compares in the only cell."""
    known = [one for one in found.measured if math.isfinite(one.figure.value)]
    cells = Counter(one.measure for one in known)
    several = len({(one.variant, one.level) for one in found.measured}) > 1
    compared = {name for one in question.answers if one.kind == "best" for name in one.of}
    some = [one for one in known if several or one.measure in compared]
    return [one for one in some if cells[one.measure] == 1]


def _key(found: Findings, about: str) -> str:
    """The key of the plot about a measure or a fork."""
    forks = list(dict.fromkeys(one.fork for one in found.of("fork")))
    if about in forks:
        return f"fork-{1 + forks.index(about)}"
    shown = found.experiment.shown
    whole = shown[about].whole
    names = list(shown)
    first = next(n for n in names if n == about or (whole and shown[n].whole == whole))
    return f"plot-{1 + names.index(first)}"


def _compared(found: Findings, some: list[Measured]) -> Panel:
    """Several measures beside each other, each where it was measured."""
    shown = found.experiment.shown
    marks = [
        Mark(shown[one.measure].title, one.figure.value, one.figure.low, one.figure.high)
        for one in some
    ]
    share = all(shown[one.measure].kind.percent for one in some)
    fair = shown[some[0].measure].fair
    section = Section(
        "With 95 % intervals",
        ["", "figure", "games"],
        [[shown[one.measure].title, one.figure, one.counted] for one in some],
    )
    unit = "share of the win" if share else "points of the game"
    draw = partial(plots.ladder, marks, unit, share=share, fair=fair)
    says = f"{len(marks)} values with 95 % intervals, from the highest to the lowest."
    return Panel(COMPARED, "Beside each other", says, draw, section)


def svg(panel: Panel) -> str:
    """A plot as a file: its colours go by day and by night, and nothing is fetched."""
    chart = panel.draw().properties(padding=PADDING)
    drawn = plots.inline(chart, panel.key, panel.title, panel.says)
    css = (Path(report.__file__).parent / "page.css").read_text(encoding="utf-8")
    night, day = css.split("@media (prefers-color-scheme: light)")[:2]
    day = day.partition("\n* {")[0]
    by_night, by_day = ("".join(COLOURS.findall(some)) for some in (night, day))
    style = (
        f"<style>:root{{{by_night}background:var(--slate)}}"
        f"@media (prefers-color-scheme:light){{:root{{{by_day}}}}}</style>"
    )
    head, rest = drawn.split(">", 1)
    return f"{head}>{style}{rest}\n"
