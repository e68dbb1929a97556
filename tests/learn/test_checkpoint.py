"""Trainings that were stopped: they go on as if they had not been, and not from other files."""

import json

import numpy as np
import pytest

from yegg import games
from yegg.engine import Refused
from yegg.players.weights import read, write
from yegg.training import checkpoint
from yegg.training.checkpoint import LARGEST
from yegg.training.course import run
from yegg.training.device import Processor

from .courses import GAME, LESSON, as_bytes, begun, learned

MOST = 64


@pytest.fixture
def part(tmp_path):
    """The file of a training of which half is over."""
    training = begun()
    for lesson in range(1, 5):
        batches = training.advance(keep=lesson == 4)
    checkpoint.keep(training, tmp_path / "part", batches)
    return tmp_path / "part"


def test_it_makes_no_difference_where_it_was_interrupted(part):
    training = checkpoint.resumed(GAME, part, Processor())
    assert training.lesson == 4
    assert training.decisions == 4 * LESSON
    while training.share < 1:
        training.advance()
    assert as_bytes(training) == as_bytes(learned())


def test_a_course_is_kept_on_the_way_and_ends_between_two_lessons(tmp_path):
    part, said, stopped = tmp_path / "part", [], []
    training = begun(seed=4)
    small = {"games": (4, 4), "told": said.append}

    def moved(now):
        if now.lesson == 3:
            stopped.append(True)

    assert not run(training, part, moved=moved, stopped=lambda: bool(stopped), **small)
    assert training.lesson == 4, "one more, which is kept"
    again = checkpoint.resumed(GAME, part, Processor())
    assert again.curve == said
    assert run(again, part, **small)
    assert as_bytes(again) == as_bytes(learned(seed=4))
    assert [point["decisions"] for point in again.curve] == sorted(
        point["decisions"] for point in said
    )
    assert said[-1]["decisions"] == 8 * LESSON


def changed(part, about=None, **arrays):
    """Write the file again with something else in it."""
    told, kept = read(part, largest=LARGEST, most=MOST)
    write(part, told | (about or {}), **kept | arrays)


@pytest.mark.parametrize(
    ("about", "said"),
    [
        ({"kind": "policy"}, "holds no training"),
        ({"columns": "0"}, "have changed"),
        ({"game": "magnate"}, "have changed"),
        ({"device": "cuda"}, "was begun with --device cuda"),
        ({"course": None}, "holds no training"),
        ({"course": {"teachers": [], "decisions": 9, "games": 10**9}}, "holds no training"),
        ({"course": {"teachers": [], "decisions": 9, "units": "many"}}, "holds no training"),
        ({"lesson": -1}, "holds no training"),
        ({"steps": 0.5}, "holds no training"),
        ({"spent": "long"}, "holds no training"),
        ({"settings": [[3, {}]]}, "holds no training"),
        ({"settings": [[9, {}]] * 16}, "holds no training"),
        ({"settings": [[2, {"wings": "2"}]] * 16}, "holds no training"),
        ({"settings": 7}, "holds no training"),
    ],
)
def test_a_file_that_says_anything_else_is_refused(part, about, said):
    changed(part, about)
    with pytest.raises(Refused, match=said):
        checkpoint.resumed(GAME, part, Processor())


def hurt(name, array):
    """An array that is not as it was, and why."""
    if name == "action":
        array[0, 0] = 10**6
    elif name == "games0":
        array[:] = 255  # seats and cards that there are not
    else:
        array.reshape(-1)[0] = np.nan
    return array


@pytest.mark.parametrize("name", ["flat", "means", "scale", "chance", "value", "action", "games0"])
def test_numbers_that_cannot_be_are_refused(part, name):
    kept = read(part, largest=LARGEST, most=MOST)[1]
    changed(part, **{name: hurt(name, kept[name])})
    with pytest.raises(Refused):
        checkpoint.resumed(GAME, part, Processor())


@pytest.mark.parametrize("name", ["flat", "squares", "chance", "games3"])
def test_arrays_of_another_shape_are_refused(part, name):
    kept = read(part, largest=LARGEST, most=MOST)[1]
    changed(part, **{name: kept[name].reshape(-1)[:-4]})
    with pytest.raises(Refused, match="not as"):
        checkpoint.resumed(GAME, part, Processor())


def test_a_file_of_something_else_is_refused(tmp_path):
    (tmp_path / "junk").write_bytes(b"junk")
    with pytest.raises(Refused, match="is no file of learned weights"):
        checkpoint.resumed(GAME, tmp_path / "junk", Processor())


def test_a_training_of_another_game_is_refused(part):
    with pytest.raises(Refused, match="have changed"):
        checkpoint.resumed(games.find("magnate"), part, Processor())


@pytest.mark.wide
@pytest.mark.parametrize("name", games.names())
def test_every_game_goes_on_as_if_nothing_had_been(name, tmp_path):
    game = games.find(name)
    training = begun(game)
    for lesson in range(1, 6):
        batches = training.advance(keep=lesson == 5)
    checkpoint.keep(training, tmp_path / "part", batches)
    again = checkpoint.resumed(game, tmp_path / "part", Processor())
    for one in (training, again):
        one.advance()
        one.advance()
    assert as_bytes(again) == as_bytes(training)
    assert json.dumps(again.about()) == json.dumps(training.about())
