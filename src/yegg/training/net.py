"""The net while it learns: all its weights in one flat array, and their gradients."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from yegg.players.policy_net.forward import Layers
from yegg.players.policy_net.weights import EXACT, PolicyWeights

Shapes = Mapping[str, tuple[int, ...]]
GAINS = {"w1": 1.4, "w2": 1.4, "w3": 0.01, "w4": 1.0}
"""How long a layer's columns are at first; in ``w3`` so short that all actions are alike."""


def learned(shapes: Shapes) -> dict[str, tuple[int, ...]]:
    """The shapes of the arrays that learn; mean and scale do not."""
    return {name: shape for name, shape in shapes.items() if name not in EXACT}


def size(shapes: Shapes) -> int:
    """How many weights learn."""
    return sum(int(np.prod(shape)) for shape in learned(shapes).values())


def shaped(flat: Any, shapes: Shapes, mean: Any = None, scale: Any = None) -> PolicyWeights:
    """A flat array of weights, or of their gradients, as a net; it stays the same memory."""
    made, at = {}, 0
    for name, shape in learned(shapes).items():
        end = at + int(np.prod(shape))
        made[name] = flat[at:end].reshape(shape)
        at = end
    return PolicyWeights(**made, mean=mean, scale=scale)


def flattened(net: PolicyWeights) -> NDArray[np.float32]:
    """All weights that learn in a row, as `shaped` takes them."""
    arrays = net._asdict().items()
    return np.concatenate([array.reshape(-1) for name, array in arrays if name not in EXACT])


def initial_weights(shapes: Shapes, dice: np.random.Generator) -> NDArray[np.float32]:
    """Orthogonal weights to begin with (Saxe et al. 2014), as a flat array; biases are 0."""
    flat = np.zeros(size(shapes), np.float32)
    net = shaped(flat, shapes)
    for name, gain in GAINS.items():
        weight = getattr(net, name)
        ins, outs = weight.shape
        turned, _ = np.linalg.qr(dice.standard_normal((max(ins, outs), min(ins, outs))))
        weight[:] = gain * (turned if ins >= outs else turned.T)
    return flat


def backward(
    xp: Any, net: PolicyWeights, shapes: Shapes, layers: Layers, logits: Any, values: Any
) -> Any:
    """The gradient of all weights, flat, from those of the logits (n, A) and the values (n,)."""
    values = values[:, None]
    to_second = logits @ net.w3.T
    to_second += values @ net.w4.T
    to_second *= layers.h2 > 0
    to_first = to_second @ net.w2.T
    to_first *= layers.h1 > 0
    flat = xp.empty(size(shapes), net.w1.dtype)
    slopes = shaped(flat, shapes)
    for w, b, ins, outs in (
        (slopes.w1, slopes.b1, layers.z, to_first),
        (slopes.w2, slopes.b2, layers.h1, to_second),
        (slopes.w3, slopes.b3, layers.h2, logits),
        (slopes.w4, slopes.b4, layers.h2, values),
    ):
        w[...] = ins.T @ outs
        b[...] = outs.sum(0)
    return flat
