"""The learned evaluation of a game: its features, the net's weights, and their file.

A game that lists no senses is sensed by its declared record, field by field.  A field of its own is
a number, and where it is small one more for each value, since it may be a phase; so is an option.
``turn`` is told by how many seats after one's own it is.  A row with a place for each seat begins
with one's own.
"""

import hashlib
import random
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from yegg.engine import NOBODY, Game, Ints, Refused
from yegg.players.weights import read

from . import net

MOST_UNITS = 1024
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

    Nothing where it has learned nothing, or where its weights cannot be used: see `lacking`.
    """
    return _judge(game)[0]


@cache
def lacking(game: Game) -> str:
    """Why the weights that a game has learned cannot be used; "" if they can, or if it has none."""
    return _judge(game)[1]


def _judge(game: Game) -> tuple[tuple[ModuleType, ...], str]:
    path = game.folder / WEIGHTS
    if not path.exists():
        return (), ""
    try:
        about, arrays = read(path)
    except (Refused, OSError) as error:
        return (), str(error)
    if why := why_not(game, about) or misshapen(game, about, arrays):
        return (), why
    return (made_of(game, arrays["flat"], about["units"]), senses(game)), ""


def why_not(game: Game, about: Mapping[str, Any]) -> str | None:
    """The reason why weights do not fit a game; None if they do."""
    told = about.get("fingerprint")
    if told == fingerprint(game) or told == named(game, str(about.get("game", game.name))):
        return None
    return f"the rules or senses of {game.title} have changed since its value net learned"


def misshapen(
    game: Game, about: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
) -> str | None:
    """The reason why weights are none of a net of this game; None if they are."""
    units, flat = about.get("units"), arrays.get("flat")
    if type(units) is not int or not 0 < units <= MOST_UNITS or flat is None:
        return f"{WEIGHTS} does not hold a net of 1 to {MOST_UNITS} units"
    wanted = size(senses(game).SENSES, units)
    if flat.shape != (wanted,) or flat.dtype != np.float32 or not np.isfinite(flat).all():
        return f"{WEIGHTS} does not hold the {wanted} weights of a net of {units} units"
    return None


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
    """A digest of the game's version, and of its features and choices along some games.

    Weights belong to what it tells apart, and not to a name.  They stay good when only names or
    comments change, and cannot survive what they would misread.  Rules that change without the
    version are noticed if these games come by them.
    """
    found = hashlib.sha256(f"{game.version} {game.choices} {senses(game).SENSES}".encode())
    for x, legal in along(game, ""):
        found.update(x.tobytes())
        found.update(legal.tobytes())
    return found.hexdigest()[:20]


@cache
def named(game: Game, name: str) -> str:
    """The digest in weights of version 1.0, which goes by the name that the game had there."""
    found = hashlib.sha256(f"{name} {game.version}".encode())
    for x, _ in along(game, f"{name} "):
        found.update(x.tobytes())
    return found.hexdigest()[:20]


def along(game: Game, name: str) -> Iterator[tuple[Floats, Ints]]:
    """What a seat senses every now and then in two games, and what is legal there.

    It reads NumPy's numbers: with Python's, sums would have other last bits than in compiled code.
    """
    rules, wanted, out = game.rules, senses(game), np.zeros(game.choices, np.int32)
    with_numpys_numbers = np.dtype((np.record, game.state.dtype))
    for setup in range(2):
        dice = random.Random(f"{name}{setup}")  # noqa: S311
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
                yield x, out[:k].copy()


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
