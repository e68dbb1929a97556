"""Two losses and their gradients: of proximal policy optimization, and of learning from a teacher.

PPO: Schulman et al. 2017.  Policy distillation: Rusu et al. 2016.  n decisions, A actions.
"""

from typing import Any, NamedTuple

from yegg.players.policy_net.forward import forward
from yegg.players.policy_net.weights import PolicyWeights

from .net import Shapes, backward

CLIP = 0.2
"""How far the decisions of one lesson move the chance of an action."""


class Decisions(NamedTuple):
    """Decisions to learn from by how they turned out."""

    seen: Any
    """(n, C)"""
    legal: Any
    """(n, A)"""
    action: Any
    """(n,), and so on: what was done."""
    chance: Any
    """The log probability that the action had."""
    better: Any
    """By how much it turned out better than expected."""
    target: Any
    """What the seat got, as far as is known."""


class Examples(NamedTuple):
    """Positions with what a teacher would do there."""

    seen: Any
    legal: Any
    taught: Any
    """(n, A): the teacher's probabilities."""
    worth: Any
    """(n,): the reward that the teacher expects."""


class Loss(NamedTuple):
    """A loss per decision, its gradient, and the policy's mean entropy."""

    total: Any
    slope: Any
    """Flat: see `net.shaped`."""
    entropy: Any


def loss(xp: Any, net: PolicyWeights, shapes: Shapes, some: Decisions, openness: float) -> Loss:
    """PPO's loss.  ``openness``: what a unit of entropy is worth.

    An action that turned out well becomes likelier, but by no more than `CLIP` compared with when
    it was played: the decisions say nothing of how a policy does that is far from its own.
    """
    logits, values, layers = forward(xp, net, some.seen, some.legal)
    many = len(values)
    rows = xp.arange(many)
    gain = xp.exp(logits[rows, some.action] - some.chance) * some.better
    most = xp.where(some.better > 0, 1 + CLIP, 1 - CLIP).astype(gain.dtype) * some.better
    chances = xp.exp(logits)
    logits *= some.legal
    entropy = -(chances * logits).sum(1)
    wrong = values - some.target
    total = (0.5 * wrong**2 - xp.minimum(gain, most) - openness * entropy).mean()
    push = gain * (gain < most)
    logits += entropy[:, None]
    logits *= openness
    logits += push[:, None]
    logits *= chances
    logits[rows, some.action] -= push
    logits /= many
    return Loss(total, backward(xp, net, shapes, layers, logits, wrong / many), entropy.mean())


def imitation(xp: Any, net: PolicyWeights, shapes: Shapes, some: Examples) -> Loss:
    """Cross entropy to a teacher's probabilities, and the squared error to its values."""
    logits, values, layers = forward(xp, net, some.seen, some.legal)
    many = len(values)
    wanted, chances = some.taught.astype(logits.dtype), xp.exp(logits)
    wanted /= wanted.sum(1, keepdims=True)  # what is kept of them is rounded
    logits *= some.legal
    wrong = values - some.worth
    total = (0.5 * wrong**2 - (wanted * logits).sum(1)).mean()
    entropy = -(chances * logits).sum(1).mean()
    slopes = (chances - wanted) / many
    return Loss(total, backward(xp, net, shapes, layers, slopes, wrong / many), entropy)
