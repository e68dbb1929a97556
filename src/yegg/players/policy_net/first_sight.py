"""What seats expect by the policy net, with NumPy: for who cannot wait for a compiler."""

import numpy as np
from numpy.typing import NDArray

from yegg.engine import Game, Ints, States, kernels

from .policy_function import learned


def expected(game: Game, states: States, seats: Ints) -> NDArray[np.float64]:
    """The share of the win, shape (n,), that each of n ``seats`` expects in its position.

    What it cannot know there is hidden.  The net covers the game, and the positions are not over.
    """
    parts = learned(game).parts
    net, plain = parts[0], game.engine(*parts, "lore", how="plain")
    views, x = states.copy(), np.zeros((len(states), net.PLACES), np.float32)
    with np.errstate(over="ignore"):  # unsigned numbers wrap around on purpose
        for i, seat in enumerate(seats.tolist()):
            plain.kernel(kernels.veil)(views[i : i + 1], seat)
            plain.kernel(net.look)(views[i], views[i : i + 1].view(np.int32), seat, x[i])
    z = ((x[:, :-1] - net.MEAN) * net.SCALE).clip(net.LEAST, net.MOST) - net.ZERO
    first = np.maximum(net.START + z @ net.W1, 0)
    units = np.maximum(net.B2 + first @ net.W2, 0)
    reward = units @ net.HEADS[:, -1] + net.HEADS_START[-1]
    n = len(plain.result(states[:1])[0])
    shares: NDArray[np.float64] = ((reward * (n - 1.0) + 1) / n).clip(0, 1).astype(np.float64)
    return shares
