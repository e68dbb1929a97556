"""Every kernel becomes a card's code, for two kinds of cards, though none is here."""

import importlib.util
from pathlib import Path

import pytest
from programs import NO_CARD, python

from yegg.contract.cases import NAMES

HERE = Path(__file__).parent
pytestmark = pytest.mark.skipif(importlib.util.find_spec("numba_cuda") is None, reason=NO_CARD)
NO_SIMULATOR = {"NUMBA_ENABLE_CUDASIM": "0"}
KERNELS = ("steps", "rows", "columns")


def expected(name):
    return [f"{name} {kernel} True 1" for kernel in KERNELS]


@pytest.mark.parametrize("capability", ["8.0", pytest.param("9.0", marks=pytest.mark.wide)])
@pytest.mark.parametrize(
    "name", [n if n == "second-story" else pytest.param(n, marks=pytest.mark.wide) for n in NAMES]
)
def test_a_game_becomes_code_of_a_card(name, capability):
    done = python(HERE / "compiled.py", capability, name, env=NO_SIMULATOR)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == expected(name)


@pytest.mark.wide
def test_so_does_a_fifth_game(pig):
    assert pig(HERE / "compiled.py", "9.0", "pig").splitlines() == expected("pig")
