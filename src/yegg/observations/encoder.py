"""Writes what seats may know of games as rows of numbers."""

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from yegg.engine import Ints, States
from yegg.engine.compiler import toolchain

from . import encode
from .setting import Setting

WHOLE = {"float32": 2**31 - 1, "int8": 127}
"""The largest whole number that observations of a type hold."""


class Encoder:
    """Writes what seats may know of B games of a setting, with C columns."""

    def __init__(self, setting: Setting, states: States, dtype: str = "float32") -> None:
        """``states``, shape (B,), are looked at whenever something is written."""
        self.states = states
        view, extra = np.zeros(1, states.dtype), np.zeros(1, setting.extra)
        self.look = encode.Look(
            words=words(states),
            seen=view,
            seen_words=words(view),
            extra=extra,
            extra_words=words(extra)[:, : None if setting.counts else 0],
            plan=setting.plan,
            more=setting.more_plan,
            scale=setting.scale if dtype == "float32" else np.ones_like(setting.scale, np.int8),
            most=WHOLE[dtype],
            secret=int(setting.game.secret),
        )
        self._kernel = setting.engine.kernel(encode.look_many)

    @cached_property
    def _direct(self) -> Any:
        rows = np.zeros((1, self.look.scale.size), self.look.scale.dtype)
        return toolchain().direct(
            self._kernel, self.look, self.states, np.zeros(1, np.int32), 0, rows
        )

    def write(self, seats: Ints, rows: NDArray[Any], *, hidden: bool = True) -> None:
        """Write to ``rows`` (B, C) what ``seats`` (B,) may know; nothing where a seat is -1.

        Everything is written if not ``hidden``.
        """
        secret = self.look.secret if hidden else 0
        self._direct(self.look, self.states, seats, secret, rows)

    def write_other(
        self, states: States, seats: Ints, rows: NDArray[Any], *, hidden: bool = True
    ) -> None:
        """The same of other games."""
        look = self.look._replace(words=words(states))
        self._kernel(look, states, seats, look.secret if hidden else 0, rows)


def words(states: States) -> Ints:
    """The memory of states as numbers, (B, words)."""
    return states.view(np.int32).reshape(len(states), -1)
