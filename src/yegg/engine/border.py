"""The border: states that come from outside are checked before compiled code may meet them.

Compiled code does not look whether an index is too large (decision 0081).  So a state that another
program wrote, a server's or a pickle's, must lie within the bounds that its fields declare, and a
game's module ``sound`` knows what else cannot be.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from . import kernels
from .compiler import How
from .errors import Refused
from .game import Game
from .record import CHANCE, NOBODY, States, copied
from .whole import shown

PADDING = "_pad"
MOST_BEFORE = 1000  # events of chance and other seats before a seat chooses


def bounded(game: Game) -> bool:
    """Whether all fields of a game's states declare their bounds."""
    return set(game.state.dtype.names or ()) - {PADDING, "players"} <= set(game.state.bounds)


def meets(game: Game) -> How:
    """The code that foreign states of a game may meet: compiled, if all its fields are bounded."""
    return "compiled" if bounded(game) else "plain"


def position(game: Game, fields: object) -> States:
    """The state, shape (1,), of a position as the HTTP interface has it: fields by name.

    Raises Refused if it is no position of the game, and nothing that a seat may know of one.
    """
    if not isinstance(fields, Mapping):
        raise Refused(f"a position of {game.title} is fields by name, not {shown(fields)}")
    states = np.zeros(1, game.state.dtype)
    names = [name for name in states.dtype.names or () if name != PADDING]
    for name in fields:
        if name not in (*names, PADDING):
            raise impossible(game, f"there is no field {shown(name)}")
    for name in names:
        if name not in fields:
            raise impossible(game, f"the field {name!r} is missing")
        shape = states.dtype[name].shape
        numbers = flat(fields[name], shape)
        if not numbers or not all(type(one) is int and abs(one) < 2**31 for one in numbers):
            many = "×".join(map(str, shape))
            kind = f"{many} whole numbers" if shape else "a whole number"
            raise impossible(game, f"{name} is {kind}, not {shown(fields[name])}")
        states[name] = np.array(numbers, np.int32).reshape(shape)
    return admitted(game, states)


def flat(given: Any, shape: Sequence[int]) -> list[Any]:
    """What lists of this shape hold, in a row; nothing if they are of another shape."""
    if not shape:
        return [given]
    if not isinstance(given, list) or len(given) != shape[0]:
        return []
    rows = [flat(one, shape[1:]) for one in given]
    return [one for row in rows for one in row] if all(rows) else []


def admitted(game: Game, states: Any) -> States:
    """States that may meet compiled code, shape (games,), as they are.

    Raises Refused if one can be no position of the game, and nothing that a seat may know of one.
    """
    if not isinstance(states, np.ndarray) or states.dtype != game.state.dtype or states.ndim != 1:
        raise impossible(game, "it has other fields")
    for name, (least, most) in game.state.bounds.items():
        numbers = states[name]
        beyond = numbers[(numbers < least) | (numbers > most)]
        if beyond.size:
            raise impossible(game, f"{name} is {least} to {most}, not {beyond[0]}")
    for i in range(states.size):
        one = copied(states[i : i + 1])
        game.options_of(one)
        if why := unsound(game, one):
            raise impossible(game, why)
    checked: States = states
    return checked


def unsound(game: Game, states: States) -> str:
    """What cannot be in a state, by the game's ``sound`` and its plain rules; "" if it can be."""
    sound, s = game.part("sound"), states[0]
    out, who = np.zeros(game.choices, np.int32), np.zeros(1, np.int32)
    try:
        if sound and (why := next(sound.faults(s), "")):
            return str(why)
        many = game.engine(how="plain").kernel(kernels.options_of)(states, out, who)
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        return f"the rules cannot go on from it ({error})"
    if who[0] == NOBODY:
        return ""
    if who[0] != CHANCE and not 0 <= who[0] < s.players:
        return f"there is no seat {who[0] + 1} to act"
    choices = out[:many]
    if not many or (np.diff(choices) <= 0).any() or choices[0] < 0 or choices[-1] >= out.size:
        return "nothing can be chosen in it"
    return ""


def impossible(game: Game, why: str) -> Refused:
    """The error for a state that cannot be."""
    return Refused(f"this is no position of {game.title}: {why}")


def choices_of(game: Game, states: States, seat: int) -> list[int]:
    """A seat's choices in what it knows, by the plain rules; what is before it happens anyhow."""
    then, out, who = copied(states), np.zeros(game.choices, np.int32), np.zeros(1, np.int32)
    plain = game.engine(how="plain")
    for _ in range(MOST_BEFORE):
        many = plain.kernel(kernels.options_of)(then, out, who)
        if who[0] == seat:
            choices: list[int] = out[:many].tolist()
            return choices
        if who[0] == NOBODY:
            break
        plain.kernel(kernels.make)(then, int(out[0]))
    return []
