"""Numba belongs to all that runs in a process: yegg compiles with it and changes nothing of it."""

import pytest
from programs import python

COMPILES = """
import yegg
match = yegg.Match("second-story", players=2, seed=1).to_decision()
match.play(match.choices[0])
match.scores
"""
COMPARES = """
import sys
import types
import numba
import numba.core.typed_passes
import numba.np.arrayobj

def bound():
    \"\"\"What each name of each module and class of Numba is bound to.\"\"\"
    found, places = {}, {}
    for name, module in [*sys.modules.items()]:
        if name.partition(".")[0] in {"numba", "llvmlite"}:
            places[name] = module
            for thing in vars(module).values():
                if isinstance(thing, type) and thing.__module__.startswith("numba"):
                    places[f"{thing.__module__}.{thing.__qualname__}"] = thing
    for place, thing in places.items():
        for name, value in vars(thing).items():
            if callable(value) or isinstance(value, (property, classmethod, staticmethod)):
                found[place, name] = value
    return found

@numba.njit
def warm(n):
    return n + 1

warm(1)
before = bound()
PROGRAM
after = bound()
print([where for where, thing in before.items() if after.get(where) is not thing])
"""
PLAYS = """
import gc
import numpy as np
import numba
from numba.core import event
from numba.core.compiler import Flags
PROGRAM
spent = []

@numba.njit
def last(a, i):
    return a[i]

with event.install_timer("numba:compile", spent.append):
    print(last(np.arange(5), -1), last.stats.cache_path, type(last._cache).__name__)
flags = Flags()
flags.nrt = True
print(len(spent), spent[0] > 0, sorted(flags.values().items()) == sorted(
    (name, getattr(flags, name)) for name in Flags.options))
print(gc.isenabled(), gc.get_threshold())
"""


def output(program, what):
    """What a program prints that does something with yegg, or nothing."""
    done = python("-c", program.replace("PROGRAM", what))
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[-4:]


def test_nothing_of_numba_is_bound_anew():
    assert output(COMPARES, COMPILES) == ["[]"]


@pytest.mark.parametrize("what", ["import yegg", COMPILES], ids=["imported", "compiled"])
def test_a_program_beside_yegg_sees_the_numba_that_it_would_see_alone(what):
    with_yegg, alone = output(PLAYS, what), output(PLAYS, "")
    assert with_yegg == alone
    assert alone[0].startswith("4 "), "a negative index counts from the end"


NEWER = """
import sys
from importlib import metadata
from unittest.mock import patch
import logging
logging.basicConfig(format="%(message)s")
told = metadata.version
metadata.version = lambda name: "0.99.1" if name == "numba" else told(name)
import yegg
if "another inside" in sys.argv:
    from numba.core import caching
    del caching.FunctionCache.__mro__[1]._index_key  # as a newer version might do
from yegg.players.outside import Outsider
class Cold(yegg.Player):  # what it asks of yegg takes longer to compile than it may think
    def choose(self, view):
        match = yegg.Match("second-story", players=2, seed=1).to_decision()
        for _ in range(3):
            match.play(match.choices[0])
            match.to_decision()
        print(*match.history)
        return view.choices[0]
plain = yegg.Match("second-story", players=2, seed=1, how="plain").to_decision()
view = plain.view()
player = Outsider(plain.game, "cold", Cold, seed=1, seconds=1)
player.choose(view.states, view.seat, view.choices)
from yegg.engine.compiler import toolchain
print(toolchain().__name__)
"""


def test_a_newer_numba_is_used_in_the_usual_way_where_its_inside_is_another(tmp_path):
    env = {"YEGG_CACHE": str(tmp_path)}
    alike, another = (python("-c", NEWER, word, env=env) for word in ("", "another inside"))
    assert [done.stdout.split()[-1] for done in (alike, another)] == [
        "yegg.engine.numba_internals",
        "yegg.engine.usual_numba",
    ], alike.stderr + another.stderr
    assert alike.stdout.split()[:-1] == another.stdout.split()[:-1]
    assert not alike.stderr
    (line,) = another.stderr.splitlines()
    assert line.startswith("Numba 0.99.1 is newer than what yegg was tried with (below 0.69)")
