"""What writes for many, or to many tables, can be done only so often from one address."""

from dataclasses import replace

import pytest

from .conftest import opened
from .people import SS, Player


@pytest.fixture
def limited(settings):
    with opened(replace(settings, limits=True)) as client:
        yield client


@pytest.mark.parametrize(
    ("path", "body"),
    [("/api/games", {"game": SS, "seats": ["me", "open"]}), ("/api/me/holiday", {"days": 1})],
)
def test_opening_and_going_on_holiday_are_counted(limited, path, body):
    """Twenty at once, and then one in two seconds: whoever goes on asking is told to wait."""
    ann = Player(limited).open()
    said = [ann.post(path, body) for _ in range(40)]
    assert said[0].status_code < 300
    assert said[-1].status_code == 429
    assert said[-1].headers["retry-after"]
    assert sum(one.status_code < 300 for one in said) < 35
