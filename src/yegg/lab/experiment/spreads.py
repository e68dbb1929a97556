"""How a measure spreads over games: counted in steps, which takes the same room for any number."""

import math
from collections import Counter, defaultdict
from dataclasses import dataclass

import numpy as np

from yegg.lab.cells import Cell
from yegg.stats.p_values import Floats

FINEST = 24  # steps between which nearly all games lie
QUARTERS = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True)
class Spread:
    """A measure over the games of a cell, not over its deals."""

    variant: str
    level: str
    measure: str
    step: float
    """How wide each bin is."""
    bins: tuple[tuple[float, int], ...]
    """Where a bin begins, and how many games it has; those without any are left out."""

    @property
    def games(self) -> int:
        """How many games have a value."""
        return sum(many for _, many in self.bins)

    def quantiles(self) -> list[float]:
        """The middle of the bins below whose ends such parts of the games lie (`QUARTERS`)."""
        whole = np.cumsum([many for _, many in self.bins])
        at = np.searchsorted(whole, np.array(QUARTERS) * self.games)
        return [self.bins[min(i, len(self.bins) - 1)][0] + self.step / 2 for i in at.tolist()]


class Spreads:
    """Counts of games by cell and measure; the first games of a measure say how fine they are."""

    def __init__(self) -> None:
        """Nothing is counted yet."""
        self._steps: dict[str, tuple[float, float]] = {}
        self._counts: dict[tuple[Cell, str], Counter[int]] = defaultdict(Counter)

    def add(self, cell: Cell, measure: str, values: Floats) -> None:
        """Count games; what has no value in a game is not counted."""
        known = values[np.isfinite(values)]
        if not known.size:
            return
        step, first = self._steps.setdefault(measure, _steps(known))
        places, many = np.unique(np.floor((known - first) / step + 1e-9), return_counts=True)
        for place, count in zip(places.astype(int).tolist(), many.tolist(), strict=True):
            self._counts[cell, measure][place] += count

    def every(self) -> list[Spread]:
        """What was counted, in the order of cells and measures."""
        return [
            Spread(
                cell.variant.name,
                cell.level,
                measure,
                self._steps[measure][0],
                tuple((self._begin(measure, place), many) for place, many in sorted(bins.items())),
            )
            for (cell, measure), bins in self._counts.items()
        ]

    def _begin(self, measure: str, place: int) -> float:
        step, first = self._steps[measure]
        return round(first + place * step, 9)


def _steps(known: Floats) -> tuple[float, float]:
    """How wide bins are, a round number, and where one begins.

    Whole numbers stand in the middle of a bin of width 1, and no bin holds half of one.
    """
    low, high = np.quantile(known, (0.005, 0.995))
    whole = bool(np.all(known == np.round(known)))
    wide = max(float(high - low) / FINEST, 1.0 if whole else 0.0)
    if not wide:
        return 1.0, float(np.floor(known[0]))
    power = 10.0 ** math.floor(math.log10(wide))
    step = next(n * power for n in (1, 2, 5, 10) if n * power >= wide * 0.999)
    return step, -0.5 if whole else 0.0
