"""The plot of an answer as a file of its own: one of those that the report has."""

import re
from functools import partial
from pathlib import Path

from yegg.engine.figures import Section
from yegg.lab import paper
from yegg.lab.findings import Findings
from yegg.lab.paper import plots
from yegg.lab.paper.panels import Panel
from yegg.lab.paper.plots import Mark

from .questions import Question

COLOURS = re.compile(r"--[\w-]+: #[0-9a-f]{6};")

PADDING = 16  # pixels around the plot


def panel_of(question: Question, found: Findings, drawn: list[Panel]) -> Panel:
    """Which plot shows what the question is about."""
    first = question.answers[0]
    if first.kind == "best" and not question.plot:
        return _compared(question, found)
    about = question.plot or first.of[0]
    if first.kind == "claim" and not question.plot:
        about = next(c.measure for c in found.experiment.claims if str(c) == about)
    key = _key(found, about)
    return next((one for one in drawn if one.key == key or one.key.startswith(f"{key}-")), drawn[0])


def _key(found: Findings, about: str) -> str:
    """The key of the plot about a measure or a fork."""
    forks = list(dict.fromkeys(one.fork for one in found.effects))
    if about in forks:
        return f"fork-{1 + forks.index(about)}"
    shown = found.experiment.shown
    whole = shown[about].whole
    names = list(shown)
    first = next(n for n in names if n == about or (whole and shown[n].whole == whole))
    return f"plot-{1 + names.index(first)}"


def _compared(question: Question, found: Findings) -> Panel:
    """Several measures beside each other, each wherever it was measured."""
    names, shown = question.answers[0].of, found.experiment.shown
    some = [one for one in found.measured if one.measure in names]
    some = [one for one in some if one.figure.value == one.figure.value]
    marks = [
        Mark(shown[one.measure].title, one.figure.value, one.figure.low, one.figure.high)
        for one in some
    ]
    share = all(one.figure.percent for one in some)
    fair = shown[names[0]].fair
    section = Section(
        "With 95 % intervals",
        ["", "figure", "games"],
        [[shown[one.measure].title, one.figure, one.games] for one in some],
    )
    draw = partial(plots.ladder, marks, "share of the win", share=share, fair=fair)
    says = f"{len(marks)} values with 95 % intervals, from the highest to the lowest."
    return Panel("best", question.experiment.question, says, draw, section)


def svg(panel: Panel) -> str:
    """A plot as a file: its colours go by day and by night, and nothing is fetched."""
    chart = panel.draw(narrow=False).properties(padding=PADDING)
    drawn = plots.inline(chart, panel.key, panel.title, panel.says)
    css = (Path(paper.__file__).parent / "page.css").read_text(encoding="utf-8")
    night, day = css.split("@media (prefers-color-scheme: light)")[:2]
    day = day.partition("\n* {")[0]
    by_night, by_day = ("".join(COLOURS.findall(some)) for some in (night, day))
    style = (
        f"<style>:root{{{by_night}background:var(--slate)}}"
        f"@media (prefers-color-scheme:light){{:root{{{by_day}}}}}</style>"
    )
    head, rest = drawn.split(">", 1)
    return f"{head}>{style}{rest}\n"
