"""Which sources decide how games go: what the blocks import, and what of a game they ask for.

The list is found, not kept (decision 0074).
"""

import ast
import hashlib
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from yegg import players as bots
from yegg.engine import Game

BLOCKS = "yegg.lab.blocks"
TABLES = (".csv", ".npz")


class Read(NamedTuple):
    """What a source says."""

    imports: tuple[tuple[str, str, str], ...]
    """A module, what of it ("": all), and what that is called here; none that only types need."""
    texts: frozenset[str]
    """All texts in quotes."""


def made_by(game: Game, names: Sequence[str] = ()) -> str:
    """A digest of all code and tables that decide how games go; of the players ``names``, too."""
    digest = hashlib.sha256()
    for name, path in sorted(sources(game, names).items()):
        digest.update(name.encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


def sources(game: Game, names: Iterable[str] = ()) -> dict[str, Path]:
    """By name: the modules and tables that decide how games go, with all that plays them.

    A lineup names its players and a game's parts are asked for by name, so all players count that
    are installed, and every module in the game's folder whose name stands somewhere in quotes.
    Players of ``names`` are known to this process alone.
    """
    found = dict(_reached((BLOCKS, *sorted(bots.homes(names)))))
    said = frozenset[str]().union(*(_read(path).texts for path in found.values()))
    said |= {text.removeprefix(".") for text in said}  # f"{self.package}.rules"
    parts = [path.stem for path in game.folder.glob("*.py") if path.stem in said]
    found |= _reached((game.package, *(f"{game.package}.{part}" for part in parts)))
    said |= frozenset[str]().union(*(_read(path).texts for path in found.values()))
    for folder in {game.folder, *(path.parent for path in found.values())}:
        for path in folder.iterdir():
            if path.suffix in TABLES and path.name in said:
                found[f"{folder.name}/{path.name}"] = path
    return found


@lru_cache(20)
def _reached(modules: Sequence[str]) -> Mapping[str, Path]:
    """Modules and all that they import, of their own packages and of this one."""
    todo = list(modules)
    houses = {"yegg", *(name.partition(".")[0] for name in todo)}
    found: dict[str, Path] = {}
    while todo:
        name = todo.pop()
        path = None if name in found else _file(name)
        if path is None:
            continue
        found[name] = path
        todo += [
            _home(module, what)
            for module, what, _ in _imports(name, path)
            if module.partition(".")[0] in houses
        ]
    return found


def _imports(name: str, path: Path) -> list[tuple[str, str, str]]:
    """What a module imports, with whole names."""
    around = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    made = []
    for module, what, called in _read(path).imports:
        own = module.lstrip(".")
        if up := len(module) - len(own):
            own = ".".join([*around[: len(around) - up + 1], *filter(None, [own])])
        made.append((own, what, called))
    return made


def _home(module: str, what: str) -> str:
    """Where something is written that is imported from a module: there, or where that has it from.

    A package that hands on what its modules have is not followed to all of these.
    """
    if what and _file(f"{module}.{what}"):
        return f"{module}.{what}"
    path = _file(module)
    if path and path.name == "__init__.py":
        for other, thing, called in _imports(module, path):
            if what and called == what:
                return _home(other, thing)
    return module


def _file(name: str) -> Path | None:
    """The source of a module; None if there is none."""
    top, *rest = name.split(".")
    there = sys.modules.get(top) or find_spec(top)
    origin = getattr(there, "__file__", None) or getattr(there, "origin", None)
    if origin is None or not origin.endswith(".py"):
        return None
    if not rest:
        return Path(origin)
    base = Path(origin).parent.joinpath(*rest)
    either = base.with_name(f"{base.name}.py"), base / "__init__.py"
    return next((path for path in either if path.is_file()), None)


@cache
def _read(path: Path) -> Read:
    """Read a source, once: a process plays with what it loaded."""
    tree = ast.parse(path.read_bytes())
    imports: list[tuple[str, str, str]] = []
    texts = set()
    todo: list[ast.AST] = [tree]
    while todo:
        node = todo.pop()
        match node:
            case ast.If(test=ast.Name("TYPE_CHECKING")):
                todo += node.orelse
                continue
            case ast.Import():
                imports += [(one.name, "", "") for one in node.names]
            case ast.ImportFrom():
                module = "." * node.level + (node.module or "")
                imports += [(module, one.name, one.asname or one.name) for one in node.names]
            case ast.Constant(value=str(text)):
                texts.add(text)
        todo += ast.iter_child_nodes(node)
    return Read(tuple(imports), frozenset(texts))
