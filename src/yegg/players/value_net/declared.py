"""How a game is sensed that lists no senses: its declared record, field by field.

A field of its own is a number, and where it is small one more for each value, since it may be
a phase; so is an option.  ``turn`` is told by how many seats after one's own it is.  A row with a
place for each seat begins with one's own.
"""

import numpy as np

from yegg.engine import Game

SMALL = 10  # values of a field that have a number each


def senses_of(game: Game) -> str:
    """The source of a module ``senses`` for a game."""
    at, lines = 0, []
    for name in game.state.dtype.names or ():
        if name.startswith("_"):
            continue
        shape = game.state.dtype[name].shape
        if name == "turn":
            lines.append(f"    place(x, {at}, (s.turn - seat) % s.players)")
            at += SMALL + 1
        elif not shape:
            lines.append(f"    place(x, {at}, s.{name})")
            at += SMALL + 1
        else:
            lines += _row(name, shape, at, by_seat=shape[0] == max(game.players))
            at += int(np.prod(shape))
    return SOURCE.format(title=game.title, senses=at, small=SMALL, lines="\n".join(lines))


def _row(name: str, shape: tuple[int, ...], at: int, *, by_seat: bool) -> list[str]:
    """Loops over a field of many numbers."""
    names = [f"i{axis}" for axis in range(len(shape))]
    where = str(at)
    for axis, i in enumerate(names):
        step = int(np.prod(shape[axis + 1 :]))
        where += f" + {step} * {i}" if step > 1 else f" + {i}"
    there = ["(seat + i0) % s.players", *names[1:]] if by_seat else names
    ends = ["s.players", *shape[1:]] if by_seat else list(shape)
    lines = [
        f"{'    ' * (axis + 1)}for {i} in range({end}):"
        for axis, (i, end) in enumerate(zip(names, ends, strict=True))
    ]
    indent = "    " * (len(shape) + 1)
    return [*lines, f"{indent}x[{where}] = squashed(s.{name}[{', '.join(there)}])"]


SOURCE = '''"""What a seat senses in {title}: the declared record, field by field."""

SENSES = {senses}


def sense(s, seat, x):
    """Fill ``x``, which comes as zeros."""
{lines}


def place(x, at, value):
    """A field of its own: a number, and one more for its value if that is small."""
    x[at] = squashed(value)
    if 0 <= value < {small}:
        x[at + 1 + value] = 1


def squashed(value):
    """Any number as one between -1 and 1, small ones told well apart."""
    return value / (4 + abs(value))
'''
