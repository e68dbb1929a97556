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


def symbols(name):
    """The names under which Numba links the code that a player chooses by."""
    forge = players.engine(GAME, name).forge
    return {one.py_func.__qualname__ for one in vars(forge.twin(greedy)).values() if compiled(one)}


def compiled(thing):
    return hasattr(thing, "py_func")


def test_the_code_of_two_judges_has_no_name_in_common():
    """Two processes may have compiled them, and Numba links what it loads by names."""
    assert players.engine(GAME, "medium").forge.parts != players.engine(GAME, "greedy").forge.parts
    own = {name.partition("__")[0] for name in symbols("medium") - symbols("greedy")}
    assert {"choose", "expected", "worth"} <= own


def test_kernels_over_other_parts_have_other_names():
    made = [players.engine(GAME, name).kernel(kernels.decide) for name in ("medium", "greedy")]
    assert len({kernel.py_func.__qualname__ for kernel in made}) == 2


def test_rules_are_compiled_under_one_name_for_all_players():
    rules = [players.engine(GAME, name).forge.twin(GAME.rules) for name in ("medium", "greedy")]
    names = [{n: f.py_func.__qualname__ for n, f in vars(r).items() if compiled(f)} for r in rules]
    assert names[0] == names[1]


def test_numba_has_what_is_taken_from_its_inside():
    """Where this fails, Numba has changed: look through `yegg.engine.numba_internals`."""
    from numba.core import caching, codegen, config, types

    wanted = {"get_cache_path", "get_source_stamp", "get_disambiguator", "from_function"}
    assert wanted <= caching._CacheLocator.__dict__.keys()
    assert hasattr(config, "CACHE_DIR")
    assert callable(codegen.CPUCodeLibrary._optimize_final_module)
    assert callable(codegen.JITCodeLibrary._finalize_specific)
    array = types.Array(types.int32, 1, "C")
    assert array.copy(readonly=True).key != array.key
