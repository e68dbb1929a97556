"""The game with another deck: its modules are loaded once more, over other cards.

Rules are plain functions over tables that are constants, so that they can be compiled.  Another
deck therefore needs modules of its own.  They stand beside the published ones under another
name, and neither changes the other.
"""

import hashlib
import re
import sys
from dataclasses import replace
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from yegg.engine import Game

from .deck import LONGEST_NAME, PUBLISHED, Card, read

DIGITS = 12  # of the file's SHA-256: what `sha256sum` prints first


def use_cards(path: Path) -> Game:
    """The game with the cards of a file.  Raises Refused, with row and column, if it is no deck.

    A file that holds the published cards gives the published game.
    """
    home = __name__.rpartition(".")[0]
    published: Game = import_module(home).GAME
    cards = tuple(read(path))
    if cards == tuple(read(PUBLISHED)):
        return published
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:DIGITS]
    above, _, folder = home.rpartition(".")
    package = f"{above}.deck_{digest}.{folder}"
    if package not in sys.modules:
        _load(package, home, cards)
    name = re.sub(r"[^\w.-]+", "-", path.stem)[:LONGEST_NAME]
    return replace(published, package=package, cards=f"{name} {digest}")


def _load(package: str, home: str, cards: tuple[Card, ...]) -> None:
    """Import the package under another name; its modules follow when they are asked for."""
    original = sys.modules[home]
    chosen = ModuleType(f"{package}.chosen", "The deck that is played with.")
    chosen.__file__ = str(Path(__file__).with_name("chosen.py"))
    vars(chosen)["CARDS"] = cards
    spec = spec_from_file_location(
        package, original.__file__, submodule_search_locations=list(original.__path__)
    )
    if spec is None or spec.loader is None:
        raise ImportError(f"{home} cannot be loaded a second time")
    sys.modules[package] = copy = module_from_spec(spec)
    sys.modules[chosen.__name__] = chosen
    spec.loader.exec_module(copy)
    vars(copy)["use_cards"] = use_cards  # every deck takes the place of the published one
