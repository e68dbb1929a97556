"""Compiled code never calls itself: machine code of such functions crashes when loaded again."""

import dis
from types import FunctionType

import pytest

from yegg import games, players

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
