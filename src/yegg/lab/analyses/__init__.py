"""Analyses of an experiment's games, a module for each."""

from importlib.metadata import entry_points
from typing import Any

from .analysis import Analysis, Context, PlayedGames
from .decision_quality import Decisions
from .fork_effects import Forks
from .rule_usage import Rules
from .win_probability import WinProbability

__all__ = ["ANALYSES", "Analysis", "Context", "PlayedGames"]

ANALYSES: list[Analysis[Any, Any]] = [
    *(Forks(), WinProbability(), Decisions(), Rules()),
    *(entry.load() for entry in entry_points(group="yegg.analyses")),
]
"""All of them, in the order of a report; last those of other packages."""
