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

from yegg.engine import NOBODY, Game

from . import declared, net
from .weights import read, shaped

WEIGHTS = "learned.npz"
EVENTS, EVERY = 120, 30  # of each game for the fingerprint: events, and how often one is sensed


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
def judge(game: Game) -> tuple[ModuleType, ...]:
    """What the game has learned, and what it is sensed by: parts to stand before its lore.

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
    heat = np.array([getattr(senses(game), "HEAT", 1.0)])
    return _known(made, {"SENSES": width, "UNITS": units, "HEAT": heat, **constants})


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
    found = hashlib.sha256(f"{game.name} {game.version}".encode())
    rules, wanted, out = game.rules, senses(game), np.zeros(game.choices, np.int32)
    for setup in range(2):
        dice = random.Random(f"{game.name} {setup}")  # noqa: S311
        players, options = (game.usual, {}) if not setup else drawn(game, dice)
        states = game.blank(players, options)
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
