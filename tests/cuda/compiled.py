"""Compiles what a batch on a card runs to PTX; needs numba-cuda, and neither a card nor its driver.

Run as a program: a capability (`9.0`), then games by name, `NAME=FILE` over a deck of one's own.
Prints a line for each kernel.
"""

import sys

import numpy as np
from numba import cuda
from numba.cuda import api, compiler, dispatcher
from numba.cuda.typing.typeof import typeof

from yegg import players
from yegg.engine.cuda_kernels import Rows, playing, roaming
from yegg.envs import cuda_kernels as kernels
from yegg.envs import steps
from yegg.envs.batches import Batch
from yegg.observations.setting import setting
from yegg.players import uniform


def without_a_driver(capability):
    """Answer for the card that is not there, where numba-cuda asks what it can."""

    class Device:
        compute_capability = capability

    for module in (api, compiler, dispatcher):
        module.get_current_device = lambda: Device


def kernels_of(name):
    """Each kernel of a game, and what it is called with."""
    name, _, deck = name.partition("=")
    batch = Batch(setting(name, cards=deck or None), games=2)
    there, arrays = batch.setting, batch._arrays
    engine = there.game.engine(uniform, how="cuda")
    yield (
        "steps",
        engine.kernel(kernels.stepping(there.game.choices)),
        batch._slots[0],
        arrays["given"],
        steps.BEGIN,
        1,
    )
    roam = there.game.engine(how="cuda").kernel(roaming(there.game.choices))
    yield "roam", roam, arrays["states"], there.dealt, np.zeros(2, np.uint64), 10
    yield "game", *whole_games_of(there)
    looks = there.game.engine(*((there.counts,) if there.counts else ()), how="cuda")
    look = batch._encoders[0][0][0].look
    for layout, order in (("rows", "C"), ("columns", "F")):
        rows = np.asarray(arrays["rows"], order=order)
        seen = arrays["states"], arrays["actor"], rows
        yield layout, looks.kernel(kernels.look_games), look, *seen


def whole_games_of(there):
    """What plays whole games, and what it is called with."""
    game, two = there.game, np.zeros(2, np.int32)
    states, dice = game.blank(there.players, {}, 2), np.zeros((2, 1 + there.players, 1), np.uint64)
    table = np.zeros((2, 3), np.int32)
    rows = Rows(states, states, dice, two, table, table, table.astype(np.int64), two)
    kernel = players.engine(game, "uniform", how="cuda").kernel(playing(game.choices))
    return kernel, rows, states, table, 100, table


def ptx(capability, kernel, *given):
    """The text of a kernel for cards that can so much."""
    types = tuple(map(typeof, given))
    text, _ = cuda.compile(
        kernel.py_func, types, device=False, cc=capability, output="ptx", abi="numba"
    )
    return text


if __name__ == "__main__":
    wanted = tuple(map(int, sys.argv[1].split(".")))
    without_a_driver(wanted)
    for name in sys.argv[2:]:
        for what, kernel, *given in kernels_of(name):
            text = ptx(wanted, kernel, *given)
            target = f".target sm_{wanted[0]}{wanted[1]}"
            sys.stdout.write(f"{name} {what} {target in text} {text.count('.visible .entry')}\n")
