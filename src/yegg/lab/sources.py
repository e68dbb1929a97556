"""The digest of all sources that decide how games go; those that only show them are left out."""

import hashlib
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import yegg
from yegg import players as bots
from yegg.engine import Game
from yegg.players.policy_net.weights import path_of

PACKAGE = Path(yegg.__file__).parent
KINDS = {".py", ".csv", ".npz"}
TELLING = ("cli", "client", "interface.py", "lessons", "post", "table", "training")
TELLING_LAB = ("arena_report.py", "plots.py", "questions", "report", "simulation_report.py")
BESIDE_GAMES = {"face", "records", "tests", "perft.csv"}


def made_by(game: Game, names: Iterable[str] = ()) -> str:
    """A digest of all code and tables that decide how games go; of the players ``names``, too."""
    return _digest(sources(game, names))


def own_code(game: Game) -> str:
    """The same of yegg and the game alone, whatever players of others are installed."""
    return _digest(sorted(_own(game)))


def _digest(paths: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.name.encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


def sources(game: Game, names: Iterable[str] = ()) -> list[Path]:
    """The files that decide how games go: a new one counts unless it is known to tell only."""
    net = path_of(game)  # may be that of the game that this one is like
    return sorted({*_own(game), *_of_outsiders(names), *([net] if net.exists() else [])})


@cache
def _own(game: Game) -> frozenset[Path]:
    """The files of yegg and of the game; listed once, since a process loads them once."""
    folders = {PACKAGE, game.folder}
    return frozenset(p for folder in folders for p in folder.rglob("*") if _counts(p, game))


def _counts(path: Path, game: Game) -> bool:
    if path.suffix not in KINDS or BESIDE_GAMES & set(path.parts):
        return False
    if PACKAGE not in path.parents or game.folder in path.parents:
        return True
    top, *rest = path.relative_to(PACKAGE).parts
    tells = top in TELLING or (top == "lab" and rest[0] in TELLING_LAB)
    return not tells and (top != "games" or len(rest) == 1)


def _of_outsiders(names: Iterable[str]) -> Iterator[Path]:
    """The modules in which players from outside are written, and what lies loaded beside them."""
    folders = {
        Path(file).parent
        for home in bots.homes(names)
        if (file := getattr(sys.modules.get(home), "__file__", None))
    } - {PACKAGE / "players"}
    if not folders:
        return
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if file and file.endswith(".py") and folders & set(Path(file).parents):
            yield Path(file)
