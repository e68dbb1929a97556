"""The file of a game's policy net: its arrays, what it is for, and how it learned.

C columns, A actions (`yegg.observations.layout`), U units in each of two layers::

    z = clip((x - mean) * scale, -8, 8)
    h1 = relu(z @ w1 + b1)
    h2 = relu(h1 @ w2 + b2)
    logits = h2 @ w3 + b3
    value = h2 @ w4 + b4

``value`` is the reward that the seat that is asked expects: 1 for the only winner, all sides
together 0.
"""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from yegg.engine import Game, Refused
from yegg.engine.game import find
from yegg.observations.layout import layout
from yegg.observations.setting import titled
from yegg.players.weights import read, write

FILE = "policy.npz"
"""The file's name in the game's folder."""
VALUE_NET = "learned.npz"
"""What version 1.0 called the file of a value net there."""
KIND = "policy"
ANY = "any"
"""In place of options: all of them are covered."""
MOST_UNITS = 1024
FAR = np.float32(8)
"""How many deviations of a column count at most."""
Floats = NDArray[np.float32]


class PolicyWeights(NamedTuple):
    """The arrays of a net, float32."""

    w1: Floats
    """(C, U)"""
    b1: Floats
    """(U,)"""
    w2: Floats
    """(U, U)"""
    b2: Floats
    """(U,)"""
    w3: Floats
    """(U, A): the policy's."""
    b3: Floats
    """(A,)"""
    w4: Floats
    """(U, 1): the value's."""
    b4: Floats
    """(1,)"""
    mean: Floats
    """(C,): of each column."""
    scale: Floats
    """(C,): 1 / (deviation + 0.02)"""


EXACT = "mean", "scale"
"""What the file holds as float32; all other arrays are float16 there."""


def own_path(game: Game) -> Path:
    """Where the net of a game is kept that it has learned itself."""
    return game.folder / FILE


def path_of(game: Game) -> Path:
    """Where players look: a game without a net may play by that of the game that it is like."""
    own, other = own_path(game), original(game)
    if own.exists() or other is None or columns_digest(other) != columns_digest(game):
        return own
    return path_of(other)


def original(game: Game) -> Game | None:
    """The game that a game is a changed copy of, if it is one and the other is here."""
    try:
        return find(game.like) if game.like else None
    except Refused:
        return None


def owner(game: Game | None, about: Mapping[str, Any]) -> Game | None:
    """Whose net a file holds: a game's own, or that of a game that it is like; None: neither's."""
    while game and about.get("game") != game.name:
        game = original(game)
    return game


def columns_digest(game: Game) -> str:
    """What tells apart columns and actions that a net has learned from those of other rules."""
    told = layout(game)
    names = "\n".join(told.columns) + f"\n{told.actions}"
    return hashlib.sha256(names.encode()).hexdigest()[:16]


def identity(game: Game, units: int) -> dict[str, Any]:
    """What every file says of its net: which game's it is, and of which size."""
    return {
        "kind": KIND,
        "game": game.name,
        "version": titled(game),
        "columns": columns_digest(game),
        "units": units,
    }


def shapes(game: Game, units: int) -> dict[str, tuple[int, ...]]:
    """The shape of each array of a net with so many units."""
    columns, actions = len(layout(game).columns), layout(game).actions
    return {
        "w1": (columns, units),
        "b1": (units,),
        "w2": (units, units),
        "b2": (units,),
        "w3": (units, actions),
        "b3": (actions,),
        "w4": (units, 1),
        "b4": (1,),
        "mean": (columns,),
        "scale": (columns,),
    }


def save(path: Path, about: Mapping[str, Any], weights: PolicyWeights) -> None:
    """Write a net's file, whole or not at all.  Raises Refused if a weight cannot be written."""
    arrays: dict[str, NDArray[Any]] = {}
    with np.errstate(over="ignore"):  # what is too large for float16 is refused below
        for name, array in weights._asdict().items():
            kind = np.float32 if name in EXACT else np.float16
            arrays[name] = np.ascontiguousarray(array, kind)
    if wrong := [name for name, array in arrays.items() if not np.isfinite(array).all()]:
        raise Refused(f"a net cannot be written with {wrong[0]} as it is: not all of it is finite")
    write(path, dict(about), **arrays)


def load(game: Game, path: Path | None = None) -> tuple[dict[str, Any], PolicyWeights]:
    """What a net's file says of it, and its arrays; by default the file where players look.

    Raises Refused if it is not there, is no such file, or is of other columns, actions or rules.
    A net of the game that this one is like will do, if the columns are the same.
    """
    path = path or path_of(game)
    if not path.exists():
        raise Refused(f"{game.title} has no policy net: there is no {path}")
    about, arrays = read(path)
    if why := _unfit(game, about):
        raise Refused(f"{path} {why}")
    found = {}
    for name, shape in shapes(game, about["units"]).items():
        array = arrays.get(name)
        if array is None or array.shape != shape or array.dtype.kind != "f":
            raise Refused(f"{path} holds no policy net: {name} is not an array of shape {shape}")
        found[name] = np.ascontiguousarray(array, np.float32)
        if not np.isfinite(found[name]).all():
            raise Refused(f"{path} holds no policy net: not all of {name} is finite")
    return about, PolicyWeights(**found)


def _unfit(game: Game, about: Mapping[str, Any]) -> str | None:
    """Why a net is not for this game as it is now; None if it is."""
    if "kind" not in about and "fingerprint" in about:
        return (
            f"holds a value net as yegg 1.0 made them; later versions play by policy nets alone: "
            f"make one by `yegg train {game.name}`"
        )
    if about.get("kind") != KIND:
        return "holds no policy net"
    learned_by = owner(game, about)
    if learned_by is None:
        return f"holds a net of another game than {game.title}"
    wanted = {"version": titled(learned_by), "columns": columns_digest(game)}
    if any(about.get(name) != wanted[name] for name in wanted):
        return f"was learned with other rules or columns of {game.title}; let it learn again"
    units = about.get("units")
    if type(units) is not int or not 0 < units <= MOST_UNITS:
        return f"does not hold a net of 1 to {MOST_UNITS} units"
    covered = about.get("covers")
    if not isinstance(covered, list) or not all(_covered(one) for one in covered):
        return "does not say which settings its net covers"
    return None


def _covered(one: object) -> bool:
    """Whether this names a number of players, and options or `ANY`."""
    return (
        isinstance(one, list)
        and len(one) == 2
        and type(one[0]) is int
        and (one[1] == ANY or isinstance(one[1], dict))
    )


def covers(about: Mapping[str, Any], players: int, options: Mapping[str, str]) -> bool:
    """Whether a net has learned a setting.

    ``options``: those that differ from the published rules, as `Game.chosen` gives them.
    """
    return any(n == players and some in (ANY, dict(options)) for n, some in about["covers"])
