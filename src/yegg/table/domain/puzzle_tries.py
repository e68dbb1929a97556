"""First tries at a puzzle: how often people found the answer."""

from dataclasses import dataclass

from yegg.stats.intervals import Figure, proportion

ENOUGH = 30
"""From so many first tries on, how often people found it takes the place of the difficulty."""


@dataclass(frozen=True)
class Tries:
    """All first tries at a puzzle, and somebody's own."""

    many: int = 0
    found: int = 0
    own: bool | None = None
    """Whether they found it at their first try; None: they have not tried."""

    @property
    def share(self) -> Figure | None:
        """How often it was found; None as long as too few have tried."""
        return proportion(self.found, self.many) if self.many >= ENOUGH else None
