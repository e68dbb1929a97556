"""The learned evaluation of a game: its features, the net's weights, and their file.

A game that lists no senses is sensed by its declared record, field by field.  A field of its own is
a number, and where it is small one more for each value, since it may be a phase; so is an option.
``turn`` is told by how many seats after one's own it is.  A row with a place for each seat begins
with one's own.
"""

import hashlib
import io
import json
import random
import sys
from collections.abc import Mapping
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from yegg.engine import NOBODY, Game, Refused
from yegg.files import write_atomic

from . import net

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

Floats = NDArray[np.float32]


class Net(NamedTuple):
    """Weights, or the sums of their gradients; all four are parts of one flat array."""

    w1: Floats
    """(senses, units)"""
    b1: Floats
    """(units,)"""
    w2: Floats
    """(units,)"""
    b2: Floats
    """(1,)"""


def size(senses: int, units: int) -> int:
    """How many weights a net has."""
    return (senses + 2) * units + 1


def shaped(flat: Floats, senses: int, units: int) -> Net:
    """A flat array of so many weights as a net; it stays the same memory."""
    ends = np.cumsum([senses * units, units, units])
    w1, b1, w2, b2 = np.split(flat, ends)
    return Net(w1.reshape(senses, units), b1, w2, b2)


def write(path: Path, about: dict[str, Any], **arrays: NDArray[Any]) -> None:
    """Keep arrays and a line about them, whole or not at all; the same always as the same bytes."""
    memory = io.BytesIO()
    line = np.frombuffer(json.dumps(about).encode(), np.uint8)
    np.savez(memory, about=line, **arrays)  # type: ignore[arg-type]
    write_atomic(path, memory.getvalue())


def read(path: Path) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """The line and the arrays of a file of `write`.  Raises Refused for other files."""
    try:
        with np.load(path, allow_pickle=False) as kept:
            arrays = {name: kept[name] for name in kept.files}
        about: dict[str, Any] = json.loads(arrays.pop("about").tobytes())
    except (ValueError, KeyError, EOFError, BadZipFile) as error:
        raise Refused(f"{path} is no file of learned weights: {error}") from None
    return about, arrays


WEIGHTS = "learned.npz"
EVENTS, EVERY = 120, 30  # of each game for the fingerprint: events, and how often one is sensed


@cache
def senses(game: Game) -> ModuleType:
    """The game's own ``senses``, or how its declared record is sensed."""
    own = game.part("senses")
    if own:
        return own
    source = senses_of(game)
    made = ModuleType(f"{__name__}:{game.package}", f"What {game.title} is sensed by.")
    made.__file__ = __file__
    exec(compile(source, f"<senses of {game.name}>", "exec"), vars(made))  # noqa: S102  our own
    return _known(made, {"SOURCE": np.frombuffer(source.encode(), np.uint8)})


@cache
def judge(game: Game) -> tuple[ModuleType, ...]:
    """The game's learned evaluation and its features: parts to stand before its lore.

    Nothing where it has learned nothing, or where it has changed since.
    """
    path = game.folder / WEIGHTS
    if not path.exists():
        return ()
    about, arrays = read(path)
    if why_not(game, about) is not None:
        return ()
    return made_of(game, arrays["flat"], about["units"]), senses(game)


def why_not(game: Game, about: Mapping[str, Any]) -> str | None:
    """The reason why weights do not fit a game; None if they do."""
    if about["fingerprint"] == fingerprint(game):
        return None
    return f"the rules or senses of {game.title} have changed: yegg train {game.name}"


def made_of(game: Game, flat: np.ndarray, units: int) -> ModuleType:
    """The module of the net with these weights; they become part of its machine code."""
    width = senses(game).SENSES
    parts = shaped(flat, width, units)._asdict()
    spec = spec_from_file_location(f"{net.__name__}:{game.package}", str(net.__file__))
    made = module_from_spec(spec)  # type: ignore[arg-type]
    spec.loader.exec_module(made)  # type: ignore[union-attr]
    constants = {name.upper(): array for name, array in parts.items()}
    heat = np.array([getattr(senses(game), "HEAT", 1.0)])
    return _known(made, {"SENSES": width, "UNITS": units, "HEAT": heat, **constants})


def _known(made: ModuleType, constants: Mapping[str, Any]) -> ModuleType:
    """Put a module where the compiler finds it, with its constants in it."""
    vars(made).update(constants)
    sys.modules[made.__name__] = made
    return made


@cache
def fingerprint(game: Game) -> str:
    """A digest of the game's version and of its features along some games, to which weights belong.

    So weights stay good when only names or comments change, and cannot survive what they would
    misread.  Rules that change without the version are noticed if these games come by them.  It
    reads NumPy's numbers: with Python's, sums would have other last bits than in compiled code.
    """
    found = hashlib.sha256(f"{game.name} {game.version}".encode())
    rules, wanted, out = game.rules, senses(game), np.zeros(game.choices, np.int32)
    with_numpys_numbers = np.dtype((np.record, game.state.dtype))
    for setup in range(2):
        dice = random.Random(f"{game.name} {setup}")  # noqa: S311
        players, options = (game.usual, {}) if not setup else drawn(game, dice)
        states = game.blank(players, options).view(with_numpys_numbers)
        rules.deal(states[0])
        for event in range(1, EVENTS + 1):
            if rules.actor(states[0]) == NOBODY:
                break
            k = rules.legal(states[0], out)
            rules.play(states[0], int(out[dice.randrange(k)]))
            if event % EVERY == 0:
                view, seat = states.copy(), dice.randrange(players)
                rules.hide(view[0], seat)
                x = np.zeros(wanted.SENSES, np.float32)
                wanted.sense(view[0], seat, x)
                found.update(x.tobytes())
    return found.hexdigest()[:20]


def drawn(
    game: Game, dice: random.Random, players: int | None = None
) -> tuple[int, dict[str, str]]:
    """Players and options that go together; about half of the options as published."""
    while True:
        options = {
            name: dice.choice(made.values)
            for name, made in game.options.items()
            if dice.random() < 0.5
        }
        fit = [n for n in game.seats(options) if players in (None, n)]
        if fit:
            return dice.choice(fit), options
