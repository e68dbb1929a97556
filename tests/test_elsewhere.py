"""Machine code is found wherever the package lies."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import yegg

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
print(yegg.__file__, bool(found.buffer))
"""


def says(code, source, tmp_path):
    """What some code says of the package that lies in ``source``."""
    env = os.environ | {"PYTHONPATH": str(source), "YEGG_CACHE": str(tmp_path / "cache")}
    line = [sys.executable, "-c", code]
    done = subprocess.run(line, capture_output=True, text=True, check=True, env=env)
    path, said = done.stdout.split()
    assert Path(path).is_relative_to(source)
    return said == "True"


@pytest.mark.slow
def test_a_copy_of_the_package_elsewhere_loads_what_was_compiled(tmp_path):
    here, copy = Path(yegg.__file__).parents[1], tmp_path / "elsewhere"
    shutil.copytree(here / "yegg", copy / "yegg", ignore=shutil.ignore_patterns("__pycache__"))
    assert says(COMPILES, here, tmp_path)
    assert not says(COLD, copy, tmp_path)
    assert not says(COMPILES, copy, tmp_path)
    rules = copy / "yegg" / "games" / "second_story" / "rules.py"
    rules.write_text(rules.read_text(encoding="utf-8") + "\n# edited\n", encoding="utf-8")
    assert says(COLD, copy, tmp_path), "other sources, other code"
    assert not says(COLD, here, tmp_path)
