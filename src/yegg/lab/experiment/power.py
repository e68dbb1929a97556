"""What an experiment would play, how long it would take here, and what it could see."""

import math
import os
import time
from dataclasses import dataclass
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from yegg.lab.cells import Cell
from yegg.lab.simulation_report import table
from yegg.stats.intervals import Section
from yegg.text.phrases import counted

from .schema import Experiment
from .shards import played, prepare

LOOK = 2.0  # seconds that each cell plays to find its speed
POWER = 1.96 + 0.84  # standard errors that a difference must have to be found in 80 % of runs


@dataclass(frozen=True)
class Planned:
    """A cell, and what playing it takes."""

    cell: Cell
    deals: int
    games: int
    seconds: float
    """Processor time for all its games."""
    visible: float
    """The smallest difference of a share of one half that is seen in 80 % of runs."""


@dataclass(frozen=True)
class Plan:
    """A whole experiment."""

    experiment: Experiment
    cells: tuple[Planned, ...]

    @property
    def minutes(self) -> float:
        """How long it takes here, on all cores."""
        return sum(cell.seconds for cell in self.cells) / 60 / (os.cpu_count() or 1)

    def as_data(self) -> dict[str, Any]:
        """For `yegg lab plan --json`."""
        return {
            "question": self.experiment.question,
            "cells": [
                {
                    "variant": one.cell.variant.name,
                    "level": one.cell.level,
                    "deals": one.deals,
                    "games": one.games,
                    "seconds": one.seconds,
                    "visible_share": one.visible,
                }
                for one in self.cells
            ],
            "minutes": self.minutes,
        }

    def as_text(self) -> RenderableType:
        """For a terminal."""
        section = Section(
            "", ["rules", "players", "deals", "games", "time", "sees shares apart by"]
        )
        for one in self.cells:
            times = f"{one.seconds:.1f} s"
            apart = f"{100 * one.visible:.1f} points"
            section.rows.append(
                [one.cell.variant.name, one.cell.level, one.deals, one.games, times, apart]
            )
        section.note = (
            "80 % of the time, for shares about one half, if the same deals saved nothing; "
            "time is of one core"
        )
        total = f"About {self.minutes:.1f} minutes here on {counted(os.cpu_count() or 1, 'core')}."
        return Group(Text(self.experiment.question, "bold"), table(section), Text(total))


def planned(experiment: Experiment) -> Plan:
    """Play each cell for a moment."""
    prepare(experiment)
    return Plan(experiment, tuple(_planned(experiment, cell) for cell in experiment.cells))


def _planned(experiment: Experiment, cell: Cell) -> Planned:
    deals, done, many, spent = experiment.deals[cell.level], 0, 1, 0.0
    while spent < LOOK and done < deals:
        many = min(many * 2, 250)
        began = time.thread_time()
        played(experiment, cell, range(done, done + many))
        spent += time.thread_time() - began
        done += many
    visible = POWER * math.sqrt(2 * 0.25 / deals)
    games = deals * len(cell.seatings)
    return Planned(cell, deals, games, spent / done * deals, visible)
