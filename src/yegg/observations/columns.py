"""The plan by which a view becomes a row of numbers, worked out from a game's declarations."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from yegg.engine.columns import ME, SEAT, Bits, Card, Code, Held, Kind, Number, Pile, Table
from yegg.engine.record import Ints

Plans = NDArray[np.uint32]
"""Steps of a plan, for each seat that looks; lowest values wrap around."""


class Plan(NamedTuple):
    """What `encode` does with a state's words, which are its int32 numbers in a row.

    By seat, and then a row for each step.
    """

    numbers: Plans
    """(seats, n, 4): the first word, its column, how many there are in a row, the value of 0."""
    codes: Plans
    """(seats, n, 5): word, first column, first of its values in ``places``, least value, span."""
    bits: Plans
    """(seats, n, 3): word, column, bit."""
    cards: Plans
    """(seats, n, 6): word, first column, first in ``rows``, columns, the value without a row, and
    the row of zeros for it."""
    piles: Plans
    """(seats, n, 3): first word, first column, the word that says how many."""
    hands: Plans
    """(seats, n, 8): first word, first column, words, two places, slots, columns, in ``rows``."""
    places: Ints
    """The column of each value of a code, counted from its first column; -1: none.  After the last
    value of each code stands that of all others."""
    rows: Ints
    """All tables, row by row."""


class Columns:
    """The columns of a state's fields: a plan, and names, ``high`` and ``most`` of each."""

    def __init__(
        self, dtype: np.dtype[Any], kinds: Mapping[str, Kind], sides: int, first: int = 0
    ) -> None:
        """``first`` is the number of the first column.  Raises ValueError if two have one name."""
        self.dtype, self.sides, self.first = dtype, sides, first
        self.names: list[str] = []
        self.high: list[int] = []
        self.most: list[int] = []
        self.least: list[int] = []
        self._steps: dict[str, list[list[list[int]]]] = {name: [] for name in Plan._fields[:6]}
        self._places: list[int] = []
        self._rows: list[int] = []
        self._tables: dict[int, int] = {}
        for name, kind in kinds.items():
            self._add(name, kind)
        if len(set(self.names)) < len(self.names):
            twice = sorted({name for name in self.names if self.names.count(name) > 1})
            raise ValueError(f"columns of one name: {', '.join(twice)}")

    def plan(self, places: Sequence[int] | None = None) -> Plan:
        """The plan; it writes each column to its place in ``places`` if these are given.

        The columns of one field's number, card or hand must stand side by side there, too.
        """
        steps = {name: _by_seat(of, self.sides) for name, of in self._steps.items()}
        if places is not None:
            there = np.array(places, np.uint32)
            for of in steps.values():
                of[:, :, 1] = there[of[:, :, 1].astype(np.int64) - self.first]
        steps["numbers"] = joined(steps["numbers"])
        values = np.array(self._places or [0], np.int32)
        return Plan(**steps, places=values, rows=np.array(self._rows or [0], np.int32))

    def _next(self) -> int:
        return self.first + len(self.names)

    def _named(
        self, names: Sequence[str], high: Sequence[int] | int = 1, most: int = 0, least: int = 0
    ) -> None:
        highs = [high] * len(names) if isinstance(high, int) else list(high)
        self.names += names
        self.high += highs
        self.most += [most or one for one in highs]
        self.least += [least] * len(names)

    def _word(self, name: str) -> int:
        return int(self.dtype.fields[name][1]) // 4  # type: ignore[index]

    def _step(self, what: str, *numbers: Sequence[int] | int) -> None:
        """A step of a plan; a number for all seats, or one for each."""
        rows = [
            [one if isinstance(one, int) else one[seat] for one in numbers]
            for seat in range(self.sides)
        ]
        self._steps[what].append(rows)

    def _table(self, table: Table) -> int:
        if id(table) not in self._tables:
            self._tables[id(table)] = len(self._rows)
            self._rows += [*table.rows.ravel().tolist(), *(0 for _ in table.names)]
        return self._tables[id(table)]

    def _add(self, name: str, kind: Kind) -> None:
        """The columns of a field."""
        home = self._word(kind.source or name)
        if isinstance(kind, Pile):
            self._step("piles", home, self._next(), self._word(kind.count))
            self._named([f"{name}[{card}]" for card in kind.names])
            return
        if isinstance(kind, Held):
            self._hold(name, home, kind)
            return
        shape = self.dtype[kind.source or name].shape
        if len(kind.by) != len(shape):
            raise ValueError(f"{name} has {len(shape)} axes, and {len(kind.by)} are named")
        for words, label in spots(kind, shape, self.sides):
            self._show(name + label, [home + word for word in words], kind)

    def _show(self, name: str, words: Sequence[int], kind: Kind) -> None:
        """The columns of one number, which is at ``words[seat]``."""
        at = self._next()
        if isinstance(kind, Number):
            low = kind.low % 2**32
            self._step("numbers", words, at, 1, low)
            least = -BARE if kind.most == BARE else 0
            high = kind.high - kind.low
            self._named([name], high, max(kind.most - kind.low, high), least)
        elif isinstance(kind, Code):
            span = kind.span or len(kind.names)
            starts = [self._values(kind, seat, span) for seat in range(self.sides)]
            self._step("codes", words, at, starts, kind.low % 2**32, span)
            self._named([f"{name}={one}" for one in kind.names])
        elif isinstance(kind, Bits):
            for bit in range(len(kind.names)):
                self._step("bits", words, at + bit, bit)
            self._named([f"{name}.{one}" for one in kind.names])
        elif isinstance(kind, Card):
            table = kind.table
            wide = len(table.names)
            none = kind.none % 2**32
            self._step("cards", words, at, self._table(table), wide, none, len(table.rows))
            self._named([f"{name} {one}" for one in table.names], table.high)

    def _values(self, kind: Code, seat: int, span: int) -> int:
        """Where the values of a code begin, as a seat sees them."""
        of = kind.of or (lambda value, _seat, _sides: value - kind.low)
        found = [of(value + kind.low, seat, self.sides) for value in range(span)]
        self._places += [*(-1 if one is None else one for one in found), -1]
        return len(self._places) - span - 1

    def _hold(self, name: str, home: int, kind: Held) -> None:
        """The rows of a hand."""
        table, words = kind.table, self.dtype[kind.source or name].shape[0]
        wide = len(table.names)
        places = [[one + seat for seat in range(self.sides)] for one in kind.at]
        self._step(
            "hands", home, self._next(), words, *places, kind.slots, wide, self._table(table)
        )
        for slot in range(kind.slots):
            self._named([f"{name}{slot + 1} {one}" for one in table.names], table.high)


BARE = 2**31 - 1
"""The ``most`` of a number that is not known to be bounded, nor to be at least 0."""


def spots(kind: Kind, shape: tuple[int, ...], sides: int) -> list[tuple[list[int], str]]:
    """Of each number of a field that is shown: its word by seat from the first on; its label."""
    sizes = [min(sides, size) for size in shape]
    shown = []
    for axis, size in zip(kind.by, shape, strict=True):
        many = 1 if axis == ME else sides if axis == SEAT else len(axis)
        shown.append(range(min(many, size)))
    strides = [int(np.prod(shape[i + 1 :])) for i in range(len(shape))]
    found = []
    for where in product(*shown):
        words, label = [], ""
        for axis, place in zip(kind.by, where, strict=True):
            own = f"+{place}" if place else "me"
            label += f"[{own if axis in (ME, SEAT) else axis[place]}]"
        for seat in range(sides):
            places = [
                (place + seat) % size if axis in (ME, SEAT) else place
                for axis, place, size in zip(kind.by, where, sizes, strict=True)
            ]
            words.append(kind.start + sum(p * s for p, s in zip(places, strides, strict=True)))
        found.append((words, label))
    return found


def _by_seat(steps: list[list[list[int]]], sides: int) -> Plans:
    """(seats, steps, numbers), from steps by seat."""
    if not steps:
        return np.zeros((sides, 0, 8), np.uint32)
    return np.ascontiguousarray(np.array(steps, np.uint32).swapaxes(0, 1))


def joined(numbers: Plans) -> Plans:
    """The same plan of numbers, with neighbours that stand in neighbouring words in one step."""
    seats: list[list[list[int]]] = []
    for steps in numbers.tolist():
        runs: list[list[int]] = []
        for word, column, many, low in steps:
            last = runs[-1] if runs else [-1, -1, 0, 0]
            if [word, column, low] == [last[0] + last[2], last[1] + last[2], last[3]]:
                last[2] += many
            else:
                runs.append([word, column, many, low])
        seats.append(runs)
    most = max(map(len, seats), default=0)
    padded = [[*runs, *[[0, 0, 0, 0]] * (most - len(runs))] for runs in seats]
    return np.array(padded, np.uint32).reshape(len(seats), most, 4)
