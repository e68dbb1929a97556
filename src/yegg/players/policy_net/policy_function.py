"""The learned policy of a game, for compiled code: a module over the weights in its file."""

import hashlib
import sys
from collections.abc import Mapping
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from yegg.engine import Game, Ints, Refused
from yegg.engine.record import Option
from yegg.observations.layout import layout

from . import net
from .weights import VALUE_NET, PolicyWeights, covers, load, original, path_of

DIGITS = 16


class Learned(NamedTuple):
    """What a game has learned."""

    parts: tuple[ModuleType, ...] = ()
    """The modules to stand before the game's lore; none where nothing can be used."""
    about: Mapping[str, Any] = {"covers": ()}
    """What the file says of its net."""
    lacking: str = ""
    """Why the file cannot be used; "" if it can, or if there is none."""


@cache
def learned(game: Game) -> Learned:
    """The policy that a game has learned.  A deck of one's own has learned nothing."""
    path = path_of(game)
    if not path.exists():
        path = path.with_name(VALUE_NET)  # `load` refuses it and says why
    if game.cards or game.by_lore:
        return Learned()
    if not path.exists():
        return Learned(lacking=_without(game))
    try:
        about, weights = load(game, path)
        made = made_of(game, about, weights)
    except (Refused, OSError) as error:
        return Learned(lacking=str(error))
    counts = game.part("columns")
    more = (counts,) if counts and hasattr(counts, "more") else ()
    return Learned((made, *more), about)


def _without(game: Game) -> str:
    """Why a game does without the net of the game that it is like; "" if that has none either."""
    other = original(game)
    if other is None or not learned(other).parts:
        return ""
    return (
        f"{game.title} has other columns than {other.title}, whose net it cannot use; "
        f"`yegg train {game.name}` makes one"
    )


def covered(game: Game, players: int, options: Mapping[str, str]) -> bool:
    """Whether the net that a game has learned covers so many players with these options."""
    found = learned(game)
    return bool(found.parts) and covers(found.about, players, game.chosen(players, options))


def made_of(game: Game, about: Mapping[str, Any], weights: PolicyWeights) -> ModuleType:
    """The module of the net with these weights.  Raises Refused if it covers what cannot be."""
    constants = setting_constants(game, about) | net_constants(weights)
    digest = hashlib.sha256()
    for name, thing in sorted(constants.items()):
        parts = thing if isinstance(thing, tuple) else (thing,)
        digest.update(name.encode() + b"".join(np.asarray(part).tobytes() for part in parts))
    name = f"{net.__name__}:{game.package}:{digest.hexdigest()[:DIGITS]}"
    spec = spec_from_file_location(name, str(net.__file__))
    made = module_from_spec(spec)  # type: ignore[arg-type]
    spec.loader.exec_module(made)  # type: ignore[union-attr]
    extra = next(iter(layout(game).settings.values())).extra
    vars(made).update(constants, EXTRA=extra, STATE=game.state.dtype)
    sys.modules[name] = made  # where the compiler finds it
    return made


def net_constants(weights: PolicyWeights) -> dict[str, Any]:
    """The weights as compiled code reads them, and what follows from them."""
    zero = np.clip(-weights.mean * weights.scale, net.LEAST, net.MOST)
    return {
        "COLUMNS": len(weights.mean),
        "UNITS": len(weights.b1),
        "ACTIONS": len(weights.b3),
        "PLACES": len(weights.mean) + 1,
        "OUTPUTS": len(weights.b3) + 1,
        "MEAN": weights.mean,
        "SCALE": weights.scale,
        "ZERO": zero,
        "START": (zero.astype(np.float64) @ weights.w1 + weights.b1).astype(np.float32),
        "W1": weights.w1,
        "W2": weights.w2,
        "B2": weights.b2,
        "HEADS": np.concatenate([weights.w3, weights.w4], axis=1),
        "HEADS_START": np.concatenate([weights.b3, weights.b4]),
    }


def setting_constants(game: Game, about: Mapping[str, Any]) -> dict[str, Any]:
    """What compiled code needs to know of a game's settings, columns and actions."""
    told = layout(game)
    tables = told.tables()
    words = {name: at // 4 for name, (_, at, *_) in (game.state.dtype.fields or {}).items()}
    options = game.options
    columns = np.full(max(told.settings) + 1, -1, np.int32)
    for n in told.settings:
        columns[n] = told.place[f"players={n}"]
    covered = [codes(game, *one) for one in about["covers"]]
    return {
        "SECRET_ORDERS": hasattr(game.part("lore"), "sample_choice"),
        "COVERS": np.array(covered, np.int32).reshape(-1, 1 + len(options)),
        "OPTIONS": np.array([words[name.replace("-", "_")] for name in options], np.int32),
        "PLAYERS_COLUMN": columns,
        "OPTION_COLUMN": option_columns(options, told.place),
        "FIRST": tables.first,
        "ACTION": tables.actions,
        "PLAN": tables.plan,
        "COUNTED": tables.more,
        "COUNTS": hasattr(game.part("columns"), "more"),
        "COLUMN_SCALE": tables.scale,
    }


def codes(game: Game, players: int, options: Mapping[str, str] | str) -> list[int]:
    """How many play, and the code of each option.  Raises Refused."""
    if isinstance(options, str):  # `ANY`
        return [players, *(net.ANY_CODE for _ in game.options)]
    return [players, *game.setup(players, options).values()]


def option_columns(options: Mapping[str, Option], place: Mapping[str, int]) -> Ints:
    """(options, codes): the column of each option's value; -1 where it has no such value."""
    most = max((made.bounds[1] for made in options.values()), default=0)
    columns = np.full((len(options), most + 1), -1, np.int32)
    for i, (name, made) in enumerate(options.items()):
        for value in made.values:
            columns[i, made.code(value)] = place[f"{name}={value}"]
    return columns
