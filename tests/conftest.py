"""What every test of every game starts from."""

from collections.abc import Iterator

import pytest
from cases import ALL, FEW, Case

from yegg import games, players
from yegg.engine import Game


@pytest.fixture(
    params=[pytest.param(c, marks=() if c in FEW else pytest.mark.slow, id=str(c)) for c in ALL]
)
def case(request: pytest.FixtureRequest) -> Case:
    return request.param


@pytest.fixture(autouse=True)
def nobody_enrolled(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Players that a test makes known are unknown to the next test."""
    monkeypatch.setattr(players, "_enrolled", {})
    yield
    players.find.cache_clear()


@pytest.fixture(params=games.names())
def game(request: pytest.FixtureRequest) -> Game:
    return games.find(request.param)
