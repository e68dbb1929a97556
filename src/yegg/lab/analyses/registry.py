"""The list of all analyses: those of this package, and those of other packages."""

from importlib.metadata import entry_points
from typing import Any

from .analysis import Analysis
from .decision_quality import Decisions
from .fork_effects import Forks
from .rule_usage import Rules
from .win_probability import WinProbability

ANALYSES: list[Analysis[Any, Any]] = [
    *(Forks(), WinProbability(), Decisions(), Rules()),
    *(entry.load() for entry in entry_points(group="yegg.analyses")),
]
"""All of them, in the order of a report; last those of other packages."""
