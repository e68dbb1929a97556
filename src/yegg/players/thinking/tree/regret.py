"""How a node learns: regret matching, one rule for open and for secret choices.

It is regret matching+ (Tammelin 2014) with outcome sampling, with the running values as baseline
(VR-MCCFR: Schmid et al. 2019), applied at each node by itself.  Where orders are secret a node
learns a mixture that nobody can exploit; elsewhere it settles on the best choice.
"""

import math

import numpy as np
from numpy.typing import NDArray

from yegg.engine.dice import fraction
from yegg.engine.verbs import Dice

from .nodes import Tree

ALLOCATES_NOTHING = True
Numbers = NDArray[np.float64]


def policy(tree: Tree, node: int, k: int, pi: Numbers) -> None:
    """The policy of a node, in proportion to its regrets (Hart & Mas-Colell 2000), or even."""
    edges, first = tree.edges, tree.nodes[node].first
    total = 0.0
    for i in range(k):
        pi[i] = edges[first + i].regret
        total += pi[i]
    for i in range(k):
        pi[i] = pi[i] / total if total > 0 else 1.0 / k


def draw(pi: Numbers, k: int, dice: Dice) -> int:
    """Draw one of k indices by the probabilities ``pi``."""
    x = fraction(dice)
    for j in range(k - 1):
        x -= pi[j]
        if x < 0:
            return j
    return k - 1


def learn(
    tree: Tree, step: NDArray[np.int64], odds: Numbers, u: Numbers, pi: Numbers, q: Numbers
) -> None:
    """Update a node after one visit.

    ``step`` and ``odds`` are a row of `Workspace.step` and `Workspace.odds`.  ``u`` comes in as
    the value below the node and goes out as the value of the node.
    """
    node, j, seat = step[0], step[1], step[2]
    p, others, own = odds[0], odds[1], odds[2]
    nodes, edges, worth = tree.nodes, tree.edges, tree.worth
    first, k = nodes[node].first, nodes[node].width
    policy(tree, node, k, pi)
    nodes[node].visits += 1
    n = nodes[node].visits
    mean = 0.0
    for i in range(k):  # a choice that was never tried has the value of the node
        edge = edges[first + i]
        q[i] = edge.value if edge.tries > 0 else worth[node, seat]
        mean += pi[i] * q[i]
    miss = u[seat] - q[j]
    lift = (
        min(1.0 / p, 3.0 + 0.1 * math.sqrt(n)) * miss
    )  # bounded: little noise early, no bias late
    base = mean + pi[j] * lift
    for i in range(k):
        edge = edges[first + i]
        more = q[i] - base + (lift if i == j else 0.0)
        edge.regret = max(edge.regret + others * more, 0.0)
        edge.share += own * n * pi[i]
    taken = edges[first + j]
    taken.tries += 1
    taken.value = q[j] + min(others, 1.0) / taken.tries * miss
    weight = pi[j] / p  # the value is the policy's: exploring does not count above
    for side in range(worth.shape[1]):
        plain, told = worth[node, side], u[side]
        u[side] = mean + weight * miss if side == seat else plain + weight * (told - plain)
        worth[node, side] += (told - plain) / n
