"""``yegg new-game``: write the package of a game, a small one to grow from."""

import re
import sys
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path
from typing import TYPE_CHECKING

import click

from yegg.cli.options import FOLDER, GameName, option
from yegg.text.untrusted import quoted, say

from .files import filled, put

if TYPE_CHECKING:
    from yegg.engine import Game

TEMPLATE = Path(__file__).with_name("template")
NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
LONGEST = 30  # characters of a name


@click.command("new-game")
@click.argument("name")
@option("--to FOLDER", "The new folder; by default NAME, here.", FOLDER)
@option("--like GAME", "A copy of this game, to change its rules.", GameName())
def new_game(name: str, to: Path | None, like: "Game | None") -> None:
    """Write a package with a game called NAME: it plays, and its tests pass.

    \b
    yegg new-game lucky-dice
    pip install -e "lucky-dice[test]"
    yegg play lucky-dice
    yegg new-game my-magnate --like magnate     Magnate once more, for rules of your own

    The game is small: a die, and when to stop.  Replace its rules by yours, a file at a time.
    With --like it is a whole game with its tests; an experiment compares both.
    """
    folder = to or Path(name)
    refuse_unfit(name)
    if folder.exists():
        raise click.UsageError(f"{folder} exists; --to FOLDER takes another")
    if like:
        from .like import copy

        copy(like, name, folder)
    else:
        write(name, folder)
    if like and not (like.folder / "tests").is_dir():
        say("This yegg came without its games' tests and records; a checkout copies them too.")
    say(f"{folder} holds a game that plays. Go on with:")
    for line in (
        f'pip install -e "{folder}[test]"',
        f"yegg play {name}",
        f"pytest {folder}",
        f"pytest --pyargs yegg.contract -k {name}",
    ):
        say(f"  {line}")


def refuse_unfit(name: str) -> None:
    """Raises UsageError where no new game can be called so."""
    from yegg import games

    if not NAME.fullmatch(name) or len(name) > LONGEST:
        like = f"at most {LONGEST} small letters, digits and dashes, as lucky-dice"
        raise click.UsageError(f"a game's name has {like}; not {quoted(name)}")
    if name in games.names():
        raise click.UsageError(f"there is a game {quoted(name)} already")
    package = name.replace("-", "_")
    if iskeyword(package) or package in sys.stdlib_module_names or find_spec(package):
        raise click.UsageError(
            f"{package} is a name of Python, or of a package that is installed: take another name"
        )


def write(name: str, folder: Path) -> None:
    """Write the package of a game into a new folder."""
    initials = [word[0] for word in name.split("-") if word[0].isalpha()]
    letters = initials if len(initials) > 1 else [c for c in name * 2 if c.isalpha()]
    clause = "".join(letters[:2]).upper()
    words = {
        "new_game": name.replace("-", "_"),
        "new-game": name,
        "New Game": name.replace("-", " ").title(),
        "NG-": f"{clause}-",
        "test_ng_": f"test_{clause.lower()}_",
    }
    put(folder, dict(filled(TEMPLATE, words)))
