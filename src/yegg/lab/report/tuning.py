"""The report of tuning: what a search of settings found, besides the report of its last run."""

import math
import statistics
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from yegg.lab import plots
from yegg.lab.experiment.rules_in_words import value_in_words
from yegg.lab.plots import Mark, Panel
from yegg.lab.tuning.result import Closest, answer, median, method, sentences, table, to_dict
from yegg.stats.intervals import Section, finite
from yegg.text.phrases import capital, counted

from .content import made_by

VALUES = 40  # values of options at most that are drawn


def sheet(closest: Closest, last: Mapping[str, Any]) -> dict[str, Any]:
    """A report; ``last`` is the sheet of the last run."""
    tuning = closest.tuning
    played = sum(len(one.tried) * len(one.deals) for one in closest.rounds)
    return {
        **last,
        "search": to_dict(closest),
        "answer": answer(closest),
        "meta": [f"{tuning.many} settings", f"{played} deals of the search", *last["meta"]],
        "findings": [{"says": head, "figures": figures} for head, figures in sentences(closest)],
        "method": [capital(said) for said in method(closest)] + list(last["method"]),
        "repeat": {
            **last["repeat"],
            "command": "yegg lab tune experiment.toml --out again",
            "made_by": made_by([tuning.game], tuning.experiment.seed),
            "file": tuning.source,
        },
    }


def panels(closest: Closest) -> Iterator[Panel]:
    """Plots of a search: the settings left, its rounds, and the values of each option."""
    marks = [Mark(one.variant.called, one.loss, one.low, one.high) for one in closest.left]
    says = f"How far {counted(len(marks), 'setting')} are off, over the same fresh deals."
    draw = partial(plots.dots, marks, "off by, in hundredths")
    yield Panel("left", "What comes closest", says, draw, table(closest))
    if closest.rounds:
        yield _field(closest)
    if values := _values(closest):
        yield values


def _field(closest: Closest) -> Panel:
    """Every setting of every round, and the way of the search's choice."""
    chosen = closest.left[0].name
    columns = ["round", "settings", "deals each", "best", "off by", "half are off by less than"]
    section = Section("The rounds of the search, each over deals of its own", columns)
    points: list[tuple[str, float, bool]] = []
    for at, made in enumerate(closest.rounds, 1):
        head = f"{at}: {len(made.tried)}"
        points += [
            (head, one.loss, one.setting.name == chosen)
            for one in made.tried
            if math.isfinite(one.loss)
        ]
        best = made.tried[0]
        row = [at, len(made.tried), len(made.deals), best.setting.called]
        section.rows.append([*row, *(_number(loss) for loss in (best.loss, median(made)))])
    says = (
        f"Each line is a setting: how far off it was in {counted(len(closest.rounds), 'round')}; "
        f"the points are {closest.left[0].called}."
    )
    draw = partial(plots.rounds, points, "off by, in hundredths")
    return Panel("field", "How the field thinned out", says, draw, section)


def _values(closest: Closest) -> Panel | None:
    """How far off the settings with each value were, in the first round."""
    axes = {name: values for name, values in closest.tuning.axes.items() if len(values) > 1}
    if not closest.rounds or not 1 < sum(map(len, axes.values())) <= VALUES:
        return None
    first = closest.rounds[0]
    marks = []
    section = Section(
        f"The first round, {counted(len(first.deals), 'deal')} each: the middle half of the "
        "settings with each value",
        ["value", "settings", "a quarter is off by less than", "half", "three quarters"],
    )
    for name, values in axes.items():
        for value in values:
            said = value_in_words(closest.tuning.game, name, value)
            some = [
                one.loss
                for one in first.tried
                if closest.tuning.point(one.setting)[name] == value and math.isfinite(one.loss)
            ]
            if len(some) < 2:
                continue
            low, half, high = statistics.quantiles(some, n=4, method="inclusive")
            marks.append(Mark(said, half, low, high))
            section.rows.append([said, len(some), *map(_number, (low, half, high))])
    if not marks:
        return None
    says = "Where other options are drawn too, this is what a value does on the whole."
    draw = partial(plots.dots, marks, "off by, in hundredths")
    return Panel("values", "Which values did well", says, draw, section)


def _number(value: float) -> dict[str, object]:
    """A number as a cell."""
    known = finite(value)
    return {"value": known, "interval": None, "text": "–" if known is None else f"{known:.1f}"}
