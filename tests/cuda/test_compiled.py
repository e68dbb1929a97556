"""Every kernel becomes a card's code, for two kinds of cards, though none is here."""

from pathlib import Path

import pytest
from programs import python

from yegg import games
from yegg.contract.cases import NAMES

HERE = Path(__file__).parent
NO_SIMULATOR = {"NUMBA_ENABLE_CUDASIM": "0"}
KERNELS = ("steps", "roam", "game", "rows", "columns")


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
def test_so_does_a_game_over_a_deck_of_one_s_own(tmp_path):
    published = games.find("thiefs-market").folder / "cards.csv"
    deck = tmp_path / "deck.csv"
    deck.write_text(
        published.read_text().replace("Alchemical Lab,A,,RR,", "Alchemical Lab,A,,RRW,")
    )
    name = f"thiefs-market={deck}"
    done = python(HERE / "compiled.py", "9.0", name, env=NO_SIMULATOR)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == expected(name)


@pytest.mark.wide
def test_so_does_a_fifth_game(pig, monkeypatch):
    monkeypatch.setenv("NUMBA_ENABLE_CUDASIM", "0")
    assert pig(HERE / "compiled.py", "9.0", "pig").splitlines() == expected("pig")


FIFTH = """
import warnings
warnings.filterwarnings("ignore", "overflow")
from yegg import envs, games
from yegg.lab import simulation
from yegg.lab.batch import Setting
from yegg.lab.on_a_card import Card
one, other = envs.batch("pig", 3), envs.batch("pig", 3, device="cuda")
for _ in range(30):
    one.step()
    other.step()
    for name in ("observations", "masks", "rewards", "actor", "states", "sampled"):
        assert getattr(one, name).tobytes() == getattr(other, name).copy_to_host().tobytes(), name
game = games.find("pig")
setting = Setting(game, game.usual, {}, ["uniform"] * game.usual, seed=1)
ours, cards = simulation.run(setting, 0, 5), Card(setting).run(0, 5)
for name in ("lengths", "scores", "standings", "counts"):
    assert getattr(ours, name)[:].tolist() == getattr(cards, name)[:].tolist(), name
print("alike")
"""


@pytest.mark.wide
def test_a_fifth_game_is_played_in_the_simulator(pig, monkeypatch):
    monkeypatch.setenv("NUMBA_ENABLE_CUDASIM", "1")
    assert pig("-c", FIFTH) == "alike\n"


ZEROS = """
import sys
import numpy as np
from numba import cuda, types
sys.path.insert(0, sys.argv[1])
from compiled import without_a_driver
from yegg.engine import scratch
from yegg.engine.cuda_scratch import in_thread
without_a_driver((9, 0))
grid, numbers = in_thread(scratch.int_grid), in_thread(scratch.numbers)
def kernel(out):
    a, b = grid(2, 3), numbers(4)
    a[1, 2] += 7
    b[2] += 3
    out[0] = 100 * a[1, 2] + a[0, 1] + b[2] + b[3] + 1000 * a.shape[1]
text, _ = cuda.compile(
    kernel, (types.int32[:],), device=False, cc=(9, 0), output="ptx", abi="numba"
)
print(", 3703;" in text)
"""


def test_arrays_of_scratch_begin_as_zeros():
    done = python("-c", ZEROS, HERE, env=NO_SIMULATOR)
    assert (done.stdout, done.stderr) == ("True\n", "")
