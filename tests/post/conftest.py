"""A game by post, for the tests."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from yegg.post.commands import command

EXAMPLE = (
    "Club steals secret 2 from Bill, Diamond steals secret 9 from Charles, Heart steals secret 9 "
    "from Derek, and Spade steals Eric 8.\nPoliceman guards secret 7.\n"
)
NAMES = ["Ann", "Bill", "Charles", "Derek", "Eric"]


@pytest.fixture
def example():
    """The published orders, Ann's."""
    return EXAMPLE


@pytest.fixture
def names():
    """The players of the published example."""
    return NAMES


@pytest.fixture
def post(tmp_path, monkeypatch):
    """Run ``yegg post …``; standard input as ``said``."""
    monkeypatch.chdir(tmp_path)

    def run(*args, said="", status=0):
        done = CliRunner().invoke(command, list(args), input=said)
        if done.exception and not isinstance(done.exception, SystemExit):
            raise done.exception
        assert done.exit_code == status, done.output
        return done.output

    return run


@pytest.fixture
def game(post):
    post("new", "g", "--players", ",".join(NAMES))
    return Path("g")


@pytest.fixture
def plain():
    """Orders by turn and seat that are legal in the first turns whatever happened."""

    def orders(turn, seat):
        one, other = NAMES[seat - 1], NAMES[seat - 2]
        return (
            f"C {one} {turn}, D {other} {turn + 2}, H {one} {turn + 4}, S {other} {turn + 6}. "
            f"Police {10 - turn}"
        )

    return orders


@pytest.fixture
def contents():
    """Every file of a folder with its text, times of receipt left out."""
    return lambda folder: {
        str(path.relative_to(folder)): re.sub(r"received .*", "", path.read_text())
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != ".lock"
    }
