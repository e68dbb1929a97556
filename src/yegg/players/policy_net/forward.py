"""A policy net's answers, with NumPy or CuPy: ``xp`` is either of them."""

from typing import Any, NamedTuple

import numpy as np

from yegg.observations.layout import layout
from yegg.observations.setting import Setting

from .weights import FAR, PolicyWeights

CLOSED = -1e9
"""The logit of an action that is not legal."""


class Layers(NamedTuple):
    """What each layer of the net gave; n positions, C columns, U units."""

    z: Any
    """(n, C): the columns as the net counts them."""
    h1: Any
    """(n, U)"""
    h2: Any
    """(n, U)"""


def forward(xp: Any, net: PolicyWeights, x: Any, legal: Any) -> tuple[Any, Any, Layers]:
    """Log probabilities (n, A), values (n,), and the layers, from observations and legal actions.

    ``x`` (n, C) are columns of any type; ``legal`` (n, A) truth values, one of them true in each
    row.
    """
    z = x.astype(net.w1.dtype)
    z -= net.mean
    z *= net.scale
    xp.clip(z, -FAR, FAR, out=z)
    h1 = _layer(xp, z, net.w1, net.b1)
    h2 = _layer(xp, h1, net.w2, net.b2)
    logits = h2 @ net.w3
    logits += net.b3
    logits[~legal] = CLOSED  # before they become probabilities: no chance, no gradient
    logits -= logits.max(1, keepdims=True)
    logits -= xp.log(xp.exp(logits).sum(1, keepdims=True))
    return logits, (h2 @ net.w4 + net.b4)[:, 0], Layers(z, h1, h2)


def for_setting(net: PolicyWeights, one: Setting) -> PolicyWeights:
    """The same net for a setting's own columns and actions alone; ``net`` has NumPy's arrays.

    What does not change during a game becomes part of the first layer's biases.
    """
    told = layout(one.game)
    columns, actions = told.columns_of(one), told.actions_of(one)
    fixed = np.zeros(net.mean.size, np.float32)
    fixed[told.constants_of(one)] = 1
    z = ((fixed - net.mean) * net.scale).clip(-FAR, FAR)
    z[columns] = 0
    return net._replace(
        w1=net.w1[columns],
        b1=(net.b1 + z @ net.w1).astype(np.float32),
        w3=net.w3[:, actions],
        b3=net.b3[actions],
        mean=net.mean[columns],
        scale=net.scale[columns],
    )


def _layer(xp: Any, x: Any, w: Any, b: Any) -> Any:
    """Units that give nothing below 0."""
    h = x @ w
    h += b
    xp.maximum(h, 0, out=h)
    return h
