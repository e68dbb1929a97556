"""Every kernel becomes a card's code, for two kinds of cards, though none is here."""

from pathlib import Path

import pytest
from programs import python

from yegg.contract.cases import NAMES

HERE = Path(__file__).parent
NO_SIMULATOR = {"NUMBA_ENABLE_CUDASIM": "0"}
KERNELS = ("steps", "roam", "rows", "columns")


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
def test_so_does_a_fifth_game(pig, monkeypatch):
    monkeypatch.setenv("NUMBA_ENABLE_CUDASIM", "0")
    assert pig(HERE / "compiled.py", "9.0", "pig").splitlines() == expected("pig")


FIFTH = """
import warnings
warnings.filterwarnings("ignore", "overflow")
from yegg import envs
one, other = envs.batch("pig", 3), envs.batch("pig", 3, device="cuda")
for _ in range(30):
    one.step()
    other.step()
    for name in ("observations", "masks", "rewards", "actor", "states", "sampled"):
        assert getattr(one, name).tobytes() == getattr(other, name).copy_to_host().tobytes(), name
print("alike")
"""


@pytest.mark.wide
def test_a_fifth_game_is_played_in_the_simulator(pig, monkeypatch):
    monkeypatch.setenv("NUMBA_ENABLE_CUDASIM", "1")
    assert pig("-c", FIFTH) == "alike\n"
