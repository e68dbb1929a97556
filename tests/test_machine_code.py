"""Machine code: found wherever the package lies, shared by decks of one shape, never recursive."""

import dis
import os
import shutil
import subprocess
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path
from types import FunctionType

import numpy as np
import pytest
from programs import SOURCE, installed, lay, python

from yegg import games, players
from yegg.engine import compiler, kernels, numba_internals
from yegg.engine.numba_internals import CalleeCompiler, direct, ready
from yegg.files import in_turn
from yegg.lab.compiling import beside
from yegg.lab.simulation import closing
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
    done = python("-c", code, paths=[source], env={"YEGG_CACHE": str(tmp_path / "cache")})
    path, said = done.stdout.split()
    assert Path(path).is_relative_to(source)
    return said == "True"


@pytest.mark.wide
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


def test_what_another_process_compiles_meanwhile_is_waited_for_and_loaded(tmp_path, monkeypatch):
    here, there = tmp_path / "cache", tmp_path / "other"
    monkeypatch.setenv("YEGG_CACHE", str(here))
    states = GAME.blank(2, {})

    def begun():
        """How often the kernel was compiled, and how often loaded."""
        made = GAME.engine().compiler.kernel(kernels.begin)
        direct(made, states, np.zeros(GAME.choices, np.int32))
        return sum(made.stats.cache_misses.values()), sum(made.stats.cache_hits.values())

    @contextmanager
    def waited(folder, name):
        """Until the other process has compiled it."""
        if there.exists():
            there.rename(here)
        with in_turn(folder, name):
            yield

    assert begun() == (1, 0)
    here.rename(there)
    monkeypatch.setattr(numba_internals, "in_turn", waited)
    assert begun() == (0, 1)


def test_what_a_kernel_calls_is_kept_for_the_next_kernel(tmp_path, monkeypatch):
    """As by two processes, one after the other: a new compiler knows nothing but the disk."""
    monkeypatch.setenv("YEGG_CACHE", str(tmp_path))
    parts = GAME.engine().compiler.parts

    def rules_after(kernel, *given):
        """How many functions of the rules were compiled for a kernel, and how many loaded."""
        monkeypatch.setattr(compiler, "_twins", {})
        made = compiler.Compiler(*parts)
        direct(made.kernel(kernel), GAME.blank(2, {}), *given)
        functions = [
            thing for thing in vars(made.twin(parts[0])).values() if hasattr(thing, "stats")
        ]
        misses = sum(sum(thing.stats.cache_misses.values()) for thing in functions)
        return misses, sum(sum(thing.stats.cache_hits.values()) for thing in functions)

    out = np.zeros(GAME.choices, np.int32)
    first, _ = rules_after(kernels.specials_of, out)
    assert first > 0
    assert (tmp_path / "functions").is_dir()
    shutil.rmtree(next(path for path in tmp_path.iterdir() if path.name != "functions"))
    misses, hits = rules_after(kernels.specials_of, out)
    assert misses == 0
    assert hits > 0


@pytest.mark.wide
def test_another_process_compiles_what_a_simulation_needs_last(tmp_path, monkeypatch):
    monkeypatch.setenv("YEGG_CACHE", str(tmp_path))
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    monkeypatch.setattr(subprocess.Popen, "kill", subprocess.Popen.wait)  # it may finish
    with beside(GAME, ["greedy", "uniform"]):
        pass
    assert not closing(GAME).cold(kernels.conclude)
    monkeypatch.setattr(compiler, "_twins", {})
    made = compiler.Compiler(*players.engine(GAME, "greedy").compiler.parts)
    views, out = np.zeros(1 + greedy.ROOM, GAME.state.dtype), np.zeros(GAME.choices, np.int32)
    direct(made.kernel(kernels.decide), views, 0, 2, np.zeros(1, np.uint64), out)
    found = made.twin(greedy).evaluate.stats
    assert (sum(found.cache_hits.values()), sum(found.cache_misses.values())) == (1, 0)


def compiled(module):
    """The names under which Numba links the functions of a twin, by their names in it."""
    functions = ((name, thing) for name, thing in vars(module).items() if hasattr(thing, "py_func"))
    return {name: thing.py_func.__qualname__ for name, thing in functions}


def test_only_a_kernel_becomes_machine_code_and_knows_what_its_callees_need():
    """An exception's arguments are made by way of the callee's environment."""
    from numba import njit

    def halved(n):
        if n % 2:
            raise ValueError(n)
        return n // 2

    callee = njit(pipeline_class=CalleeCompiler, no_cpython_wrapper=True, no_cfunc_wrapper=True)
    half = callee(halved)

    @njit
    def kernel(n):
        return half(n) + 1

    assert kernel(6) == 4
    (made,) = half.overloads.values()
    engine = made.codegen._engine
    assert not engine.is_symbol_defined(made.fndesc.mangled_name)
    (kept,) = kernel.overloads.values()
    assert engine.is_symbol_defined(kept.fndesc.mangled_name)
    ready(kept)
    with pytest.raises(ValueError, match="7"):
        kernel(7)


def test_the_code_of_two_judges_has_no_name_in_common():
    """Two processes may have compiled them, and Numba links what it loads by names."""
    compilers = [players.engine(GAME, name).compiler for name in ("medium", "greedy")]
    medium, other = (set(compiled(compiler.twin(greedy)).items()) for compiler in compilers)
    assert {"choose", "expected", "sample_choice"} <= {name for name, _ in medium - other}
    assert "evaluate" in {name for name, _ in medium & other}, "it is lore's in both"


def test_kernels_over_other_parts_have_other_names():
    made = [players.engine(GAME, name).kernel(kernels.decide) for name in ("medium", "greedy")]
    assert len({kernel.py_func.__qualname__ for kernel in made}) == 2


def test_rules_are_compiled_under_one_name_for_all_players():
    compilers = [players.engine(GAME, name).compiler for name in ("medium", "greedy")]
    assert compiled(compilers[0].twin(GAME.rules)) == compiled(compilers[1].twin(GAME.rules)) != {}


def test_numba_has_what_is_taken_from_its_inside():
    """Where this fails, Numba has changed: look through `yegg.engine.numba_internals`."""
    from numba import njit
    from numba.core import caching, codegen, compiler, dispatcher, targetconfig, types

    from yegg.engine.numba_internals import QuickFlags

    assert {"load_overload", "save_overload"} <= caching.FunctionCache.__mro__[1].__dict__.keys()
    assert callable(caching.FunctionCache._index_key)
    steps = {"_load_index", "_save_index", "_load_data", "_save_data", "_data_name", "load", "save"}
    assert steps <= caching.IndexDataCacheFile.__dict__.keys()
    assert type(njit(even)._cache) is caching.NullCache
    assert {"_reduce", "_rebuild"} <= compiler.CompileResult.__dict__.keys()
    steps = {"_optimize_final_module", "_finalize_final_module", "serialize_using_object_code"}
    assert steps <= codegen.CPUCodeLibrary.__dict__.keys()
    assert callable(codegen.JITCodeLibrary.get_pointer_to_function)
    assert callable(compiler.CompilerBase.compile_extra)
    array = types.Array(types.int32, 1, "C")
    assert array.copy(readonly=True).key != array.key
    assert type(njit(even)._compiler) is dispatcher._FunctionCompiler
    steps = {"fold_argument_types", "_customize_flags"}
    assert steps <= dispatcher._FunctionCompiler.__dict__.keys()
    flags = compiler.Flags()
    flags.nrt = True
    assert QuickFlags(flags).values() == targetconfig.TargetConfig.values(flags)


def test_the_first_version_of_numba_that_was_not_tried_is_what_the_package_refuses():
    requirements = metadata.requires("yegg")
    (numba,) = [line for line in requirements if line.startswith(("numba<", "numba>"))]
    assert ".".join(map(str, compiler.NEWER)) in numba.partition("<")[2]


# A deck of one's own is data: decks of one shape share machine code

TOLLS = {
    "__init__.py": '''
        """Tolls: who takes most at the gates."""
        from yegg.engine import Game
        from yegg.engine.decks import over_deck
        GAME = Game(__name__, "Tolls", "Take most at the gates.", players=range(2, 3), usual=2)
        def use_cards(path):
            return over_deck(GAME, path, "gates", TOLLS=tuple(map(int, path.read_text().split())))
        ''',
    "gates.py": '''
        """The published gates."""
        TOLLS = (3, 1, 4)
        ''',
    "rules.py": '''
        """Take the toll of a gate; each next gate of the row adds to it."""
        import numpy as np
        from yegg.engine import NOBODY, Record, row
        from .gates import TOLLS
        TOLL = np.array(TOLLS, np.int32)
        ROWS = (TOLL[::-1].copy(), np.array([[n / 2, n * gate] for gate, n in enumerate(TOLLS)]))
        GATES = len(TOLLS)
        CHOICES = GATES
        class State(Record):
            players = 0
            turn = taken = 0
            points = row(2)
        def deal(s):
            pass
        def actor(s):
            return NOBODY if s.taken == 2 * GATES else s.turn
        def legal(s, out):
            for gate in range(GATES):
                out[gate] = gate
            return GATES
        def play(s, choice):
            worth = TOLL[choice] + ROWS[0][s.taken % GATES] + int(ROWS[1][choice, 0])
            for more in ROWS[1][choice]:
                worth += int(more)
            s.points[s.turn] += worth + TOLL.size
            s.taken += 1
            s.turn = 1 - s.turn
        def hide(s, seat):
            pass
        def score(s, seat):
            return s.points[seat]
        def standing(s, seat):
            return s.points[seat]
        ''',
    "words.py": '''
        """How Tolls is written."""
        def say(s, choice):
            return f"gate {choice + 1}"
        ''',
}

PLAYS = """
import sys
from numba.core import event
from yegg.engine import Match

for cards in sys.argv[1:]:
    with event.install_recorder("numba:compile") as found:
        path = None if cards == "published" else cards
        slow, fast = (Match("tolls", 2, cards=path, how=how) for how in ("plain", "compiled"))
        while not slow.over:
            choice = slow.choices[len(slow.history) % len(slow.choices)]
            for match in (slow, fast):
                match.play(choice)
            assert slow.states.tobytes() == fast.states.tobytes()
        assert slow.scores == fast.scores
    print(*slow.scores, "compiled" if found.buffer else "loaded")
"""


@pytest.fixture
def played(tmp_path):
    """Plays Tolls with some decks, one after the other in one process; says points, and how."""
    decks = {"dear.txt": "30 10 41", "cheap.txt": "2 7 1", "long.txt": "2 7 1 8"}
    lay(tmp_path, decks | {f"tolls/{name}": text for name, text in TOLLS.items()})
    lay(tmp_path, installed("tolls", "[yegg.games]\ntolls = tolls\n"))

    def run(*decks):
        env = {"YEGG_CACHE": str(tmp_path / "cache")}
        done = python("-c", PLAYS, *decks, paths=[tmp_path], env=env, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    return run


@pytest.mark.wide
def test_any_deck_of_a_shape_is_compiled_once_and_plays_like_its_plain_twin(played):
    published, dear, cheap, again, long = played(
        "published", "dear.txt", "cheap.txt", "dear.txt", "long.txt"
    )
    assert [line.rpartition(" ")[2] for line in (published, dear)] == ["compiled"] * 2
    assert cheap.endswith("loaded"), "of the same shape"
    assert again.split()[:-1] == dear.split()[:-1] != cheap.split()[:-1]
    assert long.endswith("compiled"), "another number of gates is another shape"
    assert played("cheap.txt", "dear.txt", "published") == [
        " ".join([*line.split()[:-1], "loaded"]) for line in (cheap, dear, published)
    ]


# Machine code of functions that call themselves crashes when loaded again

COMPILED = ("rules", "lore", "tally")
PARTS = [games.find(name).part(part) for name in games.names() for part in COMPILED]
MODULES = [*filter(None, PARTS), *map(players.find, players.names())]


def called(function):
    """The functions of yegg that a function calls."""
    for step in dis.get_instructions(function):
        thing = function.__globals__.get(step.argval) if step.opname == "LOAD_GLOBAL" else None
        if isinstance(thing, FunctionType):
            yield thing


def circle(function, above=(), done=None):
    """The functions on a way from one back to itself, or nothing."""
    done = set() if done is None else done
    if function in above:
        return [f.__name__ for f in (*above[above.index(function) :], function)]
    if function in done:
        return []
    done.add(function)
    ways = (circle(other, (*above, function), done) for other in called(function))
    return next(filter(None, ways), [])


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_no_function_comes_back_to_itself(module):
    functions = [f for f in vars(module).values() if isinstance(f, FunctionType)]
    circles = {" → ".join(found) for found in map(circle, functions) if found}
    assert not circles


def even(n):
    return n == 0 or odd(n - 1)


def odd(n):
    return n != 0 and even(n - 1)


def test_circles_are_seen():
    assert circle(even) == ["even", "odd", "even"]
    assert not circle(called)
