"""What every test of every game starts from."""

import pytest
from cases import ALL, FEW, Case

from yegg import games
from yegg.engine import Game

NAMES = games.names()


@pytest.fixture(
    params=[pytest.param(c, marks=() if c in FEW else pytest.mark.slow, id=str(c)) for c in ALL]
)
def case(request: pytest.FixtureRequest) -> Case:
    return request.param


@pytest.fixture(params=NAMES)
def game(request: pytest.FixtureRequest) -> Game:
    return games.find(request.param)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All tests of a game to one process: what that has compiled, no other compiles meanwhile."""
    for item in items:
        item.add_marker(pytest.mark.xdist_group(group(item)))


def group(item: pytest.Item) -> str:
    """The tests that one process runs: all of a game, all in a browser, else those of a file."""
    if item.get_closest_marker("browser"):
        return "browser"
    where = item.nodeid.replace("_", "-")
    return next((name for name in NAMES if name in where), item.path.stem)
