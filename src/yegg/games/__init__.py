"""Finds the games: a folder here, or an entry point ``yegg.games`` of another package."""

import pkgutil
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import cast

from yegg.engine import Game, Refused
from yegg.engine.prose import offered
from yegg.outside import quoted


def names() -> list[str]:
    """Every game that can be played, by name."""
    return sorted(_packages())


@cache
def find(name: str) -> Game:
    """The game of this name; only now is its folder imported.  Raises Refused."""
    packages = _packages()
    if name not in packages:
        raise Refused(f"there is no game {quoted(name)}; {offered(name, sorted(packages))}")
    return cast("Game", import_module(packages[name]).GAME)


def _packages() -> dict[str, str]:
    here = {
        module.name.replace("_", "-"): f"{__name__}.{module.name}"
        for module in pkgutil.iter_modules(__path__)
        if module.ispkg
    }
    elsewhere = {entry.name: entry.value for entry in entry_points(group="yegg.games")}
    return elsewhere | here
