"""A state: one NumPy record of named int32 fields."""

import math
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from yegg.text.phrases import listing

from .errors import Refused

CHANCE, NOBODY = -1, -2  # the two actors that are not seats
SIDES = 16  # the most that a game has: its players, and a side that nobody plays

TAKEN = frozenset({*dir(np.record), "Fields", "cells", "numbers", "options", "places"})
"""What no field can be called: NumPy's records and ours have it."""

Ints = NDArray[np.int32]
States = NDArray[np.void]
"""A batch of states, shape (games,); one game is a batch of one."""
Bounds = tuple[int, int]
"""The least and the greatest that a number can be."""


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
    def bounds(self) -> Bounds:
        """The least and the greatest number that stands for a value."""
        codes = [self.code(value) for value in self.values]
        return min(codes), max(codes)

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


class Bounded(int):
    """A field of one number, and what it can be."""

    bounds: Bounds


class BoundedRow(np.ndarray[Any, Any]):
    """A field of many numbers, and what each can be."""

    bounds: Bounds


def number(most: int, least: int = 0) -> int:
    """Declare a field of one number from ``least`` to ``most``, what views hold included."""
    made = Bounded()
    made.bounds = int(least), int(most)
    return made


def row(*shape: int, most: int | None = None, least: int = 0) -> Ints:
    """Declare a field of many numbers: ``row(6)`` by suit, ``row(5, 6)`` by seat and suit.

    Each is from ``least`` to ``most``; without a ``most`` nothing is said of them.
    """
    if most is None:
        return np.zeros(shape, np.int32)
    made = np.zeros(shape, np.int32).view(BoundedRow)
    made.bounds = int(least), int(most)
    return made


class Record:
    """The type of a game's states: subclasses list its fields, all of them int32.

    It has no instances.  It names the fields for people and for the type checker, and gives NumPy
    a ``dtype``.  A state is one NumPy record that begins as zeros and is padded to whole 64-bit
    words.  Its first field must be ``players``.  A subclass raises Refused where a field cannot
    have its name.
    """

    players: int
    Fields: ClassVar[type["Fields"]]
    """The class of its states."""
    dtype: ClassVar[np.dtype[Any]]
    options: ClassVar[dict[str, Option]]
    bounds: ClassVar[dict[str, Bounds]]
    """Of the fields that declare any; by them `yegg.engine.border` checks foreign states."""

    def __init_subclass__(cls) -> None:
        listed = {k: v for k, v in vars(cls).items() if k[0] != "_"}
        if taken := sorted(listed.keys() & TAKEN):
            names = listing([repr(name) for name in taken], "or")
            why = "records need that name for themselves (docs/add-a-game.md lists all such names)"
            raise Refused(f"{cls.__module__}: no field of a state can be called {names}: {why}")
        if next(iter(listed), "") != "players":
            raise Refused(f"{cls.__module__}: the first field of a state is 'players'")
        fields: list[tuple[str, str, tuple[int, ...]]]
        fields = [(name, "i4", np.shape(v)) for name, v in listed.items()]
        if np.dtype(fields).itemsize % 8:
            fields.append(("_pad", "i4", ()))
        cls.Fields = fields_of(cls, np.dtype(fields))
        cls.dtype = np.dtype((cls.Fields, fields), align=True)
        cls.options = {k: v for k, v in listed.items() if isinstance(v, Option)}
        cls.bounds = {k: v.bounds for k, v in listed.items() if hasattr(v, "bounds")}


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
    ones = {name: one_number(place) for name, (place, shape) in places.items() if not shape}
    found_as = {"__module__": state.__module__, "__qualname__": f"{state.__qualname__}.Fields"}
    return type("Fields", (Fields,), {"places": places, **ones, **found_as})


def one_number(place: int) -> property:
    """A field of one number."""
    return property(lambda state: state.cells[place])
