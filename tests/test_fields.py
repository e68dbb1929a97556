"""A state read through a match behaves as a NumPy record, and is faster."""

import numpy as np
import pytest

from yegg import games
from yegg.engine import Match


@pytest.mark.parametrize("name", games.names())
def test_fields_are_those_of_the_record(name):
    game = games.find(name)
    match = Match(game, game.seats({})[0], how="plain")
    for _ in range(3):
        match.play(match.choices[0])
    s, slow = match.state, match.states.view(np.dtype((np.record, game.state.dtype)))[0]
    for field in s.dtype.names:
        assert np.array_equal(getattr(s, field), getattr(slow, field))
    assert isinstance(s, np.record)
    assert s.dtype == game.state.dtype


def test_a_field_is_put_in_place_and_nothing_else_can_be():
    match = Match(games.find("second-story"), 2, how="plain")
    s = match.state
    s.turn = 1
    s.bag[2] = 4
    assert (match.states["turn"][0], match.states["bag"][0, 2]) == (1, 4)
    match.states["turn"] = 0
    assert s.turn == 0
    assert not hasattr(s, "wings")
    with pytest.raises(AttributeError, match="no field 'wings'"):
        s.wings = 2
