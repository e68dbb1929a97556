"""A state: one NumPy record of named int32 fields."""

import math
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

CHANCE, NOBODY = -1, -2  # the two actors that are not seats
SIDES = 16  # the most that a game has: its players, and a side that nobody plays

Ints = NDArray[np.int32]
States = NDArray[np.void]
"""A batch of states, shape (games,); one game is a batch of one."""


def copied(states: States) -> States:
    """A copy of states; NumPy's own copies field by field and takes ten times as long."""
    return np.frombuffer(bytearray(states.tobytes()), states.dtype)


class Option(int):
    """A field of the state that is set before the deal: a choice between rules."""

    values: tuple[str, ...]
    says: str
    usual: int | Callable[[int, Mapping[str, int]], int]

    def code(self, value: str) -> int:
        """The number that stands for a value.  Raises ValueError if it is none of ``values``."""
        place = self.values.index(value)
        return int(value) if self._counts else place

    def text(self, code: int) -> str:
        """The value that a number stands for."""
        return str(code) if self._counts else self.values[code]

    def default(self, players: int, chosen: Mapping[str, int]) -> int:
        """The published rule's number; it may depend on the players and the options before it."""
        return self.usual(players, chosen) if callable(self.usual) else self.usual

    @property
    def _counts(self) -> bool:
        return all(value.isdecimal() for value in self.values)


def option(
    *values: str | int,
    says: str,
    usual: str | int | Callable[[int, Mapping[str, int]], int] | None = None,
) -> int:
    """Declare a field that is an option; ``says`` tells what it means.

    ``usual`` is the published rule, by default the first value.  In the state numbers stand for
    themselves, and words for their index in the list.  If ``usual`` is a function, ``usual(players,
    chosen)`` returns that number from the options declared before.
    """
    made = Option()
    made.values, made.says = tuple(map(str, values)), says
    made.usual = usual if callable(usual) else made.code(str(values[0] if usual is None else usual))
    return made


def row(*shape: int) -> Ints:
    """Declare a field of many numbers: ``row(6)`` by suit, ``row(5, 6)`` by seat and suit."""
    return np.zeros(shape, np.int32)


class Record:
    """The type of a game's states: subclasses list its fields, all of them int32.

    It has no instances.  It names the fields for people and for the type checker, and gives NumPy
    a ``dtype``.  A state is one NumPy record that begins as zeros and is padded to whole 64-bit
    words.  Its first field must be ``players``.
    """

    players: int
    Fields: ClassVar[type["Fields"]]
    """The class of its states."""
    dtype: ClassVar[np.dtype[Any]]
    options: ClassVar[dict[str, Option]]

    def __init_subclass__(cls) -> None:
        listed = {k: v for k, v in vars(cls).items() if k[0] != "_"}
        if taken := listed.keys() & {*dir(np.record), "cells", "numbers", "places"}:
            raise TypeError(f"a state needs these names for itself: {', '.join(sorted(taken))}")
        if next(iter(listed), "") != "players":
            raise TypeError("the first field of a state is 'players'")
        fields: list[tuple[str, str, tuple[int, ...]]]
        fields = [(name, "i4", np.shape(v)) for name, v in listed.items()]
        if np.dtype(fields).itemsize % 8:
            fields.append(("_pad", "i4", ()))
        cls.Fields = fields_of(cls, np.dtype(fields))
        cls.dtype = np.dtype((cls.Fields, fields), align=True)
        cls.options = {k: v for k, v in listed.items() if isinstance(v, Option)}


class Row(np.ndarray[Any, Any]):
    """A field of many numbers, each of them Python's own."""

    def __getitem__(self, key: Any) -> Any:
        """A number, or a row of some."""
        if self.ndim == 1 or type(key) is tuple:
            try:
                return self.item(key)
            except (TypeError, ValueError):  # it means several
                pass
        return super().__getitem__(key)


class Fields(np.record):  # type: ignore[misc]  # NumPy makes such classes itself
    """A NumPy record whose fields are read many times as fast; `fields_of` makes its subclasses.

    Plain rules, words and faces read hundreds of fields.  A number is Python's own: NumPy's takes
    forty times as long to be compared with an IntEnum.  What is looked for once is kept.
    """

    places: ClassVar[dict[str, tuple[int, tuple[int, ...]]]]
    """Where each field begins, in numbers, and its shape."""

    base: Any  # the array that a state lies in

    __getattribute__ = np.void.__getattribute__  # attributes of the object come first, then fields

    def __getattr__(self, name: str) -> Any:
        """A field of many numbers; all ``numbers`` of the record; or all of them as ``cells``."""
        if name == "numbers":
            found: Any = numbers(self)
        elif name == "cells":
            found = memoryview(self.numbers)
        elif name in self.places:
            place, shape = self.places[name]
            found = self.numbers[place : place + math.prod(shape)].reshape(shape).view(Row)
        else:
            raise AttributeError(f"a state has no field {name!r}")
        if lies_in_array(self):
            self.__dict__[name] = found
        return found

    def __setattr__(self, name: str, value: Any) -> None:
        """Set a field."""
        if name not in self.places:
            raise AttributeError(f"a state has no field {name!r}")
        place, shape = self.places[name]
        if shape:
            getattr(self, name)[...] = value
        else:
            self.cells[place] = int(value)


def lies_in_array(state: Fields) -> bool:
    """Whether a state is one of a batch; else its memory is its own.

    What is of its own memory must not be kept in it: it would keep itself alive for ever, since
    NumPy's arrays take no part in collecting garbage.
    """
    return state.base is not None and state.base.ndim == 1


def numbers(state: Fields) -> Ints:
    """All numbers of a state, in the same memory."""
    if not lies_in_array(state):
        return np.asarray(state).reshape(1).view(np.int32)
    states: States = state.base
    at = (address(state) - address(states)) // (states.strides[0] or 1)
    cells: Ints = states[at : at + 1].view(np.int32)
    return cells


def address(thing: Fields | NDArray[Any]) -> int:
    """Where something begins in memory; ``__array_interface__`` would describe its type first."""
    return np.asarray(thing).ctypes.data


def fields_of(state: type[Record], dtype: np.dtype[Any]) -> type[Fields]:
    """The class of a game's states; it is found again by its name when a state is unpickled."""
    size = np.dtype(np.int32).itemsize
    places = {name: (at // size, of.shape) for name, (of, at, *_) in (dtype.fields or {}).items()}
    ones = {name: number(place) for name, (place, shape) in places.items() if not shape}
    found_as = {"__module__": state.__module__, "__qualname__": f"{state.__qualname__}.Fields"}
    return type("Fields", (Fields,), {"places": places, **ones, **found_as})


def number(place: int) -> property:
    """A field of one number."""
    return property(lambda state: state.cells[place])
