"""The fields of a state: how they are read and set, and what they cannot be called."""

import re
from pathlib import Path

import numpy as np
import pytest

from yegg import games
from yegg.engine import Match, Record, Refused
from yegg.engine.record import TAKEN, row

PAGE = Path(__file__).parents[1] / "docs" / "add-a-game.md"


def test_a_field_is_read_and_set_in_the_memory_of_its_state():
    match = Match(games.find("second-story"), 3, how="plain")
    two = np.concatenate([match.states, match.states]).view(match.states.dtype)
    state = two[1]
    state.turn, state.lair = 2, 7
    state.bag[3] = 4
    assert (state.turn, two[1]["turn"], two[0]["turn"]) == (2, 2, match.states[0]["turn"])
    assert (two[1]["lair"] == 7).all()
    assert two[1]["bag"][3] == 4
    assert type(state.turn) is type(state.bag[3]) is int
    with pytest.raises(AttributeError, match="no field 'trn'"):
        state.trn = 1
    with pytest.raises(AttributeError, match="no field 'trn'"):
        assert state.trn


@pytest.mark.parametrize("name", ["sum", "round", "min", "take", "copy", "T", "options", "cells"])
def test_a_field_that_cannot_have_its_name_is_refused_in_one_sentence(name):
    for value in (0, row(3)):
        with pytest.raises(Refused) as error:
            type("State", (Record,), {"players": 0, name: value})
        assert f"no field of a state can be called '{name}'" in str(error.value)
        assert "docs/add-a-game.md" in str(error.value)
        assert "\n" not in str(error.value)


def test_the_page_lists_every_name_that_no_field_can_have():
    (said,) = re.findall(r"No field can be called (.*?)\.\n", PAGE.read_text("utf-8"), re.DOTALL)
    listed = set(re.findall(r"`(\w+)`", said))
    assert listed == {name for name in TAKEN if name[0] != "_"}


def test_a_state_begins_with_its_players():
    with pytest.raises(Refused, match="the first field of a state is 'players'"):
        type("State", (Record,), {"turn": 0, "players": 0})
