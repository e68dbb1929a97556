"""Custom decks: a game's modules are loaded once more, over other cards.

Rules are plain functions over tables that are module constants, so that they can be compiled.
Another deck therefore needs modules of its own.  They stand beside the published ones under
another name, and neither changes the other.  Machine code reads their tables where they lie, so
that decks of the same shape share it (`numba_internals`).
"""

import hashlib
import re
import sys
from dataclasses import replace
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from .deck_shapes import DIGITS
from .game import Game

LONGEST_NAME = 40  # letters of a file's name in records


def over_deck(published: Game, path: Path, module: str, **cards: Any) -> Game:
    """The published game over the cards of a file; the game itself if they are the published ones.

    In its package ``module`` holds nothing but the published ``cards``, which give way to these.
    """
    if vars(import_module(f"{published.package}.{module}")).items() >= cards.items():
        return published
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:DIGITS]
    above, dot, folder = published.package.rpartition(".")
    package = f"{above}{dot}deck_{digest}.{folder}"
    if package not in sys.modules:
        _load(package, published, module, cards)
    name = re.sub(r"[^\w.-]+", "-", path.stem)[:LONGEST_NAME]
    return replace(published, package=package, cards=f"{name} {digest}")


def _load(package: str, published: Game, module: str, cards: dict[str, Any]) -> None:
    """Import the package under another name; its modules follow when they are asked for."""
    original = sys.modules[published.package]
    chosen = ModuleType(f"{package}.{module}", "The deck that is played with.")
    chosen.__file__ = str(published.folder / f"{module}.py")
    vars(chosen).update(cards)
    spec = spec_from_file_location(
        package, original.__file__, submodule_search_locations=list(original.__path__)
    )
    if spec is None or spec.loader is None:
        raise ImportError(f"{published.package} cannot be loaded a second time")
    above = package.partition(".")[0]
    sys.modules.setdefault(above, ModuleType(above))  # `from . import …` asks for it by name
    sys.modules[package] = copy = module_from_spec(spec)
    sys.modules[chosen.__name__] = chosen
    spec.loader.exec_module(copy)
    for name in {"use_cards", "own_deck"} & vars(original).keys():
        vars(copy)[name] = vars(original)[name]  # a deck takes the published one's place
