"""A policy net's answers, with NumPy or CuPy: ``xp`` is either of them."""

from typing import Any, NamedTuple

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


def _layer(xp: Any, x: Any, w: Any, b: Any) -> Any:
    """Units that give nothing below 0."""
    h = x @ w
    h += b
    xp.maximum(h, 0, out=h)
    return h
