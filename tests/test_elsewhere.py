"""Machine code is found wherever the package lies, and never taken for other code."""

import shutil
from pathlib import Path

import pytest
from programs import SOURCE, python

from yegg import games, players
from yegg.engine import kernels
from yegg.players import greedy

GAME = games.find("second-story")

COLD = """
import yegg
from yegg import games
print(yegg.__file__, games.find("second-story").engine().cold())
"""
COMPILES = """
import yegg
from numba.core import event
with event.install_recorder("numba:compile") as found:
    match = yegg.Match("second-story", players=2, seed=1).to_decision()
    match.view()
    match.play(match.choices[0])
    match.again().follow(match.history)
    match.scores
print(yegg.__file__, bool(found.buffer))
"""


def says(code, source, tmp_path):
    """What some code says of the package that lies in ``source``."""
    env = {"YEGG_CACHE": str(tmp_path / "cache")}
    done = python("-c", code, paths=[source], env=env)
    path, said = done.stdout.split()
    assert Path(path).is_relative_to(source)
    return said == "True"


@pytest.mark.slow
def test_a_copy_of_the_package_elsewhere_loads_what_was_compiled(tmp_path):
    here, copy = SOURCE, tmp_path / "elsewhere"
    shutil.copytree(here / "yegg", copy / "yegg", ignore=shutil.ignore_patterns("__pycache__"))
    assert says(COMPILES, here, tmp_path)
    assert not says(COLD, copy, tmp_path)
    assert not says(COMPILES, copy, tmp_path)
    rules = copy / "yegg" / "games" / "second_story" / "rules.py"
    rules.write_text(rules.read_text(encoding="utf-8") + "\n# edited\n", encoding="utf-8")
    assert says(COLD, copy, tmp_path), "other sources, other code"
    assert not says(COLD, here, tmp_path)


def compiled(module):
    """The names under which Numba links the functions of a twin, by their names in it."""
    functions = ((name, thing) for name, thing in vars(module).items() if hasattr(thing, "py_func"))
    return {name: thing.py_func.__qualname__ for name, thing in functions}


def test_the_code_of_two_judges_has_no_name_in_common():
    """Two processes may have compiled them, and Numba links what it loads by names."""
    forges = [players.engine(GAME, name).forge for name in ("medium", "greedy")]
    assert forges[0].parts != forges[1].parts
    medium, other = (set(compiled(forge.twin(greedy)).values()) for forge in forges)
    assert {"choose", "expected", "worth"} <= {name.partition("__")[0] for name in medium - other}


def test_kernels_over_other_parts_have_other_names():
    made = [players.engine(GAME, name).kernel(kernels.decide) for name in ("medium", "greedy")]
    assert len({kernel.py_func.__qualname__ for kernel in made}) == 2


def test_rules_are_compiled_under_one_name_for_all_players():
    forges = [players.engine(GAME, name).forge for name in ("medium", "greedy")]
    assert compiled(forges[0].twin(GAME.rules)) == compiled(forges[1].twin(GAME.rules)) != {}
