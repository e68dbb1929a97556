"""A game's kernels, each built once and then ready to call."""

from collections.abc import Callable, Sequence
from types import FunctionType, ModuleType
from typing import Any, ParamSpec, TypeVar, cast

import numpy as np

from . import kernels
from .compiler import Compiler, How, toolchain
from .record import SIDES, States, copied

P = ParamSpec("P")
R = TypeVar("R")
MATCH = (
    kernels.begin,
    kernels.advance,
    kernels.options_of,
    kernels.veil,
    kernels.result,
    kernels.follow,
)
"""The kernels that every match needs."""


class Engine:
    """Kernels over some modules: a game's rules, perhaps its lore and a player."""

    def __init__(self, *parts: ModuleType, how: How = "compiled") -> None:
        """``parts`` as for `Compiler`."""
        self.compiler = Compiler(*parts, how=how)
        self.choices = int(parts[0].CHOICES)
        self._made: dict[Any, Any] = {}
        self._direct: dict[Any, Any] = {}

    def kernel(self, function: Callable[P, R]) -> Callable[P, R]:
        """A kernel over this game: the function itself, with the game's verbs in it.

        It takes and returns what the function does, so callers are checked.
        """
        if function not in self._made:
            self._made[function] = self.compiler.kernel(cast("FunctionType", function))
        made: Callable[P, R] = self._made[function]
        return made

    def direct(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> Callable[P, R]:
        """A kernel that is called with arguments of the types of these, and with no others.

        A call takes a third of the time, since their types are not looked at again.
        """
        kernel = self.kernel(function)
        if self.compiler.how == "plain":
            return kernel
        if self.compiler.how == "cuda":
            return kernel.specialize(*args)  # type: ignore[no-any-return,attr-defined]
        if function not in self._direct:
            self._direct[function] = toolchain().direct(kernel, *args, **kwargs)
        made: Callable[P, R] = self._direct[function]
        return made

    def cold(self, *functions: Callable[..., object]) -> bool:
        """Whether one of these kernels must be compiled; by default those that a match needs."""
        wanted = functions or MATCH
        return any(self.compiler.cold(cast("FunctionType", function)) for function in wanted)

    def result(self, states: States) -> tuple[list[int], list[int]]:
        """The scores and standings of the first game, by side."""
        scores, standings = np.zeros(SIDES, np.int32), np.zeros(SIDES, np.int64)
        n = int(self.kernel(kernels.result)(copied(states), scores, standings))
        return scores[:n].tolist(), standings[:n].tolist()


def places(standings: Sequence[int]) -> list[int]:
    """Every side's place, 1 the best; ties share one and the next are skipped."""
    return [1 + sum(other > mine for other in standings) for mine in standings]
