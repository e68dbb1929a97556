"""The package of a game that is another one under a new name, to be changed.

What a designer changes is copied: rules, words, lore, tally, the page of rules, the face, lessons,
records, tests.  The policy net is not: a copy plays by the original's while it may.  Nor are
puzzles, whose solutions hold by the rules of the original.
"""

import re
from collections.abc import Callable
from pathlib import Path

from yegg.engine import Game, Refused
from yegg.players.policy_net.weights import FILE

from .files import filled, put

AROUND = Path(__file__).with_name("template_of_a_copy")
LEFT_OUT = {"__pycache__", "puzzles", FILE}
TITLED = re.compile(r"^( *)title=(['\"]).*?\2,$", re.MULTILINE)
Change = Callable[[str], str]


def copy(game: Game, name: str, folder: Path) -> None:
    """Write the package of a copy into a new folder.  Raises Refused for a game of another make."""
    package, title = name.replace("-", "_"), titled(game, name)
    change = changes(game, name, title)
    begun = change[".py"]((game.folder / "__init__.py").read_text(encoding="utf-8"))
    declared, times = TITLED.subn(rf'\1title="{title}",\n\1like="{game.name}",', begun)
    if times != 1:
        raise Refused(f"{game.title} cannot be copied: its __init__.py has no line title=…,")
    files = {f"src/{package}/{path}": data for path, data in _read(game, change)}
    files[f"src/{package}/__init__.py"] = declared.encode()
    words = {"new_game": package, "new-game": name, "New Game": title}
    words |= {"Old Game": game.title, "old-game": game.name}
    put(folder, files | dict(filled(AROUND, words)))


def titled(game: Game, name: str) -> str:
    """The title of a copy: ``my-thiefs-market`` is My Thief's Market."""
    before, old, after = name.partition(game.name)
    own = (part.strip("-").replace("-", " ").title() for part in (before, after))
    return " ".join(filter(None, (next(own), game.title if old else "", next(own))))


def _read(game: Game, change: dict[str, Change]) -> list[tuple[str, bytes]]:
    """The files of a game that are copied, by their paths in it."""
    found = []
    for path in sorted(game.folder.rglob("*")):
        there = path.relative_to(game.folder)
        if path.is_file() and not LEFT_OUT & set(there.parts):
            data = path.read_bytes()
            if path.suffix in change:
                data = change[path.suffix](data.decode()).encode()
            found.append((there.as_posix(), data))
    return found


def changes(game: Game, name: str, title: str) -> dict[str, Change]:
    """By the ending of a file: what puts the new name wherever the old one is the game's."""
    package, old = re.escape(game.package), re.escape(game.name)

    def changed(*pairs: tuple[str, str]) -> Change:
        patterns = [(re.compile(before, re.MULTILINE), after) for before, after in pairs]

        def change(text: str) -> str:
            for before, after in patterns:
                text = before.sub(after, text)
            return text

        return change

    headed = (rf"^(# (?:.* )?){re.escape(game.title)}(?=$|, )", rf"\1{title}")
    record = (rf"^game: {old}$", f"game: {name}")
    return {
        ".py": changed(
            (rf"\b{package}\b", name.replace("-", "_")),
            (rf'\b(find|Match)\("{old}"', rf'\1("{name}"'),
            (rf'"{old}/', f'"{name}/'),
        ),
        ".css": changed((rf"\.{old}(?![\w-])", f".{name}")),
        ".html": changed(
            (rf'"{old}/', f'"{name}/'),
            (rf"/rules/{old}#", f"/rules/{name}#"),
            (rf'(The table of ){re.escape(game.title)}"', rf'\1{title}"'),
        ),
        ".game": changed(record),
        ".lesson": changed(record),
        ".md": changed(headed),
        ".toml": changed(headed),
    }
