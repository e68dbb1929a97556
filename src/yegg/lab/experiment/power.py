"""Power and duration of an experiment: games to play, time, and the smallest visible difference."""

import math
import os
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from yegg.lab.cells import Cell
from yegg.lab.simulation_report import table
from yegg.stats.intervals import Section
from yegg.text.phrases import counted, lasting, listing

from .schema import Experiment
from .shards import DEALS, played, prepare, setting

LOOK = 0.3  # seconds that all cells together play to find their speed, if a deal is no longer
POWER = 1.96 + 0.84  # standard errors that a difference must have to be found in 80 % of runs


def games(experiment: Experiment, cell: Cell) -> int:
    """How many games a cell plays, at most."""
    return experiment.deals[cell.level] * len(cell.seatings)


def visible(experiment: Experiment, cell: Cell) -> float:
    """The smallest difference of a share of one half that is seen in 80 % of runs."""
    return POWER * math.sqrt(2 * 0.25 / experiment.deals[cell.level])


def as_data(experiment: Experiment, seconds: Sequence[float]) -> dict[str, Any]:
    """For `yegg lab plan --json`; ``seconds`` are those of each cell."""
    return {
        "question": experiment.question,
        "cells": [
            {
                "variant": cell.variant.name,
                "level": cell.level,
                "deals": experiment.deals[cell.level],
                "games": games(experiment, cell),
                "seconds": took,
                "visible_share": visible(experiment, cell),
            }
            for cell, took in zip(experiment.cells, seconds, strict=True)
        ],
        "minutes": sum(seconds) / 60 / cores(),
    }


def as_text(experiment: Experiment) -> RenderableType:
    """For a terminal, before anything is measured."""
    section = Section("", ["rules", "players", "deals", "games", "sees shares apart by"])
    for cell in experiment.cells:
        apart = f"{100 * visible(experiment, cell):.1f} points"
        who, deals = (cell.variant.name, cell.level), experiment.deals[cell.level]
        section.rows.append([*who, deals, games(experiment, cell), apart])
    section.note = "80 % of the time, for shares about one half, if the same deals saved nothing"
    return Group(Text(experiment.question, "bold"), table(section))


def as_time(experiment: Experiment, seconds: Sequence[float]) -> str:
    """How long all takes here, and how long the players of each level take one core."""
    levels = dict.fromkeys((cell.level for cell in experiment.cells), 0.0)
    for cell, took in zip(experiment.cells, seconds, strict=True):
        levels[cell.level] += took
    here = f"About {lasting(sum(seconds) / cores())} here on {counted(cores(), 'core')}"
    each = listing([f"{lasting(took)} for {level}" for level, took in levels.items()])
    return f"{here}; of one core {each}."


def cores() -> int:
    """How many there are here."""
    return os.cpu_count() or 1


def timed(experiment: Experiment) -> list[float]:
    """How many seconds of a processor each cell takes: all play for a moment."""
    settings = [setting(experiment, cell) for cell in experiment.cells]
    asked = [(one, one.uncalibrated(spec, settings)) for one, spec in experiment.asked]
    some = replace(experiment, asked=tuple(asked))
    prepare(some)
    each = LOOK / sum(len(stretches(some, cell)) for cell in some.cells)
    return [_timed(some, cell, each) for cell in some.cells]


def stretches(experiment: Experiment, cell: Cell) -> list[range]:
    """The deals of a cell, cut where fewer things are asked of the next than of those before."""
    deals = experiment.deals[cell.level]
    asked = [analysis.deals(spec) for analysis, spec in experiment.asked]
    ends = sorted({deals, *(most for most in asked if most and most < deals)})
    return [range(first, last) for first, last in zip([0, *ends], ends, strict=False)]


def _timed(experiment: Experiment, cell: Cell, look: float) -> float:
    """How many seconds a cell takes; the deals that calibrate its chances are like its first."""
    total = 0.0
    for deals in stretches(experiment, cell):
        rate = _rate(experiment, cell, deals, look)
        total += rate * len(deals)
        if not deals.start:
            pilots = sum(analysis.pilots(spec) for analysis, spec in experiment.asked)
            total += rate * pilots / len(cell.seatings)
    return total


def _rate(experiment: Experiment, cell: Cell, deals: range, look: float) -> float:
    """Seconds for a deal among some, as the last of ever larger parts of a block took them."""
    done, many, spent = 0, 1, 0.0
    while True:
        part = deals[done : done + many]
        began = time.thread_time()
        played(experiment, cell, part)
        took = time.thread_time() - began
        spent, done = spent + took, done + len(part)
        if spent + 2 * took > look or done >= len(deals):
            return took / len(part)
        many = min(2 * many, DEALS)
