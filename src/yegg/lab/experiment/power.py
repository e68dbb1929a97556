"""Power and duration of an experiment: games to play, time, and the smallest visible difference."""

import math
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType

from yegg.lab.analyses.measures import by_deal
from yegg.lab.cells import Cell, who
from yegg.lab.terminal import Prose, table
from yegg.stats.intervals import Section
from yegg.stats.kinds import Kind
from yegg.text.phrases import capital, counted, grouped, lasting, listing
from yegg.text.plain_numbers import margin_in_words, points

from .schema import Experiment
from .shards import DEALS, played, prepare, setting

if TYPE_CHECKING:
    import polars as pl

FEWEST = 10  # deals that tell how a measure varies
LOOK = 0.3  # seconds that all cells together play to find their speed, if a deal is no longer
POWER = 1.96 + 0.84  # standard errors that a difference must have to be found in 80 % of runs


def games(experiment: Experiment, cell: Cell) -> int:
    """How many games a cell plays, at most."""
    return experiment.deals[cell.level] * len(cell.seatings)


@dataclass(frozen=True)
class Looked:
    """What a moment told of a cell."""

    seconds: float
    """Of a processor, for all its deals."""
    tables: tuple[Any, ...]
    """Of the games of the moment, as they are kept; the deals of each stretch once."""
    seatings: Sequence[tuple[int, ...]]

    @cached_property
    def games(self) -> "pl.DataFrame":
        """The games of the moment."""
        import polars as pl

        games: pl.DataFrame = pl.concat([one[""] for one in self.tables], how="diagonal")
        return games


@dataclass(frozen=True)
class Visible:
    """What an experiment can tell of a measure between some players."""

    measure: str
    level: str
    smallest: float | None
    """The smallest difference that is seen in 80 % of runs; None where too few games had one."""
    margin: float | None
    """The smallest margin of its claims, if it has any."""


def visible(experiment: Experiment, cell: Cell) -> float:
    """The smallest difference of a share of one half that is seen in 80 % of runs."""
    return POWER * math.sqrt(2 * 0.25 / experiment.deals[cell.level])


def told_apart(experiment: Experiment, looked: Sequence[Looked]) -> list[Visible]:
    """What can be told of every measure that is asked for, as far as a moment's games tell.

    Of several variants the one counts whose deals vary most.
    """
    margins: dict[str, float] = {}
    for claim in experiment.claims:
        margins[claim.measure] = min(claim.margin, margins.get(claim.measure, math.inf))
    told = []
    for name in experiment.measures:
        for level in experiment.samples:
            spreads = [
                _spread(experiment, name, one)
                for cell, one in zip(experiment.cells, looked, strict=True)
                if cell.level == level
            ]
            known = [spread for spread in spreads if spread is not None]
            deals = experiment.deals[level]
            smallest = POWER * max(known) * math.sqrt(2 / deals) if known else None
            told.append(Visible(name, level, smallest, margins.get(name)))
    return told


def _spread(experiment: Experiment, name: str, looked: Looked) -> float | None:
    """How a measure varies from deal to deal; None if too few deals have it."""
    rows = by_deal(looked.games, {name: experiment.measures[name]}, experiment.shown)
    values = rows[name].drop_nulls().to_numpy()
    if len(values) < FEWEST:
        return None
    spread = float(values.std(ddof=1))
    if experiment.shown[name].kind is Kind.SHARE:  # one of either kind might come next
        share = (float(values.mean()) * len(values) + 1) / (len(values) + 2)
        return max(spread, math.sqrt(share * (1 - share) / len(looked.seatings)))
    return spread


def to_dict(experiment: Experiment, looked: Sequence[Looked]) -> dict[str, Any]:
    """For `yegg lab plan --json`; ``looked`` is what each cell played for a moment."""
    seconds = [one.seconds for one in looked]
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
        "visible": [vars(one) for one in told_apart(experiment, looked)],
    }


def as_text(experiment: Experiment) -> RenderableType:
    """For a terminal, before anything is measured."""
    section = Section("What would be played", ["rules", "players", "deals", "games"])
    for cell in experiment.cells:
        deals = experiment.deals[cell.level]
        row = [cell.variant.called, who(cell.level), grouped(deals)]
        section.rows.append([*row, grouped(games(experiment, cell))])
    names = listing([experiment.called(name) for name in experiment.measures])
    return Group(Prose(experiment.question, "bold"), Prose(f"Asked for: {names}."), table(section))


def as_visible(experiment: Experiment, looked: Sequence[Looked]) -> RenderableType:
    """For a terminal: what can be told of each measure, and how long all takes here."""
    told = told_apart(experiment, looked)
    margins = any(one.margin is not None for one in told)
    section = Section(
        "What it can tell apart",
        ["measure", "players", "from a difference of", *(["margin claimed"] if margins else [])],
        note="found in 80 % of runs, if the same deals saved nothing; from the games of a moment",
    )
    for one in told:
        share = experiment.shown[one.measure].kind.percent
        apart = "too few games to say"
        if one.smallest is not None:
            apart = points(one.smallest, share=share)
        row = [capital(experiment.called(one.measure)), who(one.level), apart]
        margin = "" if one.margin is None else margin_in_words(one.margin, share=share)
        section.rows.append([*row, *([margin] if margins else [])])
    return Group(table(section), Prose(as_time(experiment, [one.seconds for one in looked])))


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


def looked_at(experiment: Experiment) -> list[Looked]:
    """What each cell needs and what its first games were: all play for a moment."""
    settings = [setting(experiment, cell) for cell in experiment.cells]
    asked = [(one, one.uncalibrated(spec, settings)) for one, spec in experiment.asked]
    some = replace(experiment, asked=tuple(asked))
    prepare(some)
    each = LOOK / sum(len(stretches(some, cell)) for cell in some.cells)
    return [_looked(some, cell, each) for cell in some.cells]


def stretches(experiment: Experiment, cell: Cell) -> list[range]:
    """The deals of a cell, cut where fewer things are asked of the next than of those before."""
    deals = experiment.deals[cell.level]
    asked = [analysis.deals(spec) for analysis, spec in experiment.asked]
    ends = sorted({deals, *(most for most in asked if most and most < deals)})
    return [range(first, last) for first, last in zip([0, *ends], ends, strict=False)]


def _looked(experiment: Experiment, cell: Cell, look: float) -> Looked:
    """What a cell takes; the deals that calibrate its chances are like its first."""
    total, tables = 0.0, []
    for deals in stretches(experiment, cell):
        rate, some = _rate(experiment, cell, deals, look)
        tables += some
        total += rate * len(deals)
        if not deals.start:
            pilots = sum(analysis.pilots(spec) for analysis, spec in experiment.asked)
            total += rate * pilots / len(cell.seatings)
    return Looked(total, tuple(tables), cell.seatings)


def _rate(experiment: Experiment, cell: Cell, deals: range, look: float) -> tuple[float, list[Any]]:
    """Seconds for a deal among some, as the last of ever larger parts of a block took them.

    With them the tables of the games that were played.
    """
    done, many, spent = 0, 1, 0.0
    tables = []
    while True:
        part = deals[done : done + many]
        began = time.thread_time()
        tables.append(played(experiment, cell, part))
        took = time.thread_time() - began
        spent, done = spent + took, done + len(part)
        if spent + 2 * took > look or done >= len(deals):
            return took / len(part), tables
        many = min(2 * many, DEALS)
