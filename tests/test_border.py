"""What comes from outside meets compiled code only if it can be a position of the game."""

import pickle
import re
from pathlib import Path

import numpy as np
import pytest
from programs import python

from yegg import envs, games
from yegg.contract.cases import ALL, FEW, wander
from yegg.engine import Match, Refused, View, border
from yegg.engine.record import copied
from yegg.envs.batches import Batch
from yegg.envs.single import Single
from yegg.observations.setting import setting

MUTATED = Path(__file__).with_name("mutated.py")
CASES = [
    pytest.param(case, marks=() if case in FEW else pytest.mark.wide, id=str(case)) for case in ALL
]


@pytest.mark.parametrize("case", CASES)
def test_every_position_and_every_view_is_taken(case):
    for at, match in enumerate(wander(case.match(), 11)):
        border.admitted(case.game, match.states)
        if at % 7 == 0 or match.over:
            for seat in range(-1, case.players):
                border.admitted(case.game, match.known_to(seat))
        if match.actor >= 0 and match.choices != match.specials:
            view = match.known_to(match.actor)
            assert border.choices_of(case.game, view, match.actor) == match.choices


@pytest.mark.parametrize("name", games.names())
def test_every_field_declares_its_bounds(name):
    assert border.meets(games.find(name)) == "compiled"


@pytest.mark.wide(but=["magnate", "secrets", "second-story"])
@pytest.mark.parametrize("name", games.names())
def test_changed_positions_never_end_a_process_by_a_signal(name):
    done = python(MUTATED, name, "1500", "medium")
    assert done.returncode == 0, f"ended with {done.returncode}: {done.stderr}"
    (taken,) = re.findall(r"taken (\d+)", done.stdout)
    assert 3 < int(taken) < 700


@pytest.mark.wide(minutes=3)
@pytest.mark.parametrize("name", games.names())
def test_many_changed_positions_never_end_a_process_by_a_signal(name):
    for bots in (["2500", "easy", "search:50"], ["120", "hard"]):
        done = python(MUTATED, name, *bots)
        assert done.returncode == 0, f"ended with {done.returncode}: {done.stderr}"


@pytest.mark.parametrize("name", games.names())
def test_every_field_is_checked_by_its_bounds(name):
    match = Match(name, games.find(name).usual, how="plain")
    for field, (least, most) in match.game.state.bounds.items():
        for wrong in (least - 1, most + 1, 2**31 - 1, -(2**31)):
            states = copied(match.states)
            np.atleast_1d(states[field][0])[...] = wrong
            states[field].reshape(-1)[-1:] = wrong
            with pytest.raises(Refused, match=f"{field} is {least} to {most}, not {wrong}"):
                border.admitted(match.game, states)


def test_a_game_that_declares_no_bounds_meets_plain_code_only(monkeypatch):
    game = games.find("second-story")
    monkeypatch.setattr(game.state, "bounds", {})
    assert border.meets(game) == "plain"


# --- the doors ----------------------------------------------------------------------------------


def wrong_states():
    """A position of Second Story that cannot be."""
    match = Match("second-story", 2, seed=3)
    states = copied(match.states)
    states["house"] = 10**9
    return match.game, states


def test_a_match_does_not_go_on_from_what_cannot_be():
    game, states = wrong_states()
    with pytest.raises(Refused, match="house is 0 to 44, not 1000000000"):
        Match.resumed(game, states)
    with pytest.raises(Refused, match="house is 0 to 44, not 1000000000"):
        Match.imagined(View(game, states, 0, []))


def test_an_environment_does_not_look_at_what_cannot_be():
    single = Single(setting("second-story", 2))
    with pytest.raises(Refused, match="house is 0 to 44"):
        single.observe_state(wrong_states()[1], 0)


@pytest.mark.parametrize("name", ["states", "ended", "events", "actor", "masks", "rows"])
def test_a_batch_that_was_changed_while_pickled_is_refused(name):
    batch = envs.batch("second-story", games=3, players=2)
    arrays = dict(batch._arrays)
    again = Batch.from_arrays(batch.setting, batch.wishes, arrays)
    twin = pickle.loads(pickle.dumps(again))  # noqa: S301  our own
    assert twin.states.tobytes() == batch.states.tobytes()
    arrays[name] = arrays[name].copy()
    if arrays[name].dtype.names:
        arrays[name]["phase"] = 99
    elif arrays[name].ndim == 1:
        arrays[name][0] = 10**6
    else:
        arrays[name] = arrays[name][:, :1]
    with pytest.raises(Refused, match="this is no "):
        Batch.from_arrays(batch.setting, batch.wishes, arrays)
