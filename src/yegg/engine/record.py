"""What a state is made of: one NumPy record of named int32 fields."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

CHANCE, NOBODY = -1, -2  # the two actors who are not seats
SIDES = 16  # the most that a game has: its players, and a side that nobody plays

Ints = NDArray[np.int32]
States = NDArray[np.void]
"""A batch of states, shape (games,); one game is a batch of one."""


def copied(states: States) -> States:
    """A copy, byte for byte: NumPy's own goes field by field and takes ten times as long."""
    return np.frombuffer(bytearray(states.tobytes()), states.dtype)


class Option(int):
    """A field of the state that the table sets before the deal."""

    values: tuple[str, ...]
    says: str
    usual: int | Callable[[int, Mapping[str, int]], int]

    def code(self, value: str) -> int:
        """The number that stands for a value; raises ValueError for any other."""
        place = self.values.index(value)
        return int(value) if self._counts else place

    def text(self, code: int) -> str:
        """The value that a number stands for."""
        return str(code) if self._counts else self.values[code]

    def default(self, players: int, chosen: Mapping[str, int]) -> int:
        """The published rule; it may depend on the players and the options before it."""
        return self.usual(players, chosen) if callable(self.usual) else self.usual

    @property
    def _counts(self) -> bool:
        return all(value.isdecimal() for value in self.values)


def option(
    *values: str | int,
    says: str,
    usual: str | int | Callable[[int, Mapping[str, int]], int] | None = None,
) -> int:
    """Declare a field that is an option; ``usual`` is the published rule, else the first value.

    Numbers stand for themselves, words for their place in the list.  A callable
    ``usual(players, chosen)`` gives the code from what is already chosen.
    """
    made = Option()
    made.values, made.says = tuple(map(str, values)), says
    made.usual = usual if callable(usual) else made.code(str(values[0] if usual is None else usual))
    return made


def row(*shape: int) -> Ints:
    """A field of many numbers: ``row(6)`` by suit, ``row(5, 6)`` by seat and suit."""
    return np.zeros(shape, np.int32)


class Record:
    """A state type: subclasses list their fields, all of them int32.

    Nothing is ever made from such a class: it gives names to people and to the
    type checker, and a ``dtype`` to NumPy.  A state is one NumPy record, born all
    zeros, padded to whole 64-bit words.  The first field must be ``players``.
    """

    players: int
    dtype: ClassVar[np.dtype[Any]]
    options: ClassVar[dict[str, Option]]

    def __init_subclass__(cls) -> None:
        listed = {k: v for k, v in vars(cls).items() if k[0] != "_"}
        if taken := listed.keys() & set(dir(np.record)):
            raise TypeError(f"numpy keeps these names for itself: {', '.join(sorted(taken))}")
        if next(iter(listed), "") != "players":
            raise TypeError("the first field of a state is 'players'")
        fields: list[tuple[str, str, tuple[int, ...]]]
        fields = [(name, "i4", np.shape(v)) for name, v in listed.items()]
        if np.dtype(fields).itemsize % 8:
            fields.append(("_pad", "i4", ()))
        cls.dtype = np.dtype((np.record, fields), align=True)
        cls.options = {k: v for k, v in listed.items() if isinstance(v, Option)}
