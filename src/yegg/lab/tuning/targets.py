"""What a designer aims at: targets for measures, and how far a setting is from all of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from yegg.engine import Refused
from yegg.stats.intervals import Figure
from yegg.text.phrases import offered

Floats = NDArray[np.float64]
WAYS = ("is", "below", "above")
KEYS = ("of", "title", "weight", *WAYS)


@dataclass(frozen=True)
class Target:
    """What a measure should be."""

    name: str
    of: str
    """An expression over the columns of a game."""
    title: str
    way: str
    """``is``, ``below`` or ``above`` …"""
    value: float
    """… this."""
    weight: float = 1.0
    share: bool = False
    """Whether it lies from 0 to 1 in every game."""

    @property
    def unit(self) -> float:
        """What counts as one: a point of a share, else a hundredth of what it should be."""
        return 0.01 if self.share or not self.value else abs(self.value) / 100

    def off(self, means: Any) -> Any:
        """How far means are off, in the measure's own units."""
        apart = np.asarray(means, float) - self.value
        if self.way == "is":
            return np.abs(apart)
        return np.maximum(apart if self.way == "below" else -apart, 0.0)

    def miss(self, means: Any) -> Any:
        """How much that counts: its part of the loss."""
        return self.weight * self.off(means) / self.unit

    def within(self, low: float, high: float) -> tuple[float, float]:
        """How far a mean can be off that lies between two numbers: at least, and at most."""
        ends = [float(self.miss(end)) for end in (low, high)]
        reached = low <= self.value <= high
        return (0.0 if reached else min(ends)), max(ends)

    def wanted(self) -> str:
        """What it should be, in words: ``15``, ``below 2 %``."""
        said = f"{100 * self.value:g} %" if self.share else f"{self.value:g}"
        return said if self.way == "is" else f"{self.way} {said}"

    def missed(self, figure: Figure) -> bool:
        """Whether it is clearly missed: nothing that the figure may be would do."""
        return self.within(figure.low, figure.high)[0] > 0


def loss(targets: Sequence[Target], means: Floats) -> Floats:
    """How far all targets together are missed; ``means`` (…, targets), the lower the better."""
    parts = [target.miss(means[..., at]) for at, target in enumerate(targets)]
    total: Floats = np.sum(parts, axis=0)
    return np.where(np.isnan(total), np.inf, total)


def targets(given: Any) -> list[Target]:
    """A file's ``[target]``.  Raises Refused.  Whether they are shares is not known yet."""
    if not isinstance(given, dict) or not given:
        raise Refused(
            "target is a table: what the search aims at, as minutes = { is = 30 } or "
            'tied = { of = "winners > 1", below = 0.02 }'
        )
    return [_target(name, said) for name, said in given.items()]


def _target(name: str, said: Any) -> Target:
    entry = dict(said) if isinstance(said, Mapping) else {"is": said}
    for key in entry:
        if key not in KEYS:
            raise Refused(f"target.{name} has no key {key!r}; {offered(key, KEYS)}")
    ways = [way for way in WAYS if way in entry]
    if len(ways) != 1:
        raise Refused(f"target.{name} has one of is, below and above, as {{ is = 30 }}")
    value, weight = (_finite(name, entry.get(key, 1.0), key) for key in (ways[0], "weight"))
    if weight <= 0:
        raise Refused(f"target.{name}.weight is more than 0, not {weight:g}")
    of = entry.get("of", name)
    if not isinstance(of, str):
        raise Refused(f"target.{name}.of: write an expression over columns, in quotes")
    return Target(name, of, str(entry.get("title", "")), ways[0], value, weight)


def _finite(name: str, value: Any, key: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e9:
        raise Refused(f"target.{name}.{key} is a number, not {value!r}")
    return float(value)
