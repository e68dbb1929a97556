"""What every test of every game starts from."""

import pytest
from cases import ALL, FEW, Case

from yegg import games
from yegg.engine import Game


@pytest.fixture(
    params=[pytest.param(c, marks=() if c in FEW else pytest.mark.slow, id=str(c)) for c in ALL]
)
def case(request: pytest.FixtureRequest) -> Case:
    return request.param


@pytest.fixture(params=games.names())
def game(request: pytest.FixtureRequest) -> Game:
    return games.find(request.param)
