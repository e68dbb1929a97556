"""Earlier versions of rules: copies of games' folders, so that begun games can be finished.

In a folder of your choice, ``second-story-2/second_story`` is version 2 of Second Story.  Such
rules are never compiled: they play by their plain twin, which is fast enough for people.
"""

import re
import shutil
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

from .game import KEPT, Game
from .game import find as today

LEFT_OUT = shutil.ignore_patterns("tests", "records", "perft.csv", "__pycache__", "*.part")
STAMP = re.compile(r"^# rules: version (\d{1,9})$", re.MULTILINE)
_folders: list[Path] = []


def keep(game: Game, folder: Path) -> Path | None:
    """Copy a game's folder beside others of earlier versions; None if it is there already."""
    there = folder / _named(game.name, game.version)
    target = there / game.folder.name
    if target.exists():
        return None
    part = there / f"{game.folder.name}.part"
    shutil.rmtree(part, ignore_errors=True)
    shutil.copytree(game.folder, part, ignore=LEFT_OUT)
    part.rename(target)
    return target


def use(folder: Path) -> None:
    """Look for earlier versions in that folder, too.  Its code runs as our own does."""
    if folder not in _folders:
        _folders.append(folder)
        _found.cache_clear()


def stamp(version: int) -> str:
    """The comment in the head of a table's record that names the version of its rules."""
    return f"# rules: version {version}"


def stamped(text: str) -> int | None:
    """The version of the rules that a record was played by; None if it does not say so."""
    said = STAMP.search(text.partition("\n\n")[0])
    return int(said[1]) if said else None


def find(name: str, version: int) -> Game | None:
    """That version of a game, if it is kept and fits this version of the engine."""
    return next(filter(None, (_found(name, version, folder) for folder in _folders)), None)


def in_version(name: str, version: int) -> Game:
    """A game in a version, if that is to be had; else today's.  Raises Refused."""
    game = today(name)
    return game if game.version == version else find(name, version) or game


@cache
def _found(name: str, version: int, folder: Path) -> Game | None:
    there = folder / _named(name, version)
    module = name.replace("-", "_")
    if not (there / module / "__init__.py").is_file():
        return None
    package = f"{KEPT}_{len(_folders)}_{module}_{version}"
    if package not in sys.modules:
        around = ModuleType(package)
        around.__path__ = [str(there)]
        sys.modules[package] = around
    game = import_module(f"{package}.{module}").GAME
    return game if (game.name, game.version) == (name, version) else None


def _named(name: str, version: int) -> str:
    return f"{name}-{version}"
