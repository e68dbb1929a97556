"""What may be claimed: when an answer is clear, when two things are equal, and when neither."""

from dataclasses import dataclass
from typing import Literal

ERROR = 0.05  # how often chance alone may make an answer clear
MARGIN = 0.03  # what two shares may differ by and still count as equal
UNFINISHED = 0.01  # above this share of games that did not end nothing is claimed

Answer = Literal["clear", "equal", "open"]


@dataclass(frozen=True)
class Interval:
    """A confidence interval of a mean; ``low`` and ``high`` are NaN where nothing is left."""

    low: float
    high: float

    def answer(self, fair: float, margin: float) -> Answer:
        """Whether the mean differs from ``fair``, equals it within ``margin``, or is not known."""
        if self.high < fair or self.low > fair:
            return "clear"
        if fair - margin <= self.low and self.high <= fair + margin:
            return "equal"
        return "open"


def verdict(p: float, low: float, high: float, margin: float) -> Answer:
    """Whether a difference is clear by its p-value, or equal: its whole interval in the margin."""
    if p < ERROR:
        return "clear"
    return "equal" if Interval(low, high).answer(0, margin) == "equal" else "open"
