"""``import yegg``: what it offers, what it costs, and the programs that use it."""

from pathlib import Path

import numpy as np
import pytest
from programs import SOURCE, python

import yegg
from yegg.engine import match as engine_match

EXAMPLES = Path(__file__).parents[1] / "examples"
WORDS = {
    "designer.py": ["40"],
    "who_is_stronger.py": ["4"],
    "cfr.py": ["--iterations", "3"],
    "analyst.py": [SOURCE / "yegg/games/second_story/records/short-bank.game"],
}
# Runs where only what every installation has can be imported.
BARE = """
import sys
for extra in ("polars", "altair", "tomli_w", "optuna", "ray", "scipy", "aiosmtpd", "psycopg"):
    sys.modules[extra] = None
import yegg
print(len(yegg.simulate("second-story", games=4, seed=1).scores))
print(yegg.advise(yegg.Match("second-story", players=2, seed=0), seconds=0.05).seat)
print(*(name for name in yegg.__all__ if getattr(yegg, name) is None))
"""
LEARNERS = {"ppo.py"}  # it takes long; tests/learn runs it
# Runs a program in which `hard` imagines few futures.
QUICKER = """
import runpy, sys
from yegg.players.thinking import planner
planner.futures_wanted = lambda game: 20
del sys.argv[0]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def test_what_is_public_is_there_with_a_docstring_and_an_example():
    """`test_docs.py` runs the examples."""
    for name in yegg.__all__:
        thing = getattr(yegg, name)
        if not isinstance(thing, int):
            assert ">>> " in (thing.__doc__ or ""), name
    assert set(yegg.__all__) <= set(dir(yegg))
    with pytest.raises(AttributeError, match="nonsense"):
        yegg.nonsense  # noqa: B018


@pytest.mark.wide
def test_all_that_is_public_works_without_any_extra():
    finished = python("-c", BARE)
    assert finished.stdout.split() == ["4", "0"], finished.stderr


def test_importing_takes_no_libraries():
    code = (
        "import sys, yegg; "
        "print({'numba', 'numpy', 'rich', 'litestar', 'sqlalchemy', 'httpx'} & set(sys.modules))"
    )
    assert python("-c", code).stdout.strip() == "set()"


@pytest.mark.wide
@pytest.mark.parametrize(
    "path",
    [path for path in sorted(EXAMPLES.rglob("*.py")) if path.name not in LEARNERS],
    ids=lambda path: path.name,
)
def test_every_example_runs(path):
    done = python("-c", QUICKER, path, *WORDS.get(path.name, []), cwd=EXAMPLES)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def test_a_view_holds_nothing_of_what_the_seat_cannot_know():
    match = yegg.Match("magnate", players=2, seed=4, how="plain").to_decision()
    view, other = match.view(match.actor), match.view(1 - match.actor)
    assert view.texts == match.texts
    assert not other.choices
    assert not hasattr(view, "history")
    assert not hasattr(view, "actors")
    assert view.states.tobytes() == match.known_to(match.actor).tobytes()
    again = yegg.Match.imagined(view, seed=2)
    assert again.known_to(view.seat).tobytes() == view.states.tobytes()
    assert again.texts == view.texts


def test_a_match_with_a_seed_is_the_same_again_and_takes_back():
    one, two = (yegg.Match("second-story", players=2, seed=5, how="plain") for _ in range(2))
    for match in (one, two):
        for _ in range(12):
            match.play(match.choices[0])
    assert one.history == two.history
    twin = one.fork()
    one.play(one.choices[-1])
    twin.play(twin.choices[-1])
    assert one.history == twin.history
    one.restart()
    assert one.history == two.history[: len(one.history)]


def test_chance_acts_alike_however_many_of_its_choices_are_made_at_once(monkeypatch):
    played = []
    for room in (0, 1, engine_match.MOST_DRAWN):
        monkeypatch.setattr(engine_match, "MOST_DRAWN", room)
        one = yegg.Match("second-story", players=2, seed=5)
        while not one.over:
            one.play(one.choices[-1])
        played.append((one.history, one.actors, one.states.tobytes()))
    assert played[0] == played[1] == played[2]


def test_the_words_of_a_match_speak_the_game():
    match = yegg.Match("second-story", players=3, seed=0, how="plain")
    assert repr(match).startswith("<Match of Second Story: 3 players, 1 event; seat 1 to choose")
    assert repr(match.game) == "<Game second-story: 2 to 5 players, version 2>"


def test_a_choice_is_a_whole_number_and_may_be_numpys():
    match = yegg.Match("second-story", players=2, seed=1)
    before = match.history.copy()
    with pytest.raises(TypeError):
        match.play(match.choices[0] + 0.5)
    assert match.history == before
    match.play(np.int32(match.choices[0]))
    assert type(match.history[len(before)]) is int


def test_a_match_goes_on_from_states_of_any_equal_type():
    match = yegg.Match("second-story", players=2, seed=1)
    match.to_decision()
    plain = match.states.view(match.game.state.dtype)
    there, here = (match.resumed(match.game, states) for states in (plain, match.states))
    for one in (there, here):
        one.play(one.choices[-1])
    assert there.states.tobytes() == here.states.tobytes()
