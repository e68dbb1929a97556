"""Finds what a game is sensed by, and the judge it has learned, as modules for the forge."""

import hashlib
import random
import sys
from collections.abc import Mapping
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType
from typing import Any

import numpy as np

from yegg.engine import Game, Match

from . import declared, net
from .weights import read, shaped

WEIGHTS = "learned.npz"
EVENTS = 120  # of each game that is looked through for the fingerprint
EVERY = 5


@cache
def senses(game: Game) -> ModuleType:
    """The game's own ``senses``, or how its declared record is sensed."""
    own = game.part("senses")
    if own:
        return own
    source = declared.senses_of(game)
    made = ModuleType(f"{declared.__name__}:{game.package}", f"What {game.title} is sensed by.")
    made.__file__ = declared.__file__
    exec(compile(source, f"<senses of {game.name}>", "exec"), vars(made))  # noqa: S102  our own
    return _known(made, {"SOURCE": np.frombuffer(source.encode(), np.uint8)})


@cache
def judge(game: Game) -> ModuleType | None:
    """What the game has learned; None where it has not, or where it has changed since."""
    path = game.folder / WEIGHTS
    if not path.exists():
        return None
    about, arrays = read(path)
    return made_of(game, arrays["flat"], about["units"]) if why_not(game, about) is None else None


def why_not(game: Game, about: Mapping[str, Any]) -> str | None:
    """Why weights do not fit a game; None if they do."""
    if about["fingerprint"] == fingerprint(game):
        return None
    return f"the rules or senses of {game.title} have changed: yegg train {game.name}"


def made_of(game: Game, flat: np.ndarray, units: int) -> ModuleType:
    """The judge with these weights; they become part of its machine code."""
    width = senses(game).SENSES
    parts = shaped(flat, width, units)._asdict()
    spec = spec_from_file_location(f"{net.__name__}:{game.package}", str(net.__file__))
    made = module_from_spec(spec)  # type: ignore[arg-type]
    spec.loader.exec_module(made)  # type: ignore[union-attr]
    constants = {name.upper(): array for name, array in parts.items()}
    return _known(made, {"SENSES": width, "UNITS": units, **constants})


def _known(made: ModuleType, constants: Mapping[str, Any]) -> ModuleType:
    """Put a module where the forge finds it, with its constants in it."""
    vars(made).update(constants)
    sys.modules[made.__name__] = made
    return made


@cache
def fingerprint(game: Game) -> str:
    """What the net has learned by: the game's version, and what is sensed along some games.

    So weights stay good when only names or comments change, and cannot survive what they would
    misread.  Rules that change without the version are noticed if these games come by them.
    """
    wanted, found = senses(game), hashlib.sha256(f"{game.name} {game.version}".encode())
    for setup in range(2):
        dice = random.Random(f"{game.name} {setup}")  # noqa: S311
        players, options = (game.usual, {}) if not setup else drawn(game, dice)
        match = Match(game, players, options, how="plain")
        for event in range(EVENTS):
            if match.over:
                break
            if event % EVERY == 0:
                found.update(_sensed(wanted, match))
            match.play(dice.choice(match.choices))
    return found.hexdigest()[:20]


def _sensed(wanted: ModuleType, match: Match) -> bytes:
    x = np.zeros((match.players, wanted.SENSES), np.float32)
    for seat in range(match.players):
        wanted.sense(match.known_to(seat)[0], seat, x[seat])
    return x.tobytes()


def drawn(
    game: Game, dice: random.Random, players: int | None = None
) -> tuple[int, dict[str, str]]:
    """Players and options that go together, every other option as published."""
    while True:
        options = {
            name: dice.choice(made.values)
            for name, made in game.options.items()
            if dice.random() < 0.5
        }
        fit = [n for n in game.seats(options) if players in (None, n)]
        if fit:
            return dice.choice(fit), options
