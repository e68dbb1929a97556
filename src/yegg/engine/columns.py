"""What the fields of a state mean as numbers: a game's module ``columns`` declares them by kinds.

``columns(sides)`` returns a mapping from a field's name to its kind.  A field that is left out is
not shown.  Every column holds a whole number from 0; as float32 it is divided by the column's
``high``, so that it is about as big as one.  A game without the module is shown field by field.

Beside it the module may say which choices are an agent's (``ACTIONS``), which of them name a seat
(``BY_SEAT``), and by ``More``, `more <yegg.engine.verbs.more>` and ``more_columns(sides)`` what
follows from the fields but is tiresome to count.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from .record import Ints

SEAT = "seat"
"""An axis of a field: one's own first, then the others in the order of play."""
ME = "me"
"""An axis of a field, by seat, of which only one's own is shown."""
Axis = Sequence[str]
"""`SEAT`, `ME`, or what the places along a field's axis are called."""


@dataclass(frozen=True, eq=False)
class Table:
    """A row of whole numbers for each value of a field, as cards have them: rank, suits."""

    rows: Ints
    """(values, columns)."""
    names: Sequence[str]
    high: Sequence[int]
    """By column: the number that is 1."""


@dataclass(frozen=True, eq=False)
class Kind:
    """How one number of a state is shown."""

    by: Sequence[Axis] = field(default=(), kw_only=True)
    """The axes of a field of many numbers."""
    source: str = field(default="", kw_only=True)
    """The state's field, where these columns have a name of their own."""
    start: int = field(default=0, kw_only=True)
    """The first place along the last axis that is shown."""


@dataclass(frozen=True, eq=False)
class Number(Kind):
    """A column: 0 at ``low``, 1 at ``high``; the field is never above ``most``."""

    high: int = 1
    low: int = 0
    most: int = 0


@dataclass(frozen=True, eq=False)
class Code(Kind):
    """A column for each name, one of which is 1.

    ``of(value, seat, sides)`` is the place of the name, or None; ``seat`` is who is looking.
    Without it the names are those of the values from ``low`` on.
    """

    names: Sequence[str] = ()
    of: Callable[[int, int, int], int | None] | None = None
    span: int = 0
    """How many values there are, from ``low``; by default as many as names."""
    low: int = 0


@dataclass(frozen=True, eq=False)
class Bits(Kind):
    """A column for each bit of the number."""

    names: Sequence[str] = ()


@dataclass(frozen=True, eq=False)
class Card(Kind):
    """The row of a table; ``none`` is a value without one."""

    table: Table
    none: int = -1


@dataclass(frozen=True, eq=False)
class Pile(Kind):
    """A column for each card: 1 if it is among those that a field lists.

    The first ``count`` numbers of the field count, where ``count`` is another field.
    """

    count: str
    names: Sequence[str]


@dataclass(frozen=True, eq=False)
class Held(Kind):
    """Of a field with a place for each card: the rows of those at one of ``at`` + seat.

    There are ``slots`` rows, filled from the first on, in the order of the cards.
    """

    at: tuple[int, int]
    slots: int
    table: Table


FLAG = Number(1)


def who(sides: int, plus: int = 0) -> Code:
    """A seat, told from one's own; ``plus`` is what the field adds to its number."""

    def of(value: int, seat: int, sides: int) -> int | None:
        return (value - plus - seat) % sides if plus <= value < plus + sides else None

    return Code(seats(sides), of, span=sides + plus)


def seats(sides: int) -> list[str]:
    """What seats are called from one's own: me, then +1 and so on."""
    return ["me", *(f"+{i}" for i in range(1, sides))]
