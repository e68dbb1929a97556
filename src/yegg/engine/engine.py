"""A game's kernels, built once and ready to call."""

from collections.abc import Sequence
from types import FunctionType, ModuleType
from typing import Any, cast

import numpy as np

from . import kernels
from .forge import Forge, How
from .record import SIDES, States


class Engine:
    """Kernels over some modules: a game's rules, perhaps its lore and a player."""

    def __init__(self, *parts: ModuleType, how: How = "compiled") -> None:
        """``parts`` as for `Forge`."""
        self.forge = Forge(*parts, how=how)
        self.choices = int(parts[0].CHOICES)
        self.made: dict[Any, Any] = {}

    def kernel(self, function: Any) -> Any:
        """A kernel of any module of ours, over this game."""
        if function not in self.made:
            self.made[function] = self.forge.kernel(cast("FunctionType", function))
        return self.made[function]

    def cold(self, *functions: Any) -> bool:
        """Whether one of these kernels (those of a match, if none is named) must be compiled."""
        wanted = functions or (kernels.begin, kernels.advance, kernels.options_of, kernels.veil)
        return any(self.forge.cold(function) for function in wanted)

    def result(self, states: States) -> tuple[list[int], list[int]]:
        """Scores and standings of the first game, by side."""
        scores, standings = np.zeros(SIDES, np.int32), np.zeros(SIDES, np.int64)
        n = int(self.kernel(kernels.result)(states.copy(), scores, standings))
        return scores[:n].tolist(), standings[:n].tolist()


def places(standings: Sequence[int]) -> list[int]:
    """Every side's place, 1 the best; ties share one and the next are skipped."""
    return [1 + sum(other > mine for other in standings) for mine in standings]
