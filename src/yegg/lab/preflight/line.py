"""A line of the pre-flight: a question, what was found, with an interval, and a verdict."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from yegg.stats.intervals import Figure, Section, as_value

Verdict = Literal["fine", "look at it", "fault"]


@dataclass(frozen=True)
class Line:
    """What one detector says."""

    key: str
    title: str
    says: str
    """A sentence without a full stop."""
    figure: Figure
    """The number that the verdict goes by, with its interval."""
    verdict: Verdict
    why: str
    """Where the thresholds of the verdict lie, and for what reason."""
    names: Sequence[str] = ()
    """The cards or words that are meant, where the verdict is about some."""
    details: Sequence[Section] = field(default=())

    def to_dict(self) -> dict[str, Any]:
        """The line for `--json` and ``report.json``."""
        return {
            "key": self.key,
            "title": self.title,
            "says": self.says,
            **as_value(self.figure),
            "verdict": self.verdict,
            "why": self.why,
            "names": list(self.names),
        }


def above(figure: Figure, look: float, fault: float) -> Verdict:
    """The verdict on a number that should be small: where its whole interval lies above."""
    return "fault" if figure.low > fault else "look at it" if figure.low > look else "fine"


def worst(verdicts: Sequence[Verdict]) -> Verdict:
    """The gravest of some verdicts."""
    order: tuple[Verdict, ...] = ("fault", "look at it", "fine")
    return next((one for one in order if one in verdicts), "fine")
